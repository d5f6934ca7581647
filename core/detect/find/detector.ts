import type { EntityType, ViolationCode } from '#schemas/vocabulary.ts';
import type { TermVisitor } from '../read/term-finder.ts';
import type { SourceText, TextSource } from '../read/texts.ts';
import type { Sentences } from './assertion-context.ts';
import type { LibraryCalls } from './library-calls.ts';

/** A match of a detector in one text. `start` and `end` count UTF-16 code units, end exclusive. */
export interface Candidate {
  readonly code: ViolationCode;
  /** What is redacted there; null for a match that is not a value (a phrase of an attack). */
  readonly entity: EntityType | null;
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Cheap facts about a text, computed once, so that most detectors need not scan a clean text at all. */
export interface TextTraits {
  /** ASCII digits. */
  readonly digits: number;
  readonly hasAt: boolean;
}

interface Named {
  readonly name: string;
  /** Incremented when the same text may give another result. */
  readonly version: number;
  /** The sources that it applies to; all of them when left out. */
  readonly sources?: readonly TextSource[];
}

/** A detector that does its own search. */
export interface SearchDetector extends Named {
  /** False when the text cannot contain a match; left out when the search itself is as cheap. */
  readonly mayFind?: (traits: TextTraits) => boolean;
  /** The matches in the order of the text. `calls`: the remaining library calls; a fresh allowance when left out. */
  search(text: string, calls?: LibraryCalls): readonly Candidate[];
}

/** A detector that looks closer wherever one of its terms occurs. All of them share one pass over a text. */
export interface TermDetector extends Named {
  /** Lower-case ASCII, found in any case. */
  readonly terms: readonly string[];
  /** True: a term that begins with a letter, digit or `_` is not looked at inside a word. */
  readonly atWordStart?: boolean;
  /**
   * Receives the places of its terms in one text, ordered by end, and pushes its matches. `sentences`: the assertion
   * contexts of that text's sentences, computed once for all detectors.
   */
  visitor(
    text: string,
    push: (find: Candidate) => void,
    source: TextSource,
    sentences: Sentences,
  ): TermVisitor;
}

/** The detectors that read whole texts are dear: each is a stage of detection of its own. */
export const WHOLE_TEXT_STAGES = ['names-and-addresses', 'text-model', 'agent-loop'] as const;

/** A detector that needs a whole text at once, because what it looks for is not at a single place. */
export interface WholeDetector extends Named {
  readonly name: (typeof WHOLE_TEXT_STAGES)[number];
  readonly mayFind?: (traits: TextTraits) => boolean;
  searchWhole(text: string, source: TextSource): readonly Candidate[];
}

/** A match in one of several texts. */
export interface Located extends Candidate {
  readonly source: TextSource;
}

/** A detector that compares the texts of one exchange: what was asked, and what was answered. */
export interface ExchangeDetector extends Named {
  compare(texts: readonly SourceText[]): readonly Located[];
}

/**
 * One detector: one file with its cases beside it. It accepts any text and keeps nothing between texts.
 */
export type Detector = SearchDetector | TermDetector | WholeDetector | ExchangeDetector;
