import type { Refusal } from '#platform/flow/refusal.ts';
import type { Triplet } from '#schemas/api/audits.ts';
import type { SentJson } from './sent-json.ts';

export interface ReadTriplet {
  readonly triplet: Triplet;
  /** As sent, before unknown fields are dropped. */
  readonly sent: SentJson;
}

/** A triplet, or the error for its result. */
export type ReadItem = ReadTriplet | Refusal;
