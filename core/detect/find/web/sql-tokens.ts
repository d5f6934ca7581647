import { isAsciiLetter, isDigit, isSpace, isWordUnit } from '../../read/characters.ts';
import words from '../lists/sql-words.json' with { type: 'json' };
import type { Window } from './window.ts';

/**
 * Tokens of a span that may be part of an SQL statement, one letter each. Quotes are separate tokens, because breaking
 * out of a string starts with its end.
 *
 * q quote, n number, t constant (null, true), v variable, w other word, l AND/OR/XOR, c comparison, o arithmetic, p and
 * r parentheses, m comma, s semicolon, k comment, u UNION (or INTERSECT, EXCEPT), e SELECT, f function that sleeps,
 * reads files or causes informative errors, g other function, d word that starts another statement, a ALL or DISTINCT,
 * F FROM, h HAVING, GROUP, ORDER, LIMIT, i INTO, z table or procedure of the server itself, W WHERE, C CASE, ? other.
 */
export interface SqlTokens {
  readonly kinds: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const WORDS = new Map<string, string>();
for (const [kind, list] of Object.entries(words.kinds)) for (const word of list) WORDS.set(word, kind);
/** Functions that sleep, read files or cause informative errors; few ordinary statements call them. */
const SUSPICIOUS_FUNCTIONS = new Set(words.suspiciousFunctions);

/** Words that start a statement only before certain others: "copy" and "lock" are English words, too. */
const TWO_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['attach', /\s{1,3}database\b/iy],
  ['rename', /\s{1,3}(?:table|user)\b/iy],
  ['lock', /\s{1,3}tables?\b/iy],
  ['vacuum', /\s{1,3}(?:into|full)\b/iy],
  ['analyze', /\s{1,3}table\b/iy],
  ['pragma', /\s{1,3}(?:table_info|table_list|database_list|writable_schema)\b/iy],
  ['copy', /\s{1,3}[\w.(]{1,40}\s{1,3}(?:to|from)\s{1,3}(?:program|['"])/iy],
]);

const SLOTS = 2 ** 12;
const slotOf = (first: number, second: number, last: number, length: number): number =>
  ((first | 32) * 241 + (second | 32) * 57 + (last | 32) * 13 + length) & (SLOTS - 1);
const slotOfWord = (word: string, at: number, end: number): number =>
  slotOf(word.charCodeAt(at), word.charCodeAt(at + 1), word.charCodeAt(end - 1), end - at);
/** One look-up that separates most words of prose from all words of the lists. */
const MAY_BE_KNOWN = new Uint8Array(SLOTS);
for (const word of [...WORDS.keys(), ...SUSPICIOUS_FUNCTIONS, ...TWO_WORDS.keys()])
  MAY_BE_KNOWN[slotOfWord(word, 0, word.length)] = 1;
const mayBeKnown = (plain: string, at: number, end: number): boolean =>
  end - at > 1 && MAY_BE_KNOWN[slotOfWord(plain, at, end)] === 1;

const QUOTES = '\'"`';
const COMPARISON = '=<>';
const ARITHMETIC = '+-*/%~!^&|';

/** Reads the whole span; `plusIsBlank` for form-encoded text. */
export function sqlTokensOf(plain: string, plusIsBlank: boolean): SqlTokens {
  let kinds = '';
  const starts: number[] = [];
  const ends: number[] = [];
  const push = (kind: string, start: number, end: number): void => {
    kinds += kind;
    starts.push(start);
    ends.push(end);
  };
  // No comment can end after this offset, so none is searched for there.
  const lastClose = plain.lastIndexOf('*/');
  for (let at = 0; at < plain.length; ) {
    const unit = plain.charCodeAt(at);
    if (isSpace(unit) || unit === 0 || (plusIsBlank && unit === 43)) {
      at++;
    } else if (isAsciiLetter(unit) || unit === 95) {
      at = pushWord(plain, at, push);
    } else if (isDigit(unit) || (unit === 46 && at + 1 < plain.length && isDigit(plain.charCodeAt(at + 1)))) {
      at = pushNumber(plain, at, push);
    } else {
      at = pushSign(plain, at, push, lastClose);
    }
  }
  return { kinds, starts, ends };
}

/** The tokens of a window. A plus sign counts as a blank if the window has no blanks. */
export function tokensOfWindow({ plain }: Window): SqlTokens {
  return sqlTokensOf(plain, hasPlusForBlank(plain));
}

/** Whether this is form-encoded text without blanks. */
export function hasPlusForBlank(plain: string): boolean {
  return plain.includes('+') && /[\w)]\+[\w(]/.test(plain) && !/\w \w/.test(plain);
}

type Push = (kind: string, start: number, end: number) => void;

const endOfWord = (plain: string, from: number): number => {
  let end = from;
  while (end < plain.length && isWordUnit(plain.charCodeAt(end))) end++;
  return end;
};

const DOLLAR = 36;
const OPENING = 40;

function pushWord(plain: string, at: number, push: Push): number {
  let end = endOfWord(plain, at + 1);
  while (end < plain.length && plain.charCodeAt(end) === DOLLAR) end = endOfWord(plain, end + 1);
  let next = end;
  while (next < plain.length && isSpace(plain.charCodeAt(next))) next++;
  const isCall = next < plain.length && plain.charCodeAt(next) === OPENING;
  push(mayBeKnown(plain, at, end) ? kindOfWord(plain, at, end, isCall) : isCall ? 'g' : 'w', at, end);
  return end;
}

function kindOfWord(plain: string, at: number, end: number, isCall: boolean): string {
  const word = plain.slice(at, end).toLowerCase();
  const kind = WORDS.get(word) ?? kindByNeighbours(plain, word, end);
  if (kind !== undefined && !(isCall && word === 'replace')) return kind;
  // "time.sleep(5)" is another object's method.
  if (SUSPICIOUS_FUNCTIONS.has(word) && plain[at - 1] !== '.' && (isCall || word === 'waitfor')) return 'f';
  return isCall ? 'g' : 'w';
}

function kindByNeighbours(plain: string, word: string, end: number): string | undefined {
  const second = TWO_WORDS.get(word);
  if (second === undefined) return undefined;
  second.lastIndex = end;
  return second.test(plain) ? 'd' : undefined;
}

function pushNumber(plain: string, at: number, push: Push): number {
  let end = at + 1;
  while (isWordUnit(plain.charCodeAt(end)) || (plain[end] === '.' && isDigit(plain.charCodeAt(end + 1))))
    end++;
  const word = plain.slice(at, end);
  // "2nd" and "1001abc" are words; 0x41 and 1e5 are numbers.
  push(/^(?:[\d.]+(?:e\d+)?|0x[\da-f]*|0b[01]+)$/i.test(word) ? 'n' : 'w', at, end);
  return end;
}

function pushSign(plain: string, at: number, push: Push, lastClose: number): number {
  const sign = plain[at]!;
  const next = plain[at + 1];
  if (QUOTES.includes(sign)) push('q', at, at + 1);
  else if (sign === '(') push('p', at, at + 1);
  else if (sign === ')') push('r', at, at + 1);
  else if (sign === ',') push('m', at, at + 1);
  else if (sign === ';') push('s', at, at + 1);
  else if (sign === '#')
    push(
      isWordUnit((next ?? ' ').charCodeAt(0)) && isSpace(plain.charCodeAt(at - 1)) ? '?' : 'k',
      at,
      at + 1,
    );
  else if (sign === '@') return pushVariable(plain, at, push);
  else if (sign === '-' && next === '-' && isLineComment(plain, at)) {
    push('k', at, at + 2);
    return at + 2;
  } else if (sign === '/' && next === '*') return pushComment(plain, at, push, lastClose);
  else if ((sign === '|' && next === '|') || (sign === '&' && next === '&')) {
    push('l', at, at + 2);
    return at + 2;
  } else if (COMPARISON.includes(sign) || (sign === '!' && next === '=')) {
    let end = at + 1;
    while (COMPARISON.includes(plain[end] ?? ' ')) end++;
    push('c', at, end);
    return end;
  } else if (ARITHMETIC.includes(sign)) push('o', at, at + 1);
  else if (sign === '\\' && plain[at + 1] === 'N') {
    push('t', at, at + 2);
    return at + 2;
  } else if (sign === '*') push('o', at, at + 1);
  else if (sign !== '\\' && sign !== '.') push('?', at, at + 1);
  return at + 1;
}

/** Whether two hyphens precede a blank, or directly follow a closing quote; not an arrow, a rule or `i--`. */
function isLineComment(plain: string, at: number): boolean {
  const after = plain[at + 2] ?? ' ';
  if (QUOTES.includes(plain[at - 1] ?? ' ')) return after !== '-';
  return !isWordUnit(after.charCodeAt(0)) && after !== '-' && after !== '>';
}

/**
 * A comment inside a statement acts as a blank. A MySQL one (`/*!50000 union`) is read; an unclosed one ends the text.
 */
function pushComment(plain: string, at: number, push: Push, lastClose: number): number {
  if (plain[at + 2] === '!') {
    let end = at + 3;
    while (isDigit(plain.charCodeAt(end))) end++;
    return end;
  }
  const close = lastClose < at + 2 ? -1 : plain.indexOf('*/', at + 2);
  if (close !== -1) return close + 2;
  push('k', at, at + 2);
  return at + 2;
}

function pushVariable(plain: string, at: number, push: Push): number {
  let end = at + 1;
  while (plain[end] === '@' || isWordUnit(plain.charCodeAt(end))) end++;
  push(end > at + 1 ? 'v' : '?', at, end);
  return end;
}
