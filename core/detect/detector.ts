import type { EntityType, ViolationCode } from '../../schemas/vocabulary.ts';

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
  readonly digits: number;
  readonly hasAt: boolean;
}

/**
 * One detector: one file with its cases beside it. `find` takes any text, costs time in proportion to its
 * length, keeps nothing between calls, and gives the same answer for the same text. `version` grows when
 * the same text may give another answer.
 */
export interface Detector {
  readonly name: string;
  readonly version: number;
  /** False when the text cannot hold a find; leave it out when `find` itself is as cheap. */
  readonly mayFind?: (traits: TextTraits) => boolean;
  find(text: string): Candidate[];
}

/** The facts for `mayFind`; `digits` counts ASCII digits. */
export function traitsOf(text: string): TextTraits {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 48 && unit <= 57) digits++;
  }
  return { digits, hasAt: text.includes('@') };
}
