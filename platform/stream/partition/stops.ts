import type { PartitionFault } from '#platform/event-log/partition-fault.ts';
import type { StopKind } from '#schemas/vocabulary.ts';
/** Where a stream records its stopped partitions, and reads operators' decisions about them. */
export interface StopNotes {
  /** Call repeatedly while the partition is stopped; a note that is not refreshed is outdated. */
  note(stop: PartitionStop): Promise<void>;
  forget(topic: string, partition: number): Promise<void>;
  /** Whether the loss of the records that stop the partition was accepted. */
  decided(fault: PartitionFault): Promise<boolean>;
}

/** A stopped partition. No field ever quotes a record. */
export interface PartitionStop {
  readonly topic: string;
  readonly partition: number;
  readonly kind: StopKind;
  readonly reason: string;
  readonly offset: number | null;
  /** For missing records: the first record after them. */
  readonly untilOffset: number | null;
  /** What happened and what to do. */
  readonly message: string;
  /** Unix ms. */
  readonly since: number;
}
