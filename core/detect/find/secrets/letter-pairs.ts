import letterPairs from '../models/letter-pairs.json' with { type: 'json' };

const { pairs } = letterPairs;

/** Letters of either case, a digit, a mark. */
export const LETTER_PAIR_SYMBOLS = 28;
const DIGIT = 26;
const MARK = 27;

/** 0 to 25 for a letter of either case, then digits, then everything else. */
export function symbolOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return unit - 97;
  if (unit >= 65 && unit <= 90) return unit - 65;
  return unit >= 48 && unit <= 57 ? DIGIT : MARK;
}

/**
 * `pairs` has one letter for each pair, row by row: "m" means nothing, each letter after it half a bit towards a
 * random string.
 */
const ZERO = 109;

/** Bits by which this pair of code units indicates a random string (above 0) or ordinary words and names (below 0). */
export function randomBits(before: number, unit: number): number {
  return (pairs.charCodeAt(symbolOf(before) * LETTER_PAIR_SYMBOLS + symbolOf(unit)) - ZERO) / 2;
}
