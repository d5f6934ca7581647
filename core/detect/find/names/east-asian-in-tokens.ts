import { findEastAsianAddresses } from './east-asian/addresses.ts';
import { isKana } from './east-asian/candidates.ts';
import { EastAsianNames, isEastAsian } from './east-asian/find.ts';
import { findRunningNames } from './east-asian/running.ts';
import { BY_RULE, EAST_ASIAN, type NamedSpan } from './guides/signs.ts';
import type { Tokens } from './words/tokens.ts';
import { ALPHANUMERIC, CASELESS } from './words/word-scan.ts';

type Push = (span: NamedSpan) => void;

/** Margin of an address, which consists of address words. */
const SURE = 200;
const NONE: ReadonlySet<number> = new Set();

const mayContain = ({ text, start, shape }: Tokens, token: number): boolean =>
  shape[token] === CASELESS ||
  (shape[token] === ALPHANUMERIC &&
    text.charCodeAt(start[token]!) >= 48 &&
    containsLetters(text, start[token]!));

/** "2024年张伟": maximum length of a number right before East Asian letters. */
const MAX_DIGITS = 6;
function containsLetters(text: string, start: number): boolean {
  for (let at = start; at < start + MAX_DIGITS; at++) if (isEastAsian(text.charCodeAt(at))) return true;
  return false;
}

/** Calls `take` with each run of East Asian letters. */
function forEachWord(tokens: Tokens, take: (from: number, until: number, token: number) => void): void {
  const { text, start, end, count } = tokens;
  for (let token = 0; token < count; token++) {
    if (!mayContain(tokens, token)) continue;
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

/** Kana make a text Japanese; without any, Chinese characters are read as Chinese. */
function hasKana(text: string, from: number, until: number): boolean {
  for (let at = from; at < until; at++) if (isKana(text.charCodeAt(at))) return true;
  return false;
}

/**
 * The names in one run of letters: first those with a title, label or introduction, then those recognised by their
 * letters.
 */
function namesInWord(
  text: string,
  from: number,
  until: number,
  isJapanese: boolean,
  weights: Int8Array,
): NamedSpan[] {
  const byRule: NamedSpan[] = [];
  const found: NamedSpan[] = [];
  const names = new EastAsianNames(text, from, until, (start, end, margin) => {
    byRule.push({ entity: 'PERSON', start, end, margin, signs: EAST_ASIAN | BY_RULE });
  });
  names.read();
  let next = 0;
  findRunningNames(text, from, until, isJapanese, weights, (start, end, margin) => {
    while (next < byRule.length && byRule[next]!.end <= start) found.push(byRule[next++]!);
    if (next === byRule.length || byRule[next]!.start >= end) {
      found.push({ entity: 'PERSON', start, end, margin, signs: EAST_ASIAN });
    }
  });
  for (; next < byRule.length; next++) found.push(byRule[next]!);
  return found;
}

/**
 * Pushes the names and addresses in Chinese, Japanese and Korean words, which have no capitals and often no blanks.
 * Returns the starts of the tokens that contain one.
 */
export function eastAsianNames(tokens: Tokens, weights: Int8Array, push: Push): ReadonlySet<number> {
  const { text, start, end, count } = tokens;
  let first = 0;
  while (first < count && !mayContain(tokens, first)) first++;
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
