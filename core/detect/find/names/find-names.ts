import words from '../lists/names-context.json' with { type: 'json' };
import { isMonthAndName } from './calendar.ts';
import { isEastAsian } from './east-asian/find.ts';
import { eastAsianNames } from './east-asian-in-tokens.ts';
import { featuresOf, MAX_FEATURES } from './features.ts';
import { AFTER_CUE, BY_RULE, type NamedSpan, signsOf } from './guides/signs.ts';
import {
  createSurroundings,
  FAMILIAR,
  type Surroundings,
  type SurroundingsRoom,
  surroundingsOf,
} from './guides/surroundings.ts';
import { ADDRESS_BEGIN, ADDRESS_INSIDE, LABELS, OTHER, PERSON_BEGIN, PERSON_INSIDE } from './labels.ts';
import type { NameModel } from './model.ts';
import { addScores, bestLabels, createWays } from './tagger.ts';
import { afterTitles, forEachTitled } from './titles.ts';
import { ALL_LOWER } from './words/active.ts';
import { hashOfWord } from './words/letters.ts';
import { COMMON, CUE, GIVEN, PROPER } from './words/lexicon.ts';
import { createTokenRoom, isMark, type TokenRoom, type Tokens, tokenise } from './words/tokens.ts';
import { ALPHANUMERIC, CAPITALISED, LOWER, NUMBER } from './words/word-scan.ts';

/** Calls `take` with each run of tokens worth tagging among the first `count`. */
export function forEachRun(
  isActive: Uint8Array,
  count: number,
  take: (from: number, until: number) => void,
): void {
  for (let from = 0; from < count; ) {
    if (isActive[from] === 0) {
      from++;
      continue;
    }
    let until = from + 1;
    while (until < count && isActive[until] === 1) until++;
    take(from, until);
    from = until;
  }
}

/** By how much a token's two labels of one kind outscore all other labels. */
function marginOf(scores: Float64Array, at: number, begin: number, inside: number): number {
  let best = -Infinity;
  for (let label = OTHER; label < LABELS; label++) {
    if (label !== begin && label !== inside) best = Math.max(best, scores[at + label]!);
  }
  return Math.max(scores[at + begin]!, scores[at + inside]!) - best;
}

function spansOfRun(
  tokens: Tokens,
  surroundings: Surroundings,
  from: number,
  labels: Uint8Array,
  length: number,
  scores: Float64Array,
  push: (span: NamedSpan) => void,
): void {
  for (let index = 0; index < length; ) {
    const begin = labels[index]!;
    if (begin !== PERSON_BEGIN && begin !== ADDRESS_BEGIN) {
      index++;
      continue;
    }
    const inside = begin === PERSON_BEGIN ? PERSON_INSIDE : ADDRESS_INSIDE;
    let margin = 0;
    let until = index;
    do {
      margin += marginOf(scores, until * LABELS, begin, inside);
      until++;
    } while (until < length && labels[until] === inside);
    let last = until - 1;
    const count = until - index;
    while (last > index && isMark(tokens, from + last) && !isKeptMark(tokens, from + last)) last--;
    const isDoubtful =
      isUnknownInSmall(tokens, surroundings, from + index, from + last) &&
      (margin < count * SURE || !isAfterCue(tokens, from + index));
    if (begin === PERSON_BEGIN && (isDoubtful || hasNumber(tokens, from + index, from + last))) {
      index = until;
      continue;
    }
    const first =
      begin === PERSON_BEGIN
        ? withMonth(tokens, afterTitles(tokens, from + index, from + last))
        : from + index;
    push({
      entity: begin === PERSON_BEGIN ? 'PERSON' : 'ADDRESS',
      start: tokens.start[first]!,
      end: tokens.end[from + last]!,
      margin: margin / count,
      signs: signsOf(tokens, surroundings, first, from + last),
    });
    index = until;
  }
}

/** Minimum margin per token of lower-case words that are not known given names, after a cue for a name. */
const SURE = 250;
const CUE_REACH = 3;

/**
 * Words such as "falcon" in a text without capitals: only the context could make them a name. Given names of one
 * language are ordinary words in another, so they do not count in a line that has both capitals and unknown words.
 */
function isUnknownInSmall(
  { shape, flags }: Tokens,
  { lineCase, familiarity }: Surroundings,
  first: number,
  last: number,
): boolean {
  const areGivenNames = lineCase[first] === ALL_LOWER || familiarity[first]! <= FAMILIAR;
  for (let token = first; token <= last; token++) {
    if (shape[token] !== LOWER || (areGivenNames && (flags[token]! & GIVEN) !== 0)) return false;
  }
  return true;
}

/** Whether a cue for a name precedes shortly before: "My name is", "contact:". */
function isAfterCue({ flags }: Tokens, first: number): boolean {
  for (let token = Math.max(0, first - CUE_REACH); token < first; token++) {
    if ((flags[token]! & CUE) !== 0) return true;
  }
  return false;
}

/** A span with a number is never a name. */
function hasNumber({ shape }: Tokens, first: number, last: number): boolean {
  for (let token = first; token <= last; token++) {
    if (shape[token] === NUMBER || shape[token] === ALPHANUMERIC) return true;
  }
  return false;
}

/** Words that a month, not a name, follows: "in May". */
const BEFORE_MONTHS = new Set(words.beforeMonths.map(hashOfWord));

/** Extends "May Chen" to its May, a month that is also a given name. */
function withMonth({ text, start, end, shape, hash, flags }: Tokens, first: number): number {
  const before = first - 1;
  if (before < 0 || shape[before] !== CAPITALISED || start[first] !== end[before]! + 1) return first;
  const both = GIVEN | PROPER;
  if ((flags[before]! & both) !== both || text.charAt(end[before]!) !== ' ') return first;
  if (!isMonthAndName(text.slice(start[before], end[before]))) return first;
  const earlier = before - 1;
  const isMonth = earlier >= 0 && (BEFORE_MONTHS.has(hash[earlier]!) || shape[earlier] === NUMBER);
  return isMonth ? first : before;
}

/** The full stop of "Jr." or "St.", and a closing bracket, belong to the word before them. */
function isKeptMark({ text, start }: Tokens, token: number): boolean {
  const unit = text.charCodeAt(start[token]!);
  return unit === 46 || unit === 41;
}

/** Numbers count as part of an address only within this distance of a part with words. */
const NEAR = 64;

/** Whether the span has a real word, not only a label or a unit: "SSN 900-12-3456", "10am, H2O". */
const hasWord = (text: string, { start, end }: NamedSpan): boolean =>
  /(?<![\p{L}\d])(?:\p{Lu}?\p{Ll}{2}|\p{Lu}{4})|\p{Lo}/u.test(text.slice(start, end));

/** Drops isolated numbers that were tagged as addresses: parts of a phone number, a year. */
function withoutLoneNumbers(text: string, spans: readonly NamedSpan[]): readonly NamedSpan[] {
  const worded = spans.map((span) => span.entity === 'ADDRESS' && hasWord(text, span));
  return spans.filter((span, at) => {
    if (span.entity === 'PERSON' || worded[at]) return true;
    const isNear = (other: number): boolean =>
      worded[other] === true &&
      spans[other]!.start - span.end <= NEAR &&
      span.start - spans[other]!.end <= NEAR;
    return isNear(at - 1) || isNear(at - 2) || isNear(at + 1) || isNear(at + 2);
  });
}

/** The margin of a name recognised only by its title. */
const TITLED = 150;

/** Adds the names after titles that were not tagged. */
function addTitled(tokens: Tokens, surroundings: Surroundings, spans: NamedSpan[]): void {
  const tagged = spans.length;
  let next = 0;
  forEachTitled(tokens, surroundings, (first, last) => {
    const [start, end] = [tokens.start[first]!, tokens.end[last]!];
    while (next < tagged && spans[next]!.end <= start) next++;
    const signs = signsOf(tokens, surroundings, first, last) | BY_RULE | AFTER_CUE;
    const known = next < tagged && spans[next]!.start < end ? spans[next]! : null;
    if (known !== null) {
      if (known.entity === 'PERSON' && known.margin < TITLED)
        spans[next] = { ...known, margin: TITLED, signs };
      return;
    }
    spans.push({ entity: 'PERSON', start, end, margin: TITLED, signs });
  });
}

/** Ordinary lower-case words in a line with capitals, as after "tell me": neither a name nor an address. */
function isOrdinary(
  { shape, flags }: Tokens,
  { lineCase }: Surroundings,
  first: number,
  end: number,
): boolean {
  if (lineCase[first] === ALL_LOWER) return false;
  for (let token = first; token < end; token++) {
    if (shape[token] !== LOWER || (flags[token]! & (COMMON | GIVEN)) !== COMMON) return false;
  }
  return true;
}

/** Buffers for tagging one run of tokens. */
interface RunRoom {
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  readonly ways: ReturnType<typeof createWays>;
}

const createRunRoom = (tokens: number): RunRoom => ({
  scores: new Float64Array(tokens * LABELS),
  labels: new Uint8Array(tokens),
  ways: createWays(tokens),
});

/** Buffers for a piece of text. */
interface NameRoom {
  readonly tokens: TokenRoom;
  readonly surroundings: SurroundingsRoom;
}

/** Creates buffers for a piece of up to this many code units. */
export const createNameRoom = (units: number): NameRoom => ({
  tokens: createTokenRoom(units),
  surroundings: createSurroundings(units + 1),
});

/** Runs are tagged one after the other. Nearly all fit into a shared buffer of this size, which avoids allocations. */
const USUAL_RUN = 256;
const USUAL_ROOM = createRunRoom(USUAL_RUN);
const rows = new Int32Array(MAX_FEATURES);

/**
 * Finds names of people and postal addresses in `text` from `from` to `until`, which should not cut one. `room`:
 * buffers for this many code units, reused for the next piece.
 */
export function findNames(
  text: string,
  from: number,
  until: number,
  model: NameModel,
  push: (span: NamedSpan) => void,
  room?: NameRoom,
): void {
  const { lexicon, weights } = model;
  const tokens = tokenise(text, from, until, lexicon, room?.tokens);
  const others = eastAsianNames(tokens, model.eastAsian, push);
  const surroundings = surroundingsOf(tokens, model, room?.surroundings);
  if (surroundings === null) return;
  const spans: NamedSpan[] = [];
  forEachRun(surroundings.isActive, tokens.count, (first, end) => {
    if (isOrdinary(tokens, surroundings, first, end)) return;
    const { scores, labels, ways } = end - first <= USUAL_RUN ? USUAL_ROOM : createRunRoom(end - first);
    for (let token = first; token < end; token++) {
      const count = featuresOf(tokens, surroundings, token, rows);
      addScores(weights, rows, count, scores, (token - first) * LABELS);
    }
    bestLabels(scores, end - first, weights.transitions, ways, labels);
    spansOfRun(tokens, surroundings, first, labels, end - first, scores, (span) => spans.push(span));
  });
  addTitled(tokens, surroundings, spans);
  for (const span of withoutLoneNumbers(text, spans)) if (!isInEastAsian(text, span, others)) push(span);
}

/** Longer words in these scripts are sentences. */
const LONGEST_EAST_ASIAN = 5;

/**
 * Whether to drop a tagged span: the tagger reads a sentence without blanks as one word, or the name was already found.
 */
function isInEastAsian(text: string, { entity, start, end }: NamedSpan, words: ReadonlySet<number>): boolean {
  if (entity !== 'PERSON' || !isEastAsian(text.charCodeAt(start))) return false;
  return end - start > LONGEST_EAST_ASIAN || words.has(start);
}
