import { findEastAsianAddresses } from './east-asian/addresses.ts';
import { isKana } from './east-asian/candidates.ts';
import { EastAsianNames, isEastAsian } from './east-asian/find.ts';
import { findRunningNames } from './east-asian/running.ts';
import { BY_RULE, EAST_ASIAN, type NamedSpan } from './guides/signs.ts';
import type { Tokens } from './words/tokens.ts';
import { ALPHANUMERIC, CASELESS } from './words/word-scan.ts';

type Push = (span: NamedSpan) => void;

/** Margin of an address: its words are those of an address. */
const SURE = 200;
const NONE: ReadonlySet<number> = new Set();

const mayHold = ({ text, start, shape }: Tokens, token: number): boolean =>
  shape[token] === CASELESS ||
  (shape[token] === ALPHANUMERIC &&
    text.charCodeAt(start[token]!) >= 48 &&
    holdsLetters(text, start[token]!));

/** "2024年张伟": letters of East Asia behind a number, which is short. */
const MAX_DIGITS = 6;
function holdsLetters(text: string, start: number): boolean {
  for (let at = start; at < start + MAX_DIGITS; at++) if (isEastAsian(text.charCodeAt(at))) return true;
  return false;
}

/** Calls `take` with each run of letters of East Asia. */
function forEachWord(tokens: Tokens, take: (from: number, until: number, token: number) => void): void {
  const { text, start, end, count } = tokens;
  for (let token = 0; token < count; token++) {
    if (!mayHold(tokens, token)) continue;
    for (let at = start[token]!; at < end[token]!; ) {
      if (!isEastAsian(text.charCodeAt(at))) {
        at++;
        continue;
      }
      const from = at;
      while (at < end[token]! && isEastAsian(text.charCodeAt(at))) at++;
      take(from, at, token);
    }
  }
}

/** Kana make a text Japanese; without any, its characters are read as Chinese. */
function hasKana(text: string, from: number, until: number): boolean {
  for (let at = from; at < until; at++) if (isKana(text.charCodeAt(at))) return true;
  return false;
}

/** The names in one run of letters: those that a title, a label or an introduction tells, then those that their letters tell. */
function namesInWord(
  text: string,
  from: number,
  until: number,
  isJapanese: boolean,
  weights: Int8Array,
): NamedSpan[] {
  const told: NamedSpan[] = [];
  const found: NamedSpan[] = [];
  const names = new EastAsianNames(text, from, until, (start, end, margin) => {
    told.push({ entity: 'PERSON', start, end, margin, signs: EAST_ASIAN | BY_RULE });
  });
  names.read();
  let next = 0;
  findRunningNames(text, from, until, isJapanese, weights, (start, end, margin) => {
    while (next < told.length && told[next]!.end <= start) found.push(told[next++]!);
    if (next === told.length || told[next]!.start >= end) {
      found.push({ entity: 'PERSON', start, end, margin, signs: EAST_ASIAN });
    }
  });
  for (; next < told.length; next++) found.push(told[next]!);
  return found;
}

/**
 * Pushes the names and addresses in words of Chinese, Japanese and Korean, which have no capitals and often no blanks. Returns
 * where the tokens that have one start.
 */
export function eastAsianNames(tokens: Tokens, weights: Int8Array, push: Push): ReadonlySet<number> {
  const { text, start, end, count } = tokens;
  let first = 0;
  while (first < count && !mayHold(tokens, first)) first++;
  if (first === count) return NONE;
  const [from, until] = [start[first]!, end[count - 1]!];
  const isJapanese = hasKana(text, from, until);
  const starts = new Set<number>();
  const addresses: NamedSpan[] = [];
  findEastAsianAddresses(text, start[0]!, until, (addressStart, addressEnd) => {
    addresses.push({
      entity: 'ADDRESS',
      start: addressStart,
      end: addressEnd,
      margin: SURE,
      signs: EAST_ASIAN | BY_RULE,
    });
  });
  let next = 0;
  forEachWord(tokens, (wordStart, wordEnd, token) => {
    for (const span of namesInWord(text, wordStart, wordEnd, isJapanese, weights)) {
      while (next < addresses.length && addresses[next]!.end <= span.start) next++;
      const address = addresses[next];
      if (address !== undefined && address.start < span.end) continue;
      push(span);
      starts.add(start[token]!);
    }
  });
  for (const address of addresses) {
    push(address);
    starts.add(address.start);
  }
  return starts;
}
