import { ALL_LOWER, ALL_UPPER, markActive, USUAL } from '../words/active.ts';
import { hashOfWord } from '../words/letters.ts';
import type { Tokens } from '../words/tokens.ts';
import {
  ALL_CAPS,
  ALPHANUMERIC,
  CAPITAL,
  CAPITALISED,
  LINE_END,
  LOWER,
  MARK,
  MIXED,
  NUMBER,
} from '../words/word-scan.ts';
import { type FrequentWords, guessLanguages } from './languages.ts';
import { type LetterWeights, likenessOf } from './letters-of-names.ts';

/** The data that the surroundings are read with. */
interface Guides {
  readonly languages: FrequentWords;
  readonly letters: LetterWeights;
}

/** The context of each token for its features: its line and the text before it. */
export interface Surroundings {
  /** Whether the token is worth tagging; no other token is part of a name or an address. */
  readonly isActive: Uint8Array;
  readonly lineCase: Uint8Array;
  /** How many of its line's lower-case words are known: few in languages that the lexicon lacks. */
  readonly familiarity: Uint8Array;
  /** Number of its line's language. */
  readonly language: Uint8Array;
  /** How name-like its letters are; 0 if it is not a word, not tagged, or in lower case next to capitals. */
  readonly likeness: Uint8Array;
  /** The word before the last colon or equals sign, as in "Name: Ann"; 0 if that is too far back. */
  readonly label: Int32Array;
  /** The nearest words before and after, ignoring marks; -1 if there is none. */
  readonly previousWord: Int32Array;
  readonly nextWord: Int32Array;
  /** Tokens before this one on its line. */
  readonly indexInLine: Int32Array;
  /** Numbers on the line before this token, and on the whole line: an address has few. */
  readonly numbersBefore: Uint8Array;
  readonly numbersInLine: Uint8Array;
}

/** Buffers for the surroundings of a text's tokens. */
export interface SurroundingsRoom extends Surroundings {
  /** Whether the token may be part of a name or an address by itself. */
  readonly isInteresting: Uint8Array;
}

const LABEL_REACH = 12;
const COLON = hashOfWord(':');
const EQUALS = hashOfWord('=');

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

const TOO_SHORT = 0;
export const FAMILIAR = 1;
const [PARTLY, FOREIGN] = [2, 3];

function familiarityOf({ shape, flags }: Tokens, from: number, until: number): number {
  let lower = 0;
  let known = 0;
  for (let token = from; token < until; token++) {
    if (shape[token] !== LOWER) continue;
    lower++;
    if (flags[token] !== 0) known++;
  }
  if (lower < 2) return TOO_SHORT;
  if (known >= 0.8 * lower) return FAMILIAR;
  return known >= 0.5 * lower ? PARTLY : FOREIGN;
}

/** Creates buffers for this many tokens. Entries beyond the current text's tokens belong to earlier texts. */
export function createSurroundings(tokens: number): SurroundingsRoom {
  return {
    isInteresting: new Uint8Array(tokens),
    isActive: new Uint8Array(tokens),
    lineCase: new Uint8Array(tokens),
    familiarity: new Uint8Array(tokens),
    language: new Uint8Array(tokens),
    likeness: new Uint8Array(tokens),
    label: new Int32Array(tokens),
    previousWord: new Int32Array(tokens),
    nextWord: new Int32Array(tokens),
    indexInLine: new Int32Array(tokens),
    numbersBefore: new Uint8Array(tokens),
    numbersInLine: new Uint8Array(tokens),
  };
}

/** Reads the case of each line, and how many numbers it has. */
function readLines(
  tokens: Tokens,
  { lineCase, familiarity, numbersBefore, numbersInLine }: Surroundings,
): void {
  const { count, shape } = tokens;
  for (let token = 0, lineStart = 0; token <= count; token++) {
    if (token < count && shape[token] !== LINE_END) continue;
    const lineEnd = Math.min(token + 1, count);
    lineCase.fill(caseOfLine(tokens, lineStart, token), lineStart, lineEnd);
    familiarity.fill(familiarityOf(tokens, lineStart, token), lineStart, lineEnd);
    let numbers = 0;
    for (let at = lineStart; at < lineEnd; at++) {
      numbersBefore[at] = Math.min(numbers, 15);
      if (shape[at] === NUMBER || shape[at] === ALPHANUMERIC) numbers++;
    }
    numbersInLine.fill(Math.min(numbers, 15), lineStart, lineEnd);
    lineStart = token + 1;
  }
}

function readLetters(
  { text, count, shape, start, end }: Tokens,
  letters: LetterWeights,
  room: Surroundings,
): void {
  const { isActive, lineCase, likeness } = room;
  for (let token = 0; token < count; token++) {
    const form = shape[token]!;
    const isRelevant =
      isActive[token] === 1 &&
      (form === LOWER ? lineCase[token] === ALL_LOWER : form <= MIXED && form !== CAPITAL);
    likeness[token] = isRelevant ? likenessOf(text, start[token]!, end[token]!, letters) : 0;
  }
}

/** Fills and returns `room`; null if no token is worth tagging, as in most texts without names. */
export function surroundingsOf(
  tokens: Tokens,
  { languages, letters }: Guides,
  room = createSurroundings(tokens.count),
): Surroundings | null {
  const { count, shape, hash } = tokens;
  readLines(tokens, room);
  if (!markActive(tokens, room.lineCase, room.isInteresting, room.isActive)) return null;
  guessLanguages(tokens, languages, room.language);
  readLetters(tokens, letters, room);
  const { label, previousWord, nextWord, indexInLine } = room;
  for (let token = 0, last = -1, word = 0, since = LABEL_REACH, index = 0; token < count; token++) {
    indexInLine[token] = index++;
    previousWord[token] = last;
    label[token] = since < LABEL_REACH ? word : 0;
    since++;
    if (shape[token] === LINE_END) {
      index = 0;
      if (since > 2) since = LABEL_REACH;
    } else if (isWord(shape[token]!)) {
      last = token;
    } else if ((hash[token] === COLON || hash[token] === EQUALS) && last !== -1) {
      word = hash[last]!;
      since = 0;
    }
  }
  for (let token = count - 1, next = -1; token >= 0; token--) {
    nextWord[token] = next;
    if (isWord(shape[token]!)) next = token;
  }
  return room;
}
