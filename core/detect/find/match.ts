import type { EntityType, ViolationCode } from '#schemas/vocabulary.ts';
import type { TextSource } from '../read/texts.ts';
/** A match records the location of a value, never the value. */
export interface Match {
  readonly code: ViolationCode;
  /** The entity to redact in this span; null for an attack's phrase, which is marked but not redacted. */
  readonly entity: EntityType | null;
  readonly detector: string;
  readonly version: number;
  readonly source: TextSource;
  /** UTF-16 code units in that source's text, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** The rule's index in the sandbox's list; custom rules only. */
  readonly ruleIndex?: number;
  /** The quotes that turn the replacement of a JSON number into a string; JSON numbers only. */
  readonly quote?: string;
}
