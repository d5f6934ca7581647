import type { StopKind } from '#schemas/vocabulary.ts';

interface FaultPlace {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the record at fault, or of the first missing one; null when it is no single record. */
  readonly offset: number | null;
  /** For a hole: the first offset that exists after it; null when none does. */
  readonly untilOffset?: number | null;
}

/**
 * One partition cannot continue, and none of its records may be skipped. Others are not affected: the consumer loop
 * stops only this partition and retries it periodically. The message says what to do and quotes nothing of a record.
 */
export abstract class PartitionFault extends Error {
  readonly kind: StopKind;
  /** The exact reason, as a code in capitals. */
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
