import { type QueuedRecord, settle } from '../../append-intake.ts';
import { type Appended, AppendFailure, type LogRecord } from '../../port.ts';

/** A producer identity: brokers store each of its sequence numbers at most once. */
export interface Producer {
  readonly id: string;
  readonly epoch: number;
  /** Next sequence number by `topic/partition`. */
  readonly sequences: Map<string, number>;
}

interface WaitingRecord extends QueuedRecord<LogRecord> {
  /** Monotonic, ms. */
  readonly queuedAt: number;
}

/** Records for one partition, first in first out; one batch of them is in flight at a time. */
export interface PartitionQueue {
  readonly name: string;
  readonly topic: string;
  readonly partition: number;
  readonly waiting: WaitingRecord[];
  /** Bytes of the records queued and in flight. */
  bytes: number;
  /** Start of the batch in flight, monotonic, ms; null while there is none. */
  busySince: number | null;
  /** The producer whose sequence here is unknown since a batch got no answer: the next batch needs a different one. */
  spoiled: Producer | null;
}

/** The part of a request for one partition: stored completely or not at all. */
export interface PartitionBatch {
  readonly topic: string;
  readonly queue: PartitionQueue;
  readonly entries: WaitingRecord[];
  bytes: number;
  /** Set once, on the first send: a retry must carry the same records, numbers and time. */
  sent: { readonly producer: Producer; readonly sequence: number; readonly at: number } | null;
  /** True when an attempt got no answer, or one that does not say whether the batch was stored. */
  uncertain: boolean;
  /** Why it is not stored yet. */
  obstacle: string;
  result: { readonly baseOffset: number; readonly timestamp: number } | AppendFailure | null;
}

export const newQueue = (topic: string, partition: number): PartitionQueue => ({
  name: `${topic}/${partition}`,
  topic,
  partition,
  waiting: [],
  bytes: 0,
  busySince: null,
  spoiled: null,
});

export const newBatch = (queue: PartitionQueue): PartitionBatch => ({
  topic: queue.topic,
  queue,
  entries: [],
  bytes: 0,
  sent: null,
  uncertain: false,
  obstacle: '',
  result: null,
});

/** Limits on the records and bytes of a batch or request. */
export interface BatchLimits {
  readonly records: number;
  readonly bytes: number;
}

/** Fills an unsent batch from the queue up to the limits; with `force`, by at least one record. */
export function topUp(batch: PartitionBatch, limits: BatchLimits, force: boolean): void {
  const { entries, queue } = batch;
  if (batch.sent !== null) return;
  let count = 0;
  for (const { bytes } of queue.waiting) {
    const isFirst = force && entries.length + count === 0;
    const fits = entries.length + count < limits.records && batch.bytes + bytes <= limits.bytes;
    if (!isFirst && !fits) break;
    count += 1;
    batch.bytes += bytes;
  }
  entries.push(...queue.waiting.splice(0, count));
}

export const failureOf = ({ queue: { topic }, uncertain, obstacle }: PartitionBatch): AppendFailure =>
  new AppendFailure(
    uncertain
      ? `a record for ${topic} may or may not be stored: ${obstacle}`
      : `a record for ${topic} was not stored: ${obstacle}`,
    !uncertain,
  );

/** Settles the appends that the batch's records belong to. */
export function settleBatch({ queue, entries, result }: PartitionBatch): void {
  for (const [index, { call, position }] of entries.entries()) {
    const outcome: Appended | AppendFailure =
      result === null || result instanceof AppendFailure
        ? (result ?? new AppendFailure('no outcome', false))
        : {
            partition: queue.partition,
            offset: result.baseOffset + index,
            timestamp: result.timestamp,
          };
    settle(call, position, outcome);
  }
}
