import type { EntityType, ViolationCode } from '../../schemas/vocabulary.ts';
import { isDigit } from './characters.ts';
import type { Sentences } from './framing.ts';
import type { TermVisitor } from './term-finder.ts';
import type { SourceText, TextSource } from './texts.ts';

/** What a detector found in one text. `start` and `end` count UTF-16 code units, end exclusive. */
export interface Candidate {
  readonly code: ViolationCode;
  /** What is redacted there; null for a find that is not a value (a phrase of an attack). */
  readonly entity: EntityType | null;
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Cheap facts about a text, gathered once, so that most detectors need not look at a clean text at all. */
export interface TextTraits {
  /** ASCII digits; counted up to `ENOUGH_DIGITS`. */
  readonly digits: number;
  readonly hasAt: boolean;
}

/** More digits than any detector asks for. */
const ENOUGH_DIGITS = 16;

/** How far before the place that a search has come to a find may still begin. */
export const REACH_BACK = 128;

/**
 * A search through one text, in pieces: each call goes on to `until`, which grows, and returns what was found on the
 * way. It may look at the whole text, but what a call costs is in proportion to how far it goes.
 */
export type Search = (until: number) => Candidate[];

interface Named {
  readonly name: string;
  /** Grows when the same text may give another answer. */
  readonly version: number;
  /** The texts that it is meant for; all of them when left out. */
  readonly sources?: readonly TextSource[];
}

/** A detector that searches by itself. */
export interface SearchDetector extends Named {
  /** False when the text cannot hold a find; leave it out when a search itself is as cheap. */
  readonly mayFind?: (traits: TextTraits) => boolean;
  search(text: string): Search;
}

/** A detector that looks closer wherever one of its terms stands. All of them share one pass over a text. */
export interface TermDetector extends Named {
  /** Lower-case ASCII, found in any case. */
  readonly terms: readonly string[];
  /**
   * Gets the places of its terms in one text, ordered by end, and hands over what it finds there. `sentences`: how that
   * text's sentences mean what stands in them, known once for all detectors.
   */
  visitor(
    text: string,
    push: (find: Candidate) => void,
    source: TextSource,
    sentences: Sentences,
  ): TermVisitor;
}

/** A detector that needs a whole text at once, because what it looks for has no place of its own. Gives way by itself. */
export interface WholeDetector extends Named {
  readonly mayFind?: (traits: TextTraits) => boolean;
  searchInSteps(text: string, source: TextSource): Generator<void, readonly Candidate[]>;
}

/** A find in one of several texts. */
export interface Placed extends Candidate {
  readonly source: TextSource;
}

/** A detector that weighs the texts of one exchange against each other: what was asked, and what came back. */
export interface ExchangeDetector extends Named {
  compareInSteps(texts: readonly SourceText[]): Generator<void, readonly Placed[]>;
}

/**
 * One detector: one file with its cases beside it. It takes any text and keeps nothing between texts. However a search
 * is cut into pieces, it finds the same.
 */
export type Detector = SearchDetector | TermDetector | WholeDetector | ExchangeDetector;

/** A search out of a walk that hands over each find as it comes to it. */
export function collecting(begin: (push: (find: Candidate) => void) => (until: number) => void): Search {
  let found: Candidate[] = [];
  const walk = begin((find) => found.push(find));
  return (until) => {
    found = [];
    walk(until);
    return found;
  };
}

/** Units looked at between two yields. */
const STRETCH = 65_536;

/** The facts for `mayFind`. */
export function* traitsInSteps(text: string): Generator<void, TextTraits> {
  let digits = 0;
  for (let i = 0; i < text.length && digits < ENOUGH_DIGITS; i++) {
    if (isDigit(text.charCodeAt(i))) digits++;
    if (i % STRETCH === STRETCH - 1) yield;
  }
  return { digits, hasAt: text.includes('@') };
}
