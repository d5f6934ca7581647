import { isAsciiLetter, isDigit } from '../../read/characters.ts';
import { randomBits } from './letter-pairs.ts';

/** Statistics of a part of a token. */
export interface TokenStats {
  /** Bits of evidence, in its most random part, for a random string rather than words and names. */
  readonly bits: number;
  readonly digits: number;
  readonly letters: number;
  /** Changes between lower case, upper case and digits, except a capital that starts a word. */
  readonly flips: number;
  /** Whether it has only hexadecimal digits (and hyphens), so that it may be a hash or an ID. */
  readonly hex: boolean;
  readonly differentUnits: number;
  /** Code units that follow the previous one in alphabetical or numerical order: "abcdef", "56789". */
  readonly ascending: number;
}

const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const MARK = 3;

function classOf(unit: number): number {
  if (isDigit(unit)) return DIGIT;
  if (!isAsciiLetter(unit)) return MARK;
  return unit <= 90 ? UPPER : LOWER;
}

function isHexUnit(unit: number): boolean {
  return isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70) || unit === 45;
}

/**
 * A change of character class indicates randomness; IDs in code have few. A capital after several lower-case
 * letters usually starts a camel case word, so it does not count.
 */
const BITS_PER_FLIP = 0.9;

/** Computed in one pass. Words may surround the most random part ("acme_live_..."). */
export function statsOf(text: string, start: number, end: number): TokenStats {
  let bits = 0;
  let best = 0;
  let digits = 0;
  let letters = 0;
  let flips = 0;
  let hex = true;
  let ascending = 0;
  let lowMask = 0;
  let highMask = 0;
  let before = MARK;
  let beforeThat = MARK;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const kind = classOf(unit);
    if (kind === DIGIT) digits++;
    else if (kind !== MARK) letters++;
    hex &&= isHexUnit(unit);
    if (unit < 64) lowMask |= 1 << (unit & 31);
    else highMask |= 1 << (unit & 31);
    if (unit === text.charCodeAt(i - 1) + 1 && i > start) ascending++;
    if (i > start) bits += randomBits(text.charCodeAt(i - 1), unit);
    if (isFlip(beforeThat, before, kind)) {
      flips++;
      bits += BITS_PER_FLIP;
    }
    bits = Math.max(0, bits);
    best = Math.max(best, bits);
    [beforeThat, before] = [before, kind];
  }
  return {
    bits: best,
    digits,
    letters,
    flips,
    hex,
    differentUnits: ones(lowMask) + ones(highMask),
    ascending,
  };
}

function isFlip(beforeThat: number, before: number, kind: number): boolean {
  if (before === kind || before === MARK || kind === MARK) return false;
  if (before === UPPER && kind === LOWER) return beforeThat === DIGIT;
  if (before === LOWER && kind === UPPER) return beforeThat !== LOWER;
  return true;
}

function ones(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
