import type { Refusal } from '#platform/flow/refusal.ts';
import type { Triplet } from '#schemas/api/audits.ts';
import type { SentJson } from './sent-json.ts';

export interface ReadTriplet {
  readonly triplet: Triplet;
  /** As sent, before unknown fields were dropped. */
  readonly sent: SentJson;
}

/** A triplet, or the error that is answered in its place. */
export type ReadItem = ReadTriplet | Refusal;
