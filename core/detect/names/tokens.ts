import { GIVEN, type Lexicon, PLACE, PROPER, STREET, SURNAME } from './lexicon.ts';
import {
  classOf,
  DIGIT,
  hashOf,
  hashOfWord,
  isApostrophe,
  isCaseless,
  isUpper,
  LETTER,
  NEWLINE,
  SPACE,
} from './letters.ts';

/** How a token looks. */
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
/** Identifiers with underscores, e-mail addresses, URLs, file names. */
export const BLOB = 10;

/** The tokens of a piece of text, one array per property. */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Of the lower-case word without accents. */
  readonly hash: Int32Array;
  readonly shape: Uint8Array;
  /** Bits of the lexicon. */
  readonly flags: Uint8Array;
}

const LINE_HASH = hashOfWord('\n');
const BLANK_LINE_HASH = hashOfWord('\n\n');
const BLOB_HASH = hashOfWord('__');
/** A mark that stands against what is before it ("name:") is another one than a mark after a blank ("(see"). */
const GAP = 0x51ed270b;

const UNDERSCORE = 95;
const HYPHEN = 45;
const POINT = 46;
const AT = 64;
const COLON = 58;
const SLASH = 47;

const isWordClass = (kind: number): boolean => kind === LETTER || kind === DIGIT;
const isLower = (unit: number): boolean => classOf(unit) === LETTER && !isUpper(unit);

/** True for a mark at `at` that belongs to the word around it: O'Brien, Smith-Jones, 12.5, but not the one of "Ann's". */
function joinsWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const next = classOf(text.charCodeAt(at + 1));
  if (unit === HYPHEN) return next === LETTER && classOf(text.charCodeAt(at - 1)) === LETTER;
  if (unit === POINT) return next === DIGIT && classOf(text.charCodeAt(at - 1)) === DIGIT;
  return isApostrophe(unit) && next === LETTER && !isGenitive(text, at);
}

function isGenitive(text: string, at: number): boolean {
  const letter = text.charCodeAt(at + 1) | 32;
  return letter === 115 && classOf(text.charCodeAt(at + 2)) !== LETTER;
}

function endOfWord(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit) {
    const unit = text.charCodeAt(at);
    if (!isWordClass(classOf(unit)) && unit !== UNDERSCORE && !(at > from && joinsWord(text, at))) break;
    at++;
  }
  return at;
}

/** What stands between blanks, quotes and brackets. */
function endOfBlob(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit) {
    const unit = text.charCodeAt(at);
    const kind = classOf(unit);
    if (kind === SPACE || kind === NEWLINE || unit === 34 || unit === 39 || unit === 60 || unit === 62) break;
    if (unit === 44 || unit === 41 || unit === 93) break;
    at++;
  }
  while (at > from + 1 && (text.charCodeAt(at - 1) === POINT || text.charCodeAt(at - 1) === 63)) at--;
  return at;
}

function shapeOf(text: string, start: number, end: number): number {
  let upper = 0;
  let lower = 0;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === UNDERSCORE) return BLOB;
    const kind = classOf(unit);
    if (kind === DIGIT) digits++;
    else if (isUpper(unit)) upper++;
    else if (kind === LETTER) lower++;
  }
  if (digits > 0) return upper + lower === 0 ? NUMBER : ALPHANUMERIC;
  const first = text.charCodeAt(start);
  if (isCaseless(first)) return CASELESS;
  if (upper === 0) return LOWER;
  if (lower === 0) return upper === 1 ? CAPITAL : ALL_CAPS;
  if (!isUpper(first)) return MIXED;
  return upper === 1 || hasCapitalsAtParts(text, start, end, upper) ? CAPITALISED : MIXED;
}

/** Smith-Jones, O'Brien, D'Angelo: a capital only where a part begins; also McDonald, MacLeod, DeVito. */
function hasCapitalsAtParts(text: string, start: number, end: number, upper: number): boolean {
  let atParts = 1;
  for (let at = start + 1; at < end; at++) {
    if (!isUpper(text.charCodeAt(at))) continue;
    const before = text.charCodeAt(at - 1);
    if (before === HYPHEN || isApostrophe(before)) atParts++;
    else if (upper === 2 && at <= start + 3 && end - at >= 3 && isNamePrefix(text, start, at)) atParts++;
  }
  return atParts === upper;
}

const NAME_PREFIXES = new Set(['Mc', 'Mac', 'De', 'Di', 'Du', 'La', 'Le', 'Van', 'Fitz', "O'"]);
const isNamePrefix = (text: string, start: number, end: number): boolean =>
  NAME_PREFIXES.has(text.slice(start, end));

/** The flags of "Smith-Jones" are those of its parts when it is not known as a whole. */
function flagsOfWord(text: string, start: number, end: number, hash: number, lexicon: Lexicon): number {
  const whole = lexicon.flagsOf(hash);
  if (whole !== 0) return whole;
  let first = start;
  while (first < end && text.charCodeAt(first) !== HYPHEN) first++;
  if (first === end) return 0;
  const ofFirst = lexicon.flagsOf(hashOf(text, start, first));
  const ofLast = lexicon.flagsOf(hashOf(text, text.lastIndexOf('-', end - 1) + 1, end));
  return ofFirst | (ofLast & (SURNAME | GIVEN | PLACE | PROPER | STREET));
}

/** Cuts `text` from `from` to `until` into tokens. */
export function tokenise(text: string, from: number, until: number, lexicon: Lexicon): Tokens {
  const most = until - from + 1;
  const start = new Int32Array(most);
  const end = new Int32Array(most);
  const hash = new Int32Array(most);
  const shape = new Uint8Array(most);
  const flags = new Uint8Array(most);
  let count = 0;

  const add = (first: number, last: number, kind: number, value: number): void => {
    start[count] = first;
    end[count] = last;
    shape[count] = kind;
    hash[count] = value;
    flags[count] = 0;
    count++;
  };
  /** One token from `first` on, in place of those that begin there or later. */
  const addBlob = (first: number, last: number): number => {
    while (count > 0 && start[count - 1]! >= first) count--;
    add(first, last, BLOB, BLOB_HASH);
    return last;
  };
  const beginOfRun = (at: number): number => {
    let begin = at;
    let token = count;
    while (token > 0 && end[token - 1] === begin && shape[token - 1] !== LINE_END) {
      const first = text.charCodeAt(start[token - 1]!);
      if (first === 34 || first === 39 || first === 40 || first === 60) break;
      begin = start[--token]!;
    }
    return begin;
  };

  for (let at = from; at < until; ) {
    const unit = text.charCodeAt(at);
    const kind = classOf(unit);
    if (kind === SPACE) {
      at++;
    } else if (kind === NEWLINE) {
      at++;
      if (count > 0 && shape[count - 1] === LINE_END) hash[count - 1] = unit === 13 ? LINE_HASH : BLANK_LINE_HASH;
      else add(at - 1, at, LINE_END, LINE_HASH);
      if (unit === 13 && text.charCodeAt(at) === 10) at++;
    } else if (isWordClass(kind) || unit === UNDERSCORE) {
      const stop = endOfWord(text, at, until);
      const begins = text.charCodeAt(stop);
      const goesOn =
        (begins === AT && isWordClass(classOf(text.charCodeAt(stop + 1)))) ||
        (begins === COLON && text.charCodeAt(stop + 1) === SLASH && text.charCodeAt(stop + 2) === SLASH) ||
        (begins === POINT && isLower(text.charCodeAt(stop + 1)) && isLower(text.charCodeAt(stop - 1)));
      if (goesOn) {
        at = addBlob(beginOfRun(at), endOfBlob(text, stop + 1, until));
        continue;
      }
      const value = hashOf(text, at, stop);
      add(at, stop, shapeOf(text, at, stop), value);
      flags[count - 1] = flagsOfWord(text, at, stop, value, lexicon);
      at = stop;
    } else if (unit === AT && isWordClass(classOf(text.charCodeAt(at + 1)))) {
      at = addBlob(at, endOfBlob(text, at + 1, until));
    } else if (isApostrophe(unit) && isGenitive(text, at) && at > from && isWordClass(classOf(text.charCodeAt(at - 1)))) {
      add(at, at + 2, MARK, hashOf(text, at, at + 2));
      at += 2;
    } else {
      const width = unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
      const stop = Math.min(at + width, until);
      const value = hashOf(text, at, stop);
      add(at, stop, MARK, classOf(text.charCodeAt(at - 1)) === SPACE ? value ^ GAP : value);
      at = stop;
    }
  }
  return { text, count, start, end, hash, shape, flags };
}

export const isMark = (tokens: Tokens, token: number): boolean =>
  tokens.shape[token] === MARK || tokens.shape[token] === LINE_END;
