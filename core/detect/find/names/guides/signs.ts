import words from '../../lists/name-labels.json' with { type: 'json' };
import { hashOfWord } from '../words/letters.ts';
import { COMMON, CUE, GIVEN, PLACE, PROPER, SURNAME } from '../words/lexicon.ts';
import type { Tokens } from '../words/tokens.ts';
import { ALL_CAPS, CAPITALISED, LINE_END, LOWER, MARK } from '../words/word-scan.ts';
import type { Surroundings } from './surroundings.ts';

/** A tagged name or address. */
export interface NamedSpan {
  readonly entity: 'PERSON' | 'ADDRESS';
  readonly start: number;
  readonly end: number;
  /** How much its labels outscore all others, per token. */
  readonly margin: number;
  /** Further evidence for and against it, as bits. */
  readonly signs: number;
}

/**
 * Evidence for and against a match in addition to the tagger's margin, as bits. The likeness to a name follows them.
 */
export const ONE_WORD = 1;
export const BEGINS = 2;
export const AFTER_CUE = 4;
const KNOWN_GIVEN = 8;
const KNOWN_SURNAME = 16;
const ORDINARY = 32;
const OF_PLACE = 64;
const IN_CAPITALS = 128;
const IN_SMALL = 256;
const MANY_WORDS = 512;
export const BY_RULE = 1_024;
export const EAST_ASIAN = 2_048;
const LANGUAGE_KNOWN = 4_096;
const AFTER_LABEL = 8_192;
const BETWEEN_MARKS = 16_384;
const BITS = 15;
const LIKENESS_SHIFT = 15;

const CUE_REACH = 3;
/** Fields that contain a name. */
const NAME_LABELS: ReadonlySet<number> = new Set(words.nameLabels.map(hashOfWord));
const POINT = 46;

/** Whether the token starts a line or a sentence. */
function isStart({ text, shape, start }: Tokens, token: number): boolean {
  if (token === 0 || shape[token - 1] === LINE_END) return true;
  return shape[token - 1] === MARK && text.charCodeAt(start[token - 1]!) === POINT;
}

/** Whether the token is a mark or the end of a line. */
const isBorder = ({ text, count, shape, start }: Tokens, token: number): boolean =>
  token < 0 ||
  token >= count ||
  shape[token] === LINE_END ||
  (shape[token] === MARK && text.charCodeAt(start[token]!) !== POINT);

/** The signs of the match from token `first` to token `last`. */
export function signsOf(
  tokens: Tokens,
  { likeness, language, label }: Surroundings,
  first: number,
  last: number,
): number {
  const { shape, flags } = tokens;
  let [known, words, likenesses, counted] = [0, 0, 0, 0];
  let signs = language[first] === 0 ? 0 : LANGUAGE_KNOWN;
  let isMixed = false;
  for (let token = first; token <= last; token++) {
    if (shape[token] === MARK || shape[token] === LINE_END) continue;
    words++;
    known |= flags[token]!;
    if (likeness[token] !== 0) {
      likenesses += likeness[token]!;
      counted++;
    }
    if (shape[token] === ALL_CAPS) signs |= IN_CAPITALS;
    if (shape[token] === CAPITALISED) isMixed = true;
    if (shape[token] === LOWER) signs |= IN_SMALL;
  }
  // "ROE Jane" uses capitals on purpose; only a match entirely in capitals is ambiguous.
  if (isMixed) signs &= ~IN_CAPITALS;
  if (words === 1) signs |= ONE_WORD;
  if (words > 2) signs |= MANY_WORDS;
  if (isStart(tokens, first)) signs |= BEGINS;
  if (NAME_LABELS.has(label[first]!)) signs |= AFTER_LABEL;
  if (isBorder(tokens, first - 1) && isBorder(tokens, last + 1)) signs |= BETWEEN_MARKS;
  if ((known & GIVEN) !== 0) signs |= KNOWN_GIVEN;
  if ((known & SURNAME) !== 0) signs |= KNOWN_SURNAME;
  if ((known & COMMON) !== 0) signs |= ORDINARY;
  if ((known & (PLACE | PROPER)) !== 0) signs |= OF_PLACE;
  for (let token = Math.max(0, first - CUE_REACH); token < first; token++) {
    if ((flags[token]! & CUE) !== 0) signs |= AFTER_CUE;
  }
  return signs | (Math.round(counted === 0 ? 0 : likenesses / counted) << LIKENESS_SHIFT);
}

/** A single word needs one of these. */
const FOR_A_NAME = AFTER_CUE | KNOWN_GIVEN | KNOWN_SURNAME | BY_RULE | AFTER_LABEL;
const MIDDLE = 5;
const [MIN_MARGIN, MAX_MARGIN, PER_MARGIN] = [-1, 6, 100];
/**
 * Number of measures: the bits, the margin and the likeness (these two also for single words), pairs of bits, and a
 * constant.
 */
export const MEASURE_COUNT = BITS + 10;

/** Writes the measures that the weights apply to. */
export function measuresOf(signs: number, margin: number, values: Float64Array): void {
  for (let bit = 0; bit < BITS; bit++) values[bit] = (signs >>> bit) & 1;
  const strength = Math.max(MIN_MARGIN, Math.min(MAX_MARGIN, margin / PER_MARGIN));
  const level = signs >>> LIKENESS_SHIFT;
  const like = level === 0 ? 0 : level - MIDDLE;
  const isOne = signs & ONE_WORD;
  values[BITS] = strength;
  values[BITS + 1] = strength * isOne;
  values[BITS + 2] = like;
  values[BITS + 3] = like * isOne;
  values[BITS + 4] = (signs & EAST_ASIAN) === 0 ? 0 : strength;
  values[BITS + 5] = (signs & IN_CAPITALS) !== 0 && (signs & KNOWN_GIVEN) !== 0 ? 1 : 0;
  values[BITS + 6] = isOne !== 0 && (signs & KNOWN_GIVEN) !== 0 ? 1 : 0;
  values[BITS + 7] = (signs & IN_CAPITALS) === 0 ? 0 : like;
  values[BITS + 8] = (signs & (ONE_WORD | FOR_A_NAME)) === ONE_WORD ? 1 : 0;
  values[BITS + 9] = 1;
}
