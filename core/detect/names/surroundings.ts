import { COMMON, CUE, GIVEN, PARTICLE, PLACE, STREET, SURNAME } from './lexicon.ts';
import { hashOfWord } from './letters.ts';
import {
  ALL_CAPS,
  ALPHANUMERIC,
  BLOB,
  CAPITAL,
  CAPITALISED,
  LINE_END,
  LOWER,
  MARK,
  MIXED,
  NUMBER,
  type Tokens,
} from './tokens.ts';

/** How a line is written; in a line without capitals a small letter says nothing. */
export const USUAL = 0;
export const ALL_LOWER = 1;
export const ALL_UPPER = 2;

/** What the features of a token need to know of its line and of the text before it. */
export interface Surroundings {
  /** Worth looking at: all others are part of no name and no address. */
  readonly isActive: Uint8Array;
  readonly lineCase: Uint8Array;
  /** The word before the last colon or equals sign, as in "Name: Ann"; 0 when that is long ago. */
  readonly label: Int32Array;
  /** The nearest words before and behind, marks left out; -1 when there is none. */
  readonly wordBefore: Int32Array;
  readonly wordBehind: Int32Array;
  /** Tokens before this one on its line. */
  readonly placeInLine: Int32Array;
  /** Numbers on the line before this token, and on the line as a whole: an address has few. */
  readonly numbersBefore: Uint8Array;
  readonly numbersInLine: Uint8Array;
}

const POINT = 46;
const LABEL_REACH = 12;
const COLON = hashOfWord(':');
const EQUALS = hashOfWord('=');
/** Words behind a cue ("my name is", "dear") that are looked at whatever they are. */
const CUE_REACH = 3;

const isWord = (shape: number): boolean => shape !== MARK && shape !== LINE_END;

function caseOfLine(tokens: Tokens, from: number, until: number): number {
  let lower = 0;
  let caps = 0;
  let others = 0;
  for (let token = from; token < until; token++) {
    const shape = tokens.shape[token]!;
    if (shape === LOWER) lower++;
    else if (shape === ALL_CAPS || shape === CAPITAL) caps++;
    else if (shape === CAPITALISED || shape === MIXED) others++;
  }
  if (caps + others === 0) return lower > 1 ? ALL_LOWER : USUAL;
  return caps >= 3 && caps > 2 * (lower + others) ? ALL_UPPER : USUAL;
}

function isInteresting(tokens: Tokens, token: number, lineCase: number): boolean {
  const shape = tokens.shape[token]!;
  const flags = tokens.flags[token]!;
  if (shape === CAPITALISED || shape === ALL_CAPS || shape === MIXED) {
    return (flags & COMMON) === 0 || (flags & (GIVEN | SURNAME | PLACE | STREET)) !== 0;
  }
  if (shape === NUMBER || shape === ALPHANUMERIC) return true;
  if (shape === CAPITAL) return tokens.text.charCodeAt(tokens.end[token]!) === POINT || (flags & COMMON) === 0;
  if (shape !== LOWER || (flags & COMMON) !== 0) return false;
  // Where all is small, a word that nobody knows may be a name.
  if (flags === 0) return lineCase === ALL_LOWER && tokens.end[token]! - tokens.start[token]! > 2;
  return (flags & (GIVEN | SURNAME | PLACE | STREET)) !== 0;
}

function markActive(tokens: Tokens, lineCase: Uint8Array, isActive: Uint8Array): void {
  const { count, flags, shape } = tokens;
  let behindCue = 0;
  let passing = false;
  for (let token = 0; token < count; token++) {
    const interesting = isInteresting(tokens, token, lineCase[token]!);
    if (interesting || behindCue > 0 || passing) isActive[token] = 1;
    if (interesting && token > 0) isActive[token - 1] = 1;
    if (behindCue > 0 && isWord(shape[token]!)) behindCue--;
    if ((flags[token]! & CUE) !== 0) behindCue = CUE_REACH;
    passing = interesting || (isActive[token] === 1 && (flags[token]! & PARTICLE) !== 0);
    if (shape[token] === LINE_END) passing = interesting;
    // Behind a mark or a line end next to something active, an address may go on.
    else if (shape[token] === MARK && token > 0 && isActive[token - 1] === 1) isActive[token] = 1;
  }
  for (let token = 0; token < count; token++) if (shape[token] === BLOB) isActive[token] = 0;
}

export function surroundingsOf(tokens: Tokens): Surroundings {
  const { count, shape, hash } = tokens;
  const isActive = new Uint8Array(count);
  const lineCase = new Uint8Array(count);
  const label = new Int32Array(count);
  const wordBefore = new Int32Array(count);
  const wordBehind = new Int32Array(count);
  const placeInLine = new Int32Array(count);
  const numbersBefore = new Uint8Array(count);
  const numbersInLine = new Uint8Array(count);
  for (let token = 0, lineStart = 0; token <= count; token++) {
    if (token < count && shape[token] !== LINE_END) continue;
    const lineEnd = Math.min(token + 1, count);
    lineCase.fill(caseOfLine(tokens, lineStart, token), lineStart, lineEnd);
    let numbers = 0;
    for (let at = lineStart; at < lineEnd; at++) {
      numbersBefore[at] = Math.min(numbers, 15);
      if (shape[at] === NUMBER || shape[at] === ALPHANUMERIC) numbers++;
    }
    numbersInLine.fill(Math.min(numbers, 15), lineStart, lineEnd);
    lineStart = token + 1;
  }
  markActive(tokens, lineCase, isActive);
  for (let token = 0, last = -1, word = 0, since = LABEL_REACH, place = 0; token < count; token++) {
    placeInLine[token] = place++;
    wordBefore[token] = last;
    label[token] = since < LABEL_REACH ? word : 0;
    since++;
    if (shape[token] === LINE_END) {
      place = 0;
      if (since > 2) since = LABEL_REACH;
    } else if (isWord(shape[token]!)) {
      last = token;
    } else if ((hash[token] === COLON || hash[token] === EQUALS) && last !== -1) {
      word = hash[last]!;
      since = 0;
    }
  }
  for (let token = count - 1, next = -1; token >= 0; token--) {
    wordBehind[token] = next;
    if (isWord(shape[token]!)) next = token;
  }
  return { isActive, lineCase, label, wordBefore, wordBehind, placeInLine, numbersBefore, numbersInLine };
}
