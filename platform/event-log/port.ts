import { ServiceError } from '#platform/flow/service-error.ts';
import { PartitionFault } from './partition-fault.ts';

/**
 * The event log: an append-only, partitioned, durable log with consumer groups, modelled on Kafka (assignment, stale
 * batches, gaps in offsets) so that the embedded and the Kafka adapter share one contract (`contract.ts`). Offsets are
 * safe integers, times are Unix milliseconds.
 */

export interface LogRecord {
  readonly topic: string;
  /** Determines the partition: murmur2 of its UTF-8 bytes, as the Java client does. */
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StoredRecord extends LogRecord {
  readonly partition: number;
  readonly offset: number;
  /** When the log stored the record, Unix ms. */
  readonly timestamp: number;
}

export interface Appended {
  readonly partition: number;
  readonly offset: number;
  readonly timestamp: number;
}

/**
 * The failed append of one record. `certain` is true only when the record is certainly not in the log and never will
 * be; after a time-out it is false, because the record may have been stored.
 */
export class AppendFailure extends ServiceError {
  readonly certain: boolean;
  constructor(message: string, certain: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppendFailure';
    this.certain = certain;
  }
}

/** Rejection of `append` when at least one record failed, with an outcome per record in the order of the call. */
export class AppendError extends ServiceError {
  readonly outcomes: readonly (Appended | AppendFailure)[];
  constructor(message: string, outcomes: readonly (Appended | AppendFailure)[], options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppendError';
    this.outcomes = outcomes;
  }
}

/** The log holds too many unwritten bytes; the caller answers 503 with Retry-After. Nothing was stored. */
export class LogOverloaded extends AppendFailure {
  constructor(message = 'the event log takes no more records for now') {
    super(message, true);
    this.name = 'LogOverloaded';
  }
}

/**
 * There is no space for clients' records (`isIntake`) until processed ones are deleted or an operator makes room. All
 * other records are still accepted, because only processing accepted records makes room. Nothing was stored.
 */
export class LogFull extends LogOverloaded {
  constructor(message: string) {
    super(message);
    this.name = 'LogFull';
  }
}

/** Clients' records would not be processed in this partition until it resumes. Nothing was stored. */
export class PartitionStopped extends AppendFailure {
  constructor(topic: string, partition: number) {
    super(`${topic}/${partition} is stopped and accepts no records`, true);
    this.name = 'PartitionStopped';
  }
}

/** The log cannot be reached now. Retry: nothing was lost, and no record is at fault. */
export class LogUnavailable extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super(`the event log cannot be reached: ${message}`, options);
    this.name = 'LogUnavailable';
  }
}

export interface PartitionBounds {
  /** First offset that still exists; equals `end` when the partition is empty. */
  readonly start: number;
  /** Lowest offset that the next record may get. */
  readonly end: number;
}

export interface Assignment extends PartitionBounds {
  readonly topic: string;
  readonly partition: number;
  /** Next offset that the group committed; null when it never did. */
  readonly committed: number | null;
}

export interface Batch {
  readonly topic: string;
  readonly partition: number;
  /** In offset order, at least one; offsets may have gaps. */
  readonly records: readonly StoredRecord[];
  /** Next offset after the batch; commit this when all of it is done. */
  readonly nextOffset: number;
  /** End of the partition when the batch was read (for lag). */
  readonly end: number;
}

export interface ConsumerHandlers {
  /**
   * Called before the first batch of a newly owned partition. May return the offset to start at; the default is the
   * committed one, and without one the earliest record. Throwing stops the consumer (`onStopped`). `signal` fires when
   * the partition is lost before this call has ended.
   *
   * When an assignment ends, a consumer is assigned the same partition again only after its handler has settled and
   * `onRevoked` has run, however long that takes. Another consumer waits no longer than the log's revocation time-out,
   * as it would for a paused process; other partitions do not wait.
   */
  onAssigned?(assignment: Assignment, signal: AbortSignal): Promise<number | undefined> | number | undefined;
  /**
   * Sequential within a partition, concurrent across partitions. `signal` fires when the partition is lost: stop
   * working on the batch, because its commit would be refused. A handler that throws stops the consumer; it never
   * skips.
   */
  onBatch(batch: Batch, signal: AbortSignal): Promise<void>;
  /**
   * The records expected next are not in the log. Resolves with the offset to read next; the same offset reads the log
   * again. `signal` fires when the partition is lost. Other partitions continue meanwhile. Without this handler,
   * missing records stop the consumer.
   */
  onGap?(gap: LogGap, signal: AbortSignal): Promise<number>;
  /** The partition is lost. Called after the batch in flight has ended. */
  onRevoked?(topic: string, partition: number): Promise<void> | void;
  /**
   * The consumer stopped by itself: a handler threw, or records are missing and there is no handler for that. Not
   * called by `stop()`.
   */
  onStopped?(error: Error): void;
}

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** Maximum number of records per batch (default 500). */
  readonly maxRecords?: number;
  /**
   * Interval between reads under load, ms (a hint; default 5): fewer, larger batches, because each costs about the
   * same. A record that arrives after a pause is not delayed.
   */
  readonly gatherMs?: number;
  readonly handlers: ConsumerHandlers;
}

export interface Consumer {
  /**
   * Marks everything below `nextOffset` as done. Rejects with `StalePartition` when this consumer no longer owns the
   * partition, and with `LogUnavailable` when the offset could not be stored now and may be retried.
   */
  commit(topic: string, partition: number, nextOffset: number): Promise<void>;
  /** Delivers no further batch of the partition until `resume`; idempotent. */
  pause(topic: string, partition: number): void;
  resume(topic: string, partition: number): void;
  /** The next batch of the partition starts at `offset`. Call from `onBatch` or while paused. */
  seek(topic: string, partition: number, offset: number): void;
  /** True while the group's assignment is known and the consumer runs. */
  readonly joined: boolean;
  /** Aborts the signals of running batches, waits for their handlers, releases the partitions. */
  stop(): Promise<void>;
}

export class StalePartition extends Error {
  constructor(topic: string, partition: number) {
    super(`partition ${partition} of ${topic} now belongs to another consumer`);
    this.name = 'StalePartition';
  }
}

/**
 * An expected record is not in the log: records were lost or the log was replaced. Missing records are never skipped.
 */
export class LogGap extends PartitionFault {
  /** The record that should be there. */
  declare readonly offset: number;
  /** `untilOffset`: the first record after the missing ones; null when the log has none. */
  constructor(
    topic: string,
    partition: number,
    expected: number,
    found: string,
    untilOffset: number | null = null,
  ) {
    const reason = untilOffset === null ? 'LOG_ENDS_BEFORE' : 'RECORDS_MISSING';
    const giveUp =
      untilOffset === null ? '' : 'accept the loss of the missing records with "cas partitions", ';
    super(
      'LOG_HOLE',
      reason,
      { topic, partition, offset: expected, untilOffset },
      `${topic}/${partition}: offset ${expected} should be there, found ${found}. Records were lost or the log was replaced; nothing is skipped. Restore the log, ${giveUp}or start a new epoch with "cas migrate --new-epoch".`,
    );
    this.name = 'LogGap';
  }
}

export interface PartitionLag {
  readonly topic: string;
  readonly partition: number;
  readonly committed: number | null;
  readonly end: number;
  /** Records not yet done: end - (committed ?? start). */
  readonly lag: number;
}

export interface TailOptions {
  readonly topic: string;
  /**
   * Sequential within a partition, concurrent across partitions. A handler that throws stops the tail; it must not call
   * `stop()`.
   */
  onBatch(batch: Batch): Promise<void> | void;
  /** Records were skipped, because they were deleted before they were read or cannot be read. */
  onSkipped?(): void;
  /** The tail stopped by itself: a handler threw, or the log cannot be read any further. Not called by `stop()`. */
  onStopped?(error: Error): void;
}

export interface Tail {
  /** Waits for running handlers. */
  stop(): Promise<void>;
}

export interface EventLog {
  /**
   * Resolves when every record is durable, in the order given (records of one partition get increasing offsets).
   * Rejects with `AppendError` when at least one failed. A log without space refuses records for topics that clients
   * fill (`isIntake`) with `LogFull`, and accepts everything else.
   */
  append(records: readonly LogRecord[]): Promise<Appended[]>;
  /** Joins the group; several consumers of one group share the partitions. Resolves when started. */
  consume(options: ConsumeOptions): Promise<Consumer>;
  /**
   * Reads a topic from its end, in no group: nothing is committed, and every tail gets every record. Records whose
   * append starts after this has resolved are each delivered once.
   */
  tail(options: TailOptions): Promise<Tail>;
  /** The record at an offset; null when it was deleted or never existed. May take seconds: replay and checks only. */
  read(topic: string, partition: number, offset: number): Promise<StoredRecord | null>;
  /**
   * Records starting at an offset, in order, up to a few megabytes; missing records are skipped. Empty: there are none.
   * Reads in no group: nothing is committed. Rejects with a `LogGap` when the next records cannot be read.
   */
  readFrom(topic: string, partition: number, offset: number): Promise<readonly StoredRecord[]>;
  bounds(topic: string, partition: number): Promise<PartitionBounds>;
  lag(group: string, topics: readonly string[]): Promise<PartitionLag[]>;
  /**
   * Current members of the group, under names that help to find the process. A dead process counts until its session
   * expires. The embedded log lists only its own consumers: the folder's lock excludes other processes.
   */
  members(group: string): Promise<string[]>;
  /** Rejects when the log cannot be reached or denies a consumer of this log permission to read. */
  ping(): Promise<void>;
  /** Flushes accepted records, stops all consumers. */
  close(): Promise<void>;
}

/** Partition of a key; the same in every adapter (see `murmur2.ts`). */
export type Partitioner = (key: string, partitions: number) => number;
