import type { EntityType, ViolationCode } from '#schemas/vocabulary.ts';
import type { TermVisitor } from '../read/term-finder.ts';
import type { SourceText, TextSource } from '../read/texts.ts';
import type { Sentences } from './assertion-context.ts';
import type { LibraryCalls } from './library-calls.ts';

/** A match of a detector in one text. `start` and `end` count UTF-16 code units, end exclusive. */
export interface Candidate {
  readonly code: ViolationCode;
  /** The entity to redact; null for a match that is not a value, such as an attack's phrase. */
  readonly entity: EntityType | null;
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Cheap facts about a text, computed once, which let most detectors skip clean texts. */
export interface TextTraits {
  /** Number of ASCII digits. */
  readonly digits: number;
  readonly hasAt: boolean;
}

interface Named {
  readonly name: string;
  /** Incremented whenever the same text may give another result. */
  readonly version: number;
  /** The sources that it applies to; all by default. */
  readonly sources?: readonly TextSource[];
}

/** A detector that does its own search. */
export interface SearchDetector extends Named {
  /** False if the text cannot contain a match. Omitted if the search itself is as cheap. */
  readonly mayFind?: (traits: TextTraits) => boolean;
  /** The matches in text order. `calls`: the remaining library calls; a new allowance by default. */
  search(text: string, calls?: LibraryCalls): readonly Candidate[];
}

/** A detector that runs wherever one of its terms occurs. All term detectors share one pass over a text. */
export interface TermDetector extends Named {
  /** Lower-case ASCII, matched in any case. */
  readonly terms: readonly string[];
  /** If true, terms that start with a letter, digit or `_` are ignored inside words. */
  readonly atWordStart?: boolean;
  /**
   * Receives the spans of its terms in one text, ordered by end, and pushes its matches. `sentences`: the assertion
   * contexts of the text's sentences, computed once for all detectors.
   */
  visitor(
    text: string,
    push: (candidate: Candidate) => void,
    source: TextSource,
    sentences: Sentences,
  ): TermVisitor;
}

/** Detectors that read whole texts are expensive, so each is its own stage of detection. */
export const WHOLE_TEXT_STAGES = ['names-and-addresses', 'text-model', 'agent-loop'] as const;

/** A detector that needs the whole text, because its matches depend on more than one position. */
export interface WholeDetector extends Named {
  readonly name: (typeof WHOLE_TEXT_STAGES)[number];
  readonly mayFind?: (traits: TextTraits) => boolean;
  searchWhole(text: string, source: TextSource): readonly Candidate[];
}

/** A match in one of several texts. */
export interface Located extends Candidate {
  readonly source: TextSource;
}

/** A detector that compares the texts of an exchange, such as the prompt with the response. */
export interface ExchangeDetector extends Named {
  compare(texts: readonly SourceText[]): readonly Located[];
}

/** Each detector has its own file, with its tests next to it. It accepts any text and keeps no state between texts. */
export type Detector = SearchDetector | TermDetector | WholeDetector | ExchangeDetector;
