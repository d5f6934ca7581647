import type { StopKind } from '#schemas/vocabulary.ts';

interface FaultPosition {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the record at fault, or of the first missing one; null when no single record is at fault. */
  readonly offset: number | null;
  /** For missing records: the first offset that exists after them; null for none. */
  readonly untilOffset?: number | null;
}

/**
 * One partition cannot continue, and none of its records may be skipped. Other partitions are not affected: the
 * consumer loop stops only this one and retries it periodically. The message says what to do and quotes nothing from a
 * record.
 */
export abstract class PartitionFault extends Error {
  readonly kind: StopKind;
  /** The exact reason, as a code in capitals. */
  readonly reason: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number | null;
  readonly untilOffset: number | null;
  constructor(kind: StopKind, reason: string, position: FaultPosition, message: string) {
    super(message);
    this.kind = kind;
    this.reason = reason;
    this.topic = position.topic;
    this.partition = position.partition;
    this.offset = position.offset;
    this.untilOffset = position.untilOffset ?? null;
  }
}
