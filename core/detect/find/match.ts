import type { EntityType, ViolationCode } from '#schemas/vocabulary.ts';
import type { TextSource } from '../read/texts.ts';
/** One finding. It says where the value is, never what it is. */
export interface Match {
  readonly code: ViolationCode;
  /** What is redacted at the span; null for a phrase of an attack, which is marked but not redacted. */
  readonly entity: EntityType | null;
  readonly detector: string;
  readonly version: number;
  readonly source: TextSource;
  /** UTF-16 code units of that source's text, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Custom rules only: the rule's index in the sandbox's list. */
  readonly ruleIndex?: number;
  /** Numbers of JSON only: the quotes that make a string of what replaces the number. */
  readonly quote?: string;
}
