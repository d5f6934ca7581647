/** Pseudo-random numbers, the same for the same seed (mulberry32). */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer from 0 to `most`. */
  upTo(most: number): number;
  chance(share: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** This many hexadecimal characters. */
  hex(length: number): string;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (most: number): number => Math.floor(next() * (most + 1));
  return {
    next,
    upTo,
    chance: (share) => next() < share,
    pick: (values) => values[upTo(values.length - 1)]!,
    hex: (length) => Array.from({ length }, () => upTo(15).toString(16)).join(''),
  };
}
