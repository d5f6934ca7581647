import { featuresOf, MAX_FEATURES } from '#core/detect/find/names/features.ts';
import { forEachRun } from '#core/detect/find/names/find-names.ts';
import { type Surroundings, surroundingsOf } from '#core/detect/find/names/guides/surroundings.ts';
import {
  ADDRESS_BEGIN,
  ADDRESS_INSIDE,
  LABELS,
  ORGANIZATION,
  OTHER,
  PERSON_BEGIN,
  PERSON_INSIDE,
  PLACE_NAME,
} from '#core/detect/find/names/labels.ts';
import type { NameModel } from '#core/detect/find/names/model.ts';
import { COMMON, GIVEN, PLACE, PROPER, SURNAME } from '#core/detect/find/names/words/lexicon.ts';
import { type Tokens, tokenise } from '#core/detect/find/names/words/tokens.ts';
import { CAPITALISED } from '#core/detect/find/names/words/word-scan.ts';
import type { TaggedText, TagType } from './languages/tagged-text.ts';

/** A run of tokens to train on. */
export interface Run {
  readonly length: number;
  /** Feature rows of all tokens in sequence; token i has those from `ends[i - 1]` to `ends[i]`. */
  readonly features: Int32Array;
  readonly ends: Int32Array;
  /** Correct labels of each token, as bits. */
  readonly right: Uint8Array;
}

/** Possible labels of a token that is not part of a name or an address. */
export const NEITHER = (1 << OTHER) | (1 << ORGANIZATION) | (1 << PLACE_NAME);

/** A token about which nothing is known. */
const UNKNOWN = LABELS;
const ANY_LABEL = (1 << LABELS) - 1;

const LABELS_OF: Readonly<Record<TagType, readonly [begin: number, inside: number]>> = {
  PERSON: [PERSON_BEGIN, PERSON_INSIDE],
  ADDRESS: [ADDRESS_BEGIN, ADDRESS_INSIDE],
  ORGANIZATION: [ORGANIZATION, ORGANIZATION],
  PLACE: [PLACE_NAME, PLACE_NAME],
  UNKNOWN: [UNKNOWN, UNKNOWN],
};

/** The labels that a token may have, as bits. */
function rightLabels(label: number, isWeak: boolean): number {
  if (label === UNKNOWN) return ANY_LABEL;
  return isWeak && label === OTHER ? NEITHER : 1 << label;
}

function labelsOf({ count, start, end }: Tokens, { spans }: TaggedText): Uint8Array {
  const labels = new Uint8Array(count).fill(OTHER);
  for (const span of spans) {
    const [begin, inside] = LABELS_OF[span.type];
    let isFirst = true;
    for (let token = 0; token < count; token++) {
      if (end[token]! <= span.start || start[token]! >= span.end) continue;
      labels[token] = isFirst ? begin : inside;
      isFirst = false;
    }
  }
  return labels;
}

/** Whether the word may be a person, in a text whose persons are not labelled. */
function mayBePerson({ shape, flags }: Tokens, token: number): boolean {
  const known = flags[token]!;
  return (
    shape[token] === CAPITALISED &&
    (known & (GIVEN | SURNAME)) !== 0 &&
    (known & (COMMON | PROPER | PLACE)) === 0
  );
}

/** In some texts, hides from the tagger which words are known names, so that it learns to use the context. */
function forgetNames(tokens: Tokens, labels: Uint8Array): void {
  for (let token = 0; token < tokens.count; token++) {
    if (isOfPerson(labels[token]!)) tokens.flags[token]! &= ~(GIVEN | SURNAME);
  }
}

const isOfPerson = (label: number): boolean => label === PERSON_BEGIN || label === PERSON_INSIDE;

/** The resemblance of unknown names to names varies, because a constant would itself be a signal. */
const [MIN_LIKENESS, LEVELS] = [3, 5];

function forgetLetters({ likeness }: Surroundings, { hash }: Tokens, labels: Uint8Array): void {
  for (let token = 0; token < labels.length; token++) {
    if (isOfPerson(labels[token]!) && likeness[token] !== 0)
      likeness[token] = MIN_LIKENESS + ((hash[token]! >>> 8) % LEVELS);
  }
}

/** Data needed to read texts. */
export type Readers = Omit<NameModel, 'weights'>;

export function runsOf(one: TaggedText, readers: Readers, forget: boolean): readonly Run[] {
  const tokens = tokenise(one.text, 0, one.text.length, readers.lexicon);
  const labels = labelsOf(tokens, one);
  if (forget) forgetNames(tokens, labels);
  const surroundings = surroundingsOf(tokens, readers);
  if (surroundings === null) return [];
  if (forget) forgetLetters(surroundings, tokens, labels);
  const runs: Run[] = [];
  const rows = new Int32Array(MAX_FEATURES);
  forEachRun(surroundings.isActive, tokens.count, (from, until) => {
    if (one.isWeak && one.areLabelled !== true) {
      for (let token = from; token < until; token++) {
        if (labels[token] === OTHER && mayBePerson(tokens, token)) return;
      }
    }
    const features: number[] = [];
    const ends = new Int32Array(until - from);
    const right = Uint8Array.from(labels.subarray(from, until), (label) => rightLabels(label, one.isWeak));
    for (let token = from; token < until; token++) {
      const count = featuresOf(tokens, surroundings, token, rows);
      for (let feature = 0; feature < count; feature++) features.push(rows[feature]!);
      ends[token - from] = features.length;
    }
    runs.push({
      length: until - from,
      features: Int32Array.from(features),
      ends,
      right,
    });
  });
  return runs;
}
