import type { StopKind } from '../../schemas/vocabulary.ts';

export interface FaultPlace {
  readonly topic: string;
  readonly partition: number;
  /** Record at fault, or the first one that is missing; null: no single one is. */
  readonly offset: number | null;
  /** Of a hole: the first offset behind it that is there; null: none is. */
  readonly untilOffset?: number | null;
}

/**
 * One partition cannot go on, and no record of it may be skipped. The others are not concerned: the consumer loop stops
 * this partition alone and looks again from time to time. The message says what to do and quotes nothing of a record.
 */
export abstract class PartitionFault extends Error {
  readonly kind: StopKind;
  /** More exactly why, in capitals. */
  readonly reason: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number | null;
  readonly untilOffset: number | null;
  constructor(kind: StopKind, reason: string, place: FaultPlace, message: string) {
    super(message);
    this.kind = kind;
    this.reason = reason;
    this.topic = place.topic;
    this.partition = place.partition;
    this.offset = place.offset;
    this.untilOffset = place.untilOffset ?? null;
  }
}
