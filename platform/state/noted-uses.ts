/** Which uses of keys were written already, so that a request costs no write. */
export interface NotedUses {
  /** Whether this minute's use of the key was not asked for yet. */
  isNew(key: string, minute: number): boolean;
  size(): number;
}

/** Keys remembered at most; of one that is forgotten a minute may be written twice. */
const MAX_KEYS = 20_000;

export function createNotedUses(most = MAX_KEYS): NotedUses {
  /** Minute of the last use by key; the one that was noted longest ago comes first. */
  const minutes = new Map<string, number>();
  return {
    isNew(key, minute) {
      if (minutes.get(key) === minute) return false;
      minutes.delete(key);
      minutes.set(key, minute);
      if (minutes.size > most) minutes.delete(minutes.keys().next().value as string);
      return true;
    },
    size: () => minutes.size,
  };
}
