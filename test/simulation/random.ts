/** All randomness of a run, from one seed: the same seed gives the same values. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number below `limit`. */
  below(limit: number): number;
  /** Whole number from `from` to `to`, both inclusive. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(size: number): Buffer;
  /** A separate source, so that more draws from one do not change the other. */
  fork(): Random;
}

/** sfc32: small, fast and good enough to schedule events. */
export function randomOf(seed: number): Random {
  let a = seed | 0;
  let b = 0x9e3779b9 | 0;
  let c = 0x243f6a88 | 0;
  let counter = 1;
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round += 1) word();

  const next = (): number => word() / 0x1_0000_0000;
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: (probability) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const found = items[below(items.length)];
      if (found === undefined) throw new Error('there is nothing to pick from');
      return found;
    },
    bytes: (size) => {
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; at += 1) bytes[at] = word() & 0xff;
      return bytes;
    },
    fork: () => randomOf(word()),
  };
}
