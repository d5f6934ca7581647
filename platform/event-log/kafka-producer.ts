import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_RECORD_BYTES } from '../../schemas/topics.ts';
import { openCall, refuse, settle, tooLarge } from './append-call.ts';
import type { KafkaCluster, KafkaLogger } from './kafka-cluster.ts';
import { messageOf } from './kafka-connection.ts';
import { mayPass } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import {
  type BatchLimits,
  failureOf,
  newBatch,
  newQueue,
  type PartitionBatch,
  type PartitionQueue,
  settleBatch,
  topUp,
} from './kafka-partition-queue.ts';
import { createProduce } from './kafka-produce.ts';
import { retryPauseMs } from './kafka-retry.ts';
import { createSender, type Sender } from './kafka-sender.ts';
import { partitionOf } from './murmur2.ts';
import { type Appended, AppendFailure, LogOverloaded, type LogRecord } from './port.ts';
import { recordBytes } from './record-size.ts';

export interface KafkaProducerOptions {
  readonly cluster: KafkaCluster;
  readonly lane: Lane;
  readonly partitions: (topic: string) => number;
  /** How long a record may wait for its turn, and then again how long its batch is repeated, ms. */
  readonly timeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Requests to one broker begin at least this far apart under load, ms. */
  readonly batchDelayMs: number;
  /** Of one request. */
  readonly limits: BatchLimits;
  /** Bytes queued and under way, above which appends are refused. */
  readonly maxWaitingBytes: number;
  readonly logger: KafkaLogger;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

export interface KafkaProducer {
  /** See `EventLog.append`. */
  append(records: readonly LogRecord[]): Promise<Appended[]>;
  /** Refuses further appends and resolves when all that were taken are settled. */
  close(): Promise<void>;
}

/** A partition whose batch is under way for so long has a leader that is away, hangs or moves. */
const STUCK_MS = 1_000;
/** What such partitions may hold together of the bytes that may wait: the rest is for those that get on. */
const STUCK_SHARE = 0.5;

/**
 * Writes with an idempotent producer. Each partition has a queue of its own and one batch under way, which is repeated
 * under the same sequence numbers until a broker answers or the time is up: however often it is sent it is stored once,
 * and records of one partition keep their order. A partition without a leader, or with one that hangs, holds up itself
 * alone. When the fate of a batch stays unknown its records fail with `certain: false`, and its partition goes on with a
 * new producer, because the old one's sequence there is unknown from then on.
 */
export function createKafkaProducer(options: KafkaProducerOptions): KafkaProducer {
  const { cluster, partitions, timeoutMs, limits, maxWaitingBytes, logger } = options;
  const { clock = () => performance.now() } = options;
  const { produce, producerFor } = createProduce(options);
  const queues = new Map<string, PartitionQueue>();
  const senders = new Map<number, Sender>();
  let waitingBytes = 0;
  let whenIdle: (() => void) | null = null;
  let closing: Promise<void> | null = null;

  function senderTo(node: number): Sender {
    const known = senders.get(node);
    if (known !== undefined) return known;
    const sender = createSender({ ...options, produce: (by, batches) => produce(node, by, batches) });
    senders.set(node, sender);
    return sender;
  }

  function queueOf({ topic, key }: LogRecord): PartitionQueue {
    const partition = partitionOf(key, partitions(topic));
    const name = `${topic}/${partition}`;
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = newQueue(topic, partition);
    queues.set(name, queue);
    return queue;
  }

  async function attempt(batch: PartitionBatch): Promise<void> {
    const { queue } = batch;
    try {
      const known = batch.sent?.producer ?? producerFor(queue);
      const by = known instanceof Promise ? await known : known;
      await senderTo(cluster.leader(queue.topic, queue.partition)).add(batch, by);
    } catch (error) {
      if (!mayPass(error)) logger.error(`an append failed: ${messageOf(error)}`);
      batch.obstacle = messageOf(error);
      // What waits for a leader has its time like what waits for an answer.
      topUp(batch, limits, true);
    }
  }

  function end(batch: PartitionBatch): void {
    const { queue, bytes } = batch;
    if (batch.uncertain && batch.result instanceof AppendFailure) queue.spoiled = batch.sent!.producer;
    queue.bytes -= bytes;
    waitingBytes -= bytes;
    settleBatch(batch);
    if (waitingBytes === 0) whenIdle?.();
  }

  /** Fails what waited for too long behind slow batches: its callers would get their answer later and later. */
  function dropOverdue(queue: PartitionQueue): void {
    const now = clock();
    const first = queue.waiting.findIndex(({ takenAt }) => now - takenAt <= timeoutMs);
    const count = first === -1 ? queue.waiting.length : first;
    if (count === 0) return;
    const overdue = newBatch(queue);
    overdue.entries.push(...queue.waiting.splice(0, count));
    overdue.bytes = overdue.entries.reduce((sum, { bytes }) => sum + bytes, 0);
    overdue.result = new AppendFailure('the event log is too slow or cannot be reached', true);
    end(overdue);
  }

  /** Stores one batch of the queue, or fails it when the time is up. */
  async function store(queue: PartitionQueue): Promise<void> {
    const batch = newBatch(queue);
    const begunAt = clock();
    queue.busySince = begunAt;
    for (let failures = 0; batch.result === null; failures += 1) {
      // A topic that was created again must not take what was meant for the one before.
      if (cluster.replaced === null) await attempt(batch);
      if (batch.result !== null) break;
      const pauseMs = retryPauseMs(failures);
      if (cluster.replaced !== null || clock() + pauseMs > begunAt + timeoutMs) {
        if (cluster.replaced !== null) batch.obstacle = cluster.replaced.message;
        topUp(batch, limits, true);
        batch.result = failureOf(batch);
      } else {
        await sleep(pauseMs);
        await cluster.refresh().catch(() => undefined);
      }
    }
    end(batch);
  }

  async function work(queue: PartitionQueue): Promise<void> {
    while (queue.waiting.length > 0) {
      await store(queue);
      dropOverdue(queue);
    }
    queue.busySince = null;
  }

  const isStuck = ({ busySince }: PartitionQueue, now: number): boolean =>
    busySince !== null && now - busySince > STUCK_MS;

  function append(records: readonly LogRecord[]): Promise<Appended[]> {
    if (records.length === 0) return Promise.resolve([]);
    if (closing !== null) return refuse(records, new AppendFailure('the event log is closed', true));
    const sizes = records.map(recordBytes);
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    // A call that is larger than the whole allowance is still taken by a log that has nothing else to do.
    if (waitingBytes > 0 && waitingBytes + total > maxWaitingBytes)
      return refuse(records, new LogOverloaded());
    const now = clock();
    const mayBeFull = waitingBytes + total > maxWaitingBytes * STUCK_SHARE;
    let stuckBytes = 0;
    if (mayBeFull) for (const queue of queues.values()) if (isStuck(queue, now)) stuckBytes += queue.bytes;
    const { call, settled } = openCall(records.length);
    for (const [position, record] of records.entries()) {
      const bytes = sizes[position]!;
      const queue = queueOf(record);
      if (bytes > MAX_RECORD_BYTES) {
        settle(call, position, tooLarge(record.topic, bytes));
        continue;
      }
      if (mayBeFull && isStuck(queue, now)) {
        stuckBytes += bytes;
        if (stuckBytes > maxWaitingBytes * STUCK_SHARE) {
          settle(call, position, new LogOverloaded());
          continue;
        }
      }
      queue.waiting.push({ record, bytes, call, position, takenAt: now });
      queue.bytes += bytes;
      waitingBytes += bytes;
      if (queue.busySince === null) {
        queue.busySince = now;
        void work(queue);
      }
    }
    return settled;
  }

  return {
    append,
    close() {
      closing ??= new Promise((resolve) => {
        if (waitingBytes === 0) resolve();
        else whenIdle = resolve;
      });
      return closing;
    },
  };
}
