import words from '../../lists/east-asian.json' with { type: 'json' };
import { CHINESE_SURNAMES, JAPANESE_SURNAMES, KOREAN_SURNAMES, SHORT_JAPANESE_SURNAMES } from './surnames.ts';
import { LAST_OF_GIVEN } from './titles.ts';

/** The scripts in which names are recognised by their letters and those around them. */
const [CHINESE, JAPANESE, KOREAN] = [1, 2, 3];

/** A possible name: a surname and a given name, which may be empty in Japanese. */
export interface Candidate {
  script: number;
  start: number;
  /** Start of the given name. */
  given: number;
  end: number;
}

export const isHan = (unit: number): boolean => (unit >= 0x4e00 && unit <= 0x9fff) || unit === 0x3005;
export const isKana = (unit: number): boolean => unit >= 0x3041 && unit <= 0x30ff;
export const isHangul = (unit: number): boolean => unit >= 0xac00 && unit <= 0xd7a3;
const isHiragana = (unit: number): boolean => unit >= 0x3041 && unit <= 0x309f;

/** Receives a candidate, which is reused for the next one. */
type Take = (candidate: Candidate) => void;

const candidate: Candidate = { script: 0, start: 0, given: 0, end: 0 };

function offer(script: number, start: number, given: number, end: number, take: Take): void {
  candidate.script = script;
  candidate.start = start;
  candidate.given = given;
  candidate.end = end;
  take(candidate);
}

const [LONGEST_SURNAME, LONGEST_GIVEN] = [3, 3];

/** A surname anywhere among Chinese characters, followed by one or two more. */
function chinese(text: string, start: number, end: number, take: Take): void {
  for (let at = start; at < end; at++) {
    const size = CHINESE_SURNAMES.has(text.slice(at, at + 2))
      ? 2
      : CHINESE_SURNAMES.has(text.charAt(at))
        ? 1
        : 0;
    if (size === 0) continue;
    for (let given = 1; given <= 2 && at + size + given <= end; given++) {
      if (!isHan(text.charCodeAt(at + size + given - 1))) break;
      offer(CHINESE, at, at + size, at + size + given, take);
    }
  }
}

const SHORTEST_GIVEN = 2;
/** After a surname, these make it a place, a company or a family. */
const NEVER_GIVEN = new Set('県市町村区駅家線校社店川組港城山橋省派流式産製');
/** A given name may follow these without a surname: "my daughter". */
const KIN = new Set(words.kin);
/** Words that a name may follow without a mark. */
const BEFORE_NAMES = new Set(words.beforeNames);

function japanese(text: string, start: number, end: number, take: Take): void {
  for (let at = start; at < end; ) {
    if (!isHan(text.charCodeAt(at))) {
      at++;
      continue;
    }
    let until = at + 1;
    while (until < end && isHan(text.charCodeAt(until))) until++;
    japaneseRun(text, at, until, end, take);
    if (until - at > 3 && BEFORE_NAMES.has(text.slice(at, at + 2)))
      japaneseRun(text, at + 2, until, end, take);
    if (until - at >= SHORTEST_GIVEN && until - at <= LONGEST_GIVEN && KIN.has(text.slice(at - 2, at)))
      offer(JAPANESE, at, at, until, take);
    at = until;
  }
}

/** A run of Chinese characters in a Japanese text, or the end of one, and kana of a given name after a surname. */
function japaneseRun(text: string, at: number, until: number, end: number, take: Take): void {
  let kana = until;
  while (kana < end && kana - until < LONGEST_GIVEN && isHiragana(text.charCodeAt(kana))) kana++;
  for (let size = 1; size <= LONGEST_SURNAME; size++) {
    const given = until - at - size;
    if (given < 0 || given > LONGEST_GIVEN) continue;
    if (given === 1 && NEVER_GIVEN.has(text.charAt(until - 1))) continue;
    if (size > 1 || given > 0) offer(JAPANESE, at, at + size, until, take);
    if (given > 0 || size === 1 || !JAPANESE_SURNAMES.has(text.slice(at, until))) continue;
    for (let last = until + 2; last <= kana; last++) offer(JAPANESE, at, until, last, take);
  }
}

/** A word with a surname and two more syllables, plus the rest of the word. */
function korean(text: string, start: number, end: number, take: Take): void {
  const two = KOREAN_SURNAMES.has(text.slice(start, start + 2)) ? 2 : 0;
  for (const size of two === 0 ? [1] : [2, 1]) {
    const last = start + size + 2;
    if (last <= end && KOREAN_SURNAMES.has(text.slice(start, start + size)))
      offer(KOREAN, start, start + size, last, take);
  }
}

/** The candidates of one run of East Asian letters. */
export function forEachCandidate(
  text: string,
  start: number,
  end: number,
  isJapanese: boolean,
  take: Take,
): void {
  if (isHangul(text.charCodeAt(start))) korean(text, start, end, take);
  else if (isJapanese) japanese(text, start, end, take);
  else chinese(text, start, end, take);
}

/** Number of weights, which features share by hash. */
export const CANDIDATE_ROWS = 2 ** 16;
export const MAX_CANDIDATE_FEATURES = 20;

const rowOf = (kind: number, a: number, b: number): number => {
  let hash = Math.imul(a ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 16)) & (CANDIDATE_ROWS - 1);
};

function hashed(text: string, from: number, until: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < until; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

const [OUTSIDE, KANA] = [1, 2];
/** The kind of a letter, for words whose letters say too little. */
function kindOf(unit: number): number {
  if (isHan(unit) || isHangul(unit)) return unit;
  return isKana(unit) ? KANA : OUTSIDE;
}
const unitAt = (text: string, at: number): number => (at < 0 || at >= text.length ? 0 : text.charCodeAt(at));

/** Writes the rows of a candidate's features; returns their number. */
export function featuresOfCandidate(
  text: string,
  { script, start, given, end }: Candidate,
  rows: Int32Array,
): number {
  const base = script * 32;
  const [before, beforeThat] = [unitAt(text, start - 1), unitAt(text, start - 2)];
  const [after, afterThat] = [unitAt(text, end), unitAt(text, end + 1)];
  const surname = hashed(text, start, given);
  const name = hashed(text, given, end);
  const [first, last] = [unitAt(text, given), unitAt(text, end - 1)];
  const form = (given - start) * 8 + (end - given);
  let n = 0;
  rows[n++] = rowOf(base, 0, form);
  rows[n++] = rowOf(base + 1, surname, 0);
  rows[n++] = rowOf(base + 2, name, 0);
  rows[n++] = rowOf(base + 3, first, end - given);
  rows[n++] = rowOf(base + 4, last, end - given);
  rows[n++] = rowOf(base + 5, before, 0);
  rows[n++] = rowOf(base + 6, before, beforeThat);
  rows[n++] = rowOf(base + 7, after, form);
  rows[n++] = rowOf(base + 8, after, afterThat);
  rows[n++] = rowOf(base + 9, kindOf(before), kindOf(after));
  rows[n++] = rowOf(base + 10, last, after);
  rows[n++] = rowOf(base + 11, before, unitAt(text, start));
  rows[n++] = rowOf(base + 12, unitAt(text, given - 1), first);
  rows[n++] = rowOf(base + 13, surname, form);
  rows[n++] = rowOf(base + 14, hashed(text, start, end), 0);
  rows[n++] = rowOf(base + 15, surname, after);
  rows[n++] = rowOf(base + 16, kindOf(before), form);
  if (script === JAPANESE) {
    const value = text.slice(start, given);
    const known = JAPANESE_SURNAMES.has(value) || SHORT_JAPANESE_SURNAMES.has(value) ? 1 : 0;
    const usual = (LAST_OF_GIVEN.has(text.charAt(end - 1)) ? 2 : 0) | known;
    rows[n++] = rowOf(base + 17, usual, form);
    rows[n++] = rowOf(base + 18, usual, kindOf(after));
  }
  return n;
}

/** Quantisation steps of a weight per unit of the logistic model. */
export const CANDIDATE_STEPS = 16;

const rows = new Int32Array(MAX_CANDIDATE_FEATURES);

/** Log-odds that this is a name, in quantisation steps. */
export function scoreOfCandidate(text: string, one: Candidate, weights: Int8Array): number {
  const count = featuresOfCandidate(text, one, rows);
  let sum = 0;
  for (let feature = 0; feature < count; feature++) sum += weights[rows[feature]!]!;
  return sum;
}
