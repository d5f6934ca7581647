interface Waiting<Key, Found> {
  readonly key: Key;
  resolve(found: Found): void;
  reject(error: unknown): void;
}

/**
 * Joins looks that come while another one is under way: they share the next. Each look begins after it was asked for,
 * so nobody is told what held before that. `look` answers in the order of the keys; its failure is told to all that
 * shared it. As many wait as ask at once: here one for each partition.
 */
export function joinedLooks<Key, Found>(
  look: (keys: readonly Key[]) => Promise<readonly Found[]>,
): (key: Key) => Promise<Found> {
  let waiting: Waiting<Key, Found>[] = [];
  let busy = false;

  const lookFor = async (asked: readonly Waiting<Key, Found>[]): Promise<void> => {
    try {
      const found = await look(asked.map(({ key }) => key));
      if (found.length !== asked.length) {
        throw new Error(`a look for ${asked.length} keys must answer each; it answered ${found.length}`);
      }
      for (const [n, one] of asked.entries()) one.resolve(found[n] as Found);
    } catch (error) {
      for (const one of asked) one.reject(error);
    }
  };
  const work = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      await lookFor(asked);
    }
    busy = false;
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!busy) void work();
    });
}
