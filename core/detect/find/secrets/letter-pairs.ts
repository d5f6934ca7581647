import letterPairs from '../models/letter-pairs.json' with { type: 'json' };

const { pairs } = letterPairs;

/** 26 letters in either case, digits, and all other characters. */
export const LETTER_PAIR_SYMBOLS = 28;
const DIGIT = 26;
const MARK = 27;

/** 0 to 25 for a letter in either case, then one symbol for digits and one for everything else. */
export function symbolOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return unit - 97;
  if (unit >= 65 && unit <= 90) return unit - 65;
  return unit >= 48 && unit <= 57 ? DIGIT : MARK;
}

/**
 * `pairs` has one letter per pair, row by row. "m" is neutral; each letter after it adds half a bit towards a random
 * string.
 */
const ZERO = 109;

/**
 * Bits of evidence from this pair of code units: positive for a random string, negative for ordinary words and names.
 */
export function randomBits(before: number, unit: number): number {
  return (pairs.charCodeAt(symbolOf(before) * LETTER_PAIR_SYMBOLS + symbolOf(unit)) - ZERO) / 2;
}
