/** Remembers which uses of keys were already written, so that most requests need no write. */
interface NotedUses {
  /** True on the first call for this key and minute. */
  isNew(key: string, minute: number): boolean;
  size(): number;
}

/** Maximum number of remembered keys; a use of an evicted key may be written twice in a minute. */
const MAX_KEYS = 20_000;

export function createNotedUses(maxKeys = MAX_KEYS): NotedUses {
  /** Minute of the last use by key, oldest first. */
  const minutes = new Map<string, number>();
  return {
    isNew(key, minute) {
      if (minutes.get(key) === minute) return false;
      minutes.delete(key);
      minutes.set(key, minute);
      if (minutes.size > maxKeys) minutes.delete(minutes.keys().next().value as string);
      return true;
    },
    size: () => minutes.size,
  };
}
