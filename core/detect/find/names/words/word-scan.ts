import {
  ASCII,
  classOf,
  DIGIT,
  finishHash,
  HASH_START,
  isApostrophe,
  isCaseless,
  isUpper,
  KIND_BITS,
  LETTER,
  LOWER_LETTER,
  mixHash,
  nextHash,
  OTHER_SIGN,
  SCANNED,
  UPPER_LETTER,
} from './letters.ts';

/** The shape of a token. */
export const LOWER = 0;
export const CAPITALISED = 1;
export const ALL_CAPS = 2;
export const CAPITAL = 3;
export const MIXED = 4;
export const NUMBER = 5;
export const ALPHANUMERIC = 6;
export const MARK = 7;
export const LINE_END = 8;
export const CASELESS = 9;
/** Identifiers with underscores, email addresses, URLs, file names. */
export const BLOB = 10;

/** A word, scanned code unit by code unit. One object is reused for a whole text. */
export interface WordScan {
  end: number;
  hash: number;
  shape: number;
  hasHyphen: boolean;
}

const UNDERSCORE = 95;
const HYPHEN = 45;
const POINT = 46;
const KIND_MASK = (1 << KIND_BITS) - 1;

/** The "'s" of "Ann's". */
export function isGenitive(text: string, at: number): boolean {
  if (at + 1 >= text.length || (text.charCodeAt(at + 1) | 32) !== 115) return false;
  return at + 2 >= text.length || classOf(text.charCodeAt(at + 2)) !== LETTER;
}

/** Whether the mark at `at` belongs to the word around it: O'Brien, Smith-Jones, 12.5, but not Ann's. */
function joinsWord(text: string, at: number, unit: number): boolean {
  if (at + 1 >= text.length) return false;
  if (unit === HYPHEN) {
    return classOf(text.charCodeAt(at + 1)) === LETTER && classOf(text.charCodeAt(at - 1)) === LETTER;
  }
  if (unit === POINT) {
    return classOf(text.charCodeAt(at + 1)) === DIGIT && classOf(text.charCodeAt(at - 1)) === DIGIT;
  }
  return isApostrophe(unit) && classOf(text.charCodeAt(at + 1)) === LETTER && !isGenitive(text, at);
}

const NAME_PREFIXES = new Set(['Mc', 'Mac', 'De', 'Di', 'Du', 'La', 'Le', 'Van', 'Fitz']);

/** Whether only starts of parts are capitalised: Smith-Jones, O'Brien, D'Angelo; also McDonald, MacLeod, DeVito. */
function hasCapitalsAtParts(text: string, start: number, end: number, upper: number): boolean {
  let atParts = 1;
  for (let at = start + 1; at < end; at++) {
    if (!isUpper(text.charCodeAt(at))) continue;
    const before = text.charCodeAt(at - 1);
    const isPart = before === HYPHEN || isApostrophe(before);
    if (isPart || (upper === 2 && at <= start + 4 && NAME_PREFIXES.has(text.slice(start, at)))) atParts++;
  }
  return atParts === upper;
}

/** Reads the word that starts at `from` into `scan`; it ends before `limit`. */
export function scanWord(text: string, from: number, limit: number, scan: WordScan): void {
  let upper = 0;
  let lower = 0;
  let digits = 0;
  let hasUnderscore = false;
  let hasHyphen = false;
  let hash = HASH_START;
  let at = from;
  for (; at < limit; at++) {
    const unit = text.charCodeAt(at);
    if (unit < ASCII) {
      const scanned = SCANNED[unit]!;
      const kind = scanned & KIND_MASK;
      if (kind !== OTHER_SIGN) {
        if (kind === LOWER_LETTER) lower++;
        else if (kind === UPPER_LETTER) upper++;
        else digits++;
        hash = mixHash(hash, scanned >>> KIND_BITS);
        continue;
      }
    }
    const kind = classOf(unit);
    if (kind === LETTER) {
      if (isUpper(unit)) upper++;
      else lower++;
    } else if (kind === DIGIT) {
      digits++;
    } else if (unit === UNDERSCORE) {
      hasUnderscore = true;
    } else if (at > from && joinsWord(text, at, unit)) {
      if (unit === HYPHEN) hasHyphen = true;
    } else {
      break;
    }
    hash = nextHash(hash, unit);
  }
  scan.end = at;
  scan.hash = finishHash(hash);
  scan.hasHyphen = hasHyphen;
  scan.shape = hasUnderscore ? BLOB : shapeOf(text, from, at, upper, lower, digits);
}

function shapeOf(
  text: string,
  start: number,
  end: number,
  upper: number,
  lower: number,
  digits: number,
): number {
  if (digits > 0) return upper + lower === 0 ? NUMBER : ALPHANUMERIC;
  const first = text.charCodeAt(start);
  if (isCaseless(first)) return CASELESS;
  if (upper === 0) return LOWER;
  if (lower === 0) return upper === 1 ? CAPITAL : ALL_CAPS;
  if (!isUpper(first)) return MIXED;
  return upper === 1 || hasCapitalsAtParts(text, start, end, upper) ? CAPITALISED : MIXED;
}
