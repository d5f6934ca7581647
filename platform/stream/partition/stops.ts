import type { PartitionFault } from '#platform/event-log/partition-fault.ts';
import type { StopKind } from '#schemas/vocabulary.ts';
/** Where a stream records its stopped partitions, and reads operators' decisions about them. */
export interface StopNotes {
  /** Called repeatedly while the partition is stopped: a note that is not renewed is out of date. */
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
  /** For a hole: the first record after it. */
  readonly untilOffset: number | null;
  /** What happened and what to do. */
  readonly message: string;
  /** Unix ms. */
  readonly since: number;
}
