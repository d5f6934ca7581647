/** Reproducible random choices: an integer generator from a seed (mulberry32). */
export interface SeededRandom {
  /** 0 <= number < 1. */
  readonly next: () => number;
  /** 0 <= whole number < `below`. */
  readonly below: (below: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** A string of `length` random characters from `letters`. */
  readonly string: (letters: string, length: number) => string;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)]!,
    string: (letters, length) => Array.from({ length }, () => letters[below(letters.length)]).join(''),
  };
}
