import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '#platform/flow/backoff.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { AppendIntake, type QueuedRecord } from '../../append-intake.ts';
import { partitionOf } from '../../murmur2.ts';
import { type Appended, AppendFailure, LogOverloaded, type LogRecord } from '../../port.ts';
import { recordBytes } from '../../record-size.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import type { KafkaLogger } from '../connection/connection.ts';
import { messageOf } from '../connection/connection.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { BROKER_BACKOFF } from '../connection/retry.ts';
import {
  type BatchLimits,
  failureOf,
  newBatch,
  newQueue,
  type PartitionBatch,
  type PartitionQueue,
  settleBatch,
  topUp,
} from './partition-queue.ts';
import { Produce } from './produce.ts';
import { createSender, type Sender } from './sender.ts';

export interface KafkaProducerOptions {
  readonly cluster: KafkaCluster;
  readonly pool: ConnectionPool;
  readonly partitions: (topic: string) => number;
  /** Limit on a record's time in the queue, and separately on the retries of its batch, ms. */
  readonly timeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Minimum time between the starts of requests to one broker under load, ms. */
  readonly batchDelayMs: number;
  /** Limits of one request. */
  readonly limits: BatchLimits;
  /** Limit on bytes queued and in flight; appends beyond it are refused. */
  readonly maxWaitingBytes: number;
  readonly logger: KafkaLogger;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

export interface KafkaProducer {
  /** See `EventLog.append`. */
  append(records: readonly LogRecord[]): Promise<Appended[]>;
  /** Refuses further appends and resolves when all accepted ones have settled. */
  close(): Promise<void>;
}

/** A partition whose batch is in flight for this long has a leader that is down, hanging or moving. */
const STUCK_MS = 1_000;
/** Share of the queue's bytes that such partitions may use together; the rest is for partitions that make progress. */
const STUCK_SHARE = 0.5;

/**
 * Writes with an idempotent producer. Each partition has its own queue and one batch in flight, which is retried under
 * the same sequence numbers until a broker answers or the time is up: the batch is stored once no matter how often it
 * is sent, and records of one partition keep their order. A partition without a leader, or with one that hangs, delays
 * only itself. When the outcome of a batch stays unknown, its records fail with `certain: false`, and its partition
 * continues with a new producer, because the old one's sequence there is then unknown.
 */
export function createKafkaProducer(options: KafkaProducerOptions): KafkaProducer {
  const producer = new QueueingProducer(options);
  return { append: (records) => producer.append(records), close: () => producer.close() };
}

class QueueingProducer implements KafkaProducer {
  readonly #options: KafkaProducerOptions;
  readonly #clock: () => number;
  readonly #produce: Produce;
  readonly #intake: AppendIntake<LogRecord>;
  readonly #queues = new Map<string, PartitionQueue>();
  readonly #senders = new Map<number, Sender>();

  constructor(options: KafkaProducerOptions) {
    const { maxWaitingBytes, clock = () => performance.now() } = options;
    this.#options = options;
    this.#clock = clock;
    this.#produce = new Produce(options);
    this.#intake = new AppendIntake({ bytesOf: recordBytes, maxWaitingBytes });
  }

  append(records: readonly LogRecord[]): Promise<Appended[]> {
    return this.#intake.append(records, (totalBytes) => this.#enqueuer(totalBytes));
  }

  close(): Promise<void> {
    return this.#intake.close();
  }

  /**
   * Returns the function that queues the records of one call. Near the limit, stuck partitions get no more than their
   * share.
   */
  #enqueuer(totalBytes: number): (queued: QueuedRecord<LogRecord>) => LogOverloaded | null {
    const now = this.#clock();
    const stuckLimit = this.#options.maxWaitingBytes * STUCK_SHARE;
    const mayBeFull = this.#intake.waitingBytes + totalBytes > stuckLimit;
    let stuckBytes = 0;
    if (mayBeFull)
      for (const queue of this.#queues.values()) if (isStuck(queue, now)) stuckBytes += queue.bytes;
    return (queued) => {
      const queue = this.#queueOf(queued.record);
      if (mayBeFull && isStuck(queue, now)) {
        stuckBytes += queued.bytes;
        if (stuckBytes > stuckLimit) return new LogOverloaded();
      }
      const { record, bytes, call, position } = queued;
      queue.waiting.push({ record, bytes, call, position, queuedAt: now });
      queue.bytes += queued.bytes;
      if (queue.busySince === null) {
        queue.busySince = now;
        void this.#work(queue);
      }
      return null;
    };
  }

  #queueOf({ topic, key }: LogRecord): PartitionQueue {
    const partition = partitionOf(key, this.#options.partitions(topic));
    const name = `${topic}/${partition}`;
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = newQueue(topic, partition);
    this.#queues.set(name, queue);
    return queue;
  }

  #senderTo(node: number): Sender {
    const known = this.#senders.get(node);
    if (known !== undefined) return known;
    const { batchDelayMs, limits } = this.#options;
    const sender = createSender({
      batchDelayMs,
      limits,
      produce: (by, batches) => this.#produce.send(node, by, batches),
    });
    this.#senders.set(node, sender);
    return sender;
  }

  async #work(queue: PartitionQueue): Promise<void> {
    while (queue.waiting.length > 0) {
      await this.#store(queue);
      this.#dropOverdue(queue);
    }
    queue.busySince = null;
  }

  /** Stores one batch of the queue, or fails it when the time is up. */
  async #store(queue: PartitionQueue): Promise<void> {
    const { cluster, timeoutMs, limits } = this.#options;
    const batch = newBatch(queue);
    const startedAt = this.#clock();
    queue.busySince = startedAt;
    for (let failures = 0; batch.result === null; failures += 1) {
      // Records meant for a deleted topic must not reach the recreated one.
      if (cluster.replaced === null) await this.#attempt(batch);
      if (batch.result !== null) break;
      const pauseMs = pauseAfter(BROKER_BACKOFF, failures);
      if (cluster.replaced !== null || this.#clock() + pauseMs > startedAt + timeoutMs) {
        if (cluster.replaced !== null) batch.obstacle = cluster.replaced.message;
        topUp(batch, limits, true);
        batch.result = failureOf(batch);
      } else {
        await sleep(pauseMs);
        await cluster.refresh().catch(() => undefined);
      }
    }
    this.#end(batch);
  }

  async #attempt(batch: PartitionBatch): Promise<void> {
    const { cluster, limits, logger } = this.#options;
    const { queue } = batch;
    try {
      const known = batch.sent?.producer ?? this.#produce.producerFor(queue);
      const by = known instanceof Promise ? await known : known;
      await this.#senderTo(cluster.leader(queue.topic, queue.partition)).add(batch, by);
    } catch (error) {
      if (!isRetryable(error)) {
        const { topic, partition } = queue;
        logger.error({ topic, partition, reason: messageOf(error) }, 'failed to append records');
      }
      batch.obstacle = messageOf(error);
      // Waiting for a leader has the same time limit as waiting for an answer.
      topUp(batch, limits, true);
    }
  }

  /** Fails records that waited too long for slow batches; otherwise callers would wait longer and longer. */
  #dropOverdue(queue: PartitionQueue): void {
    const now = this.#clock();
    const { timeoutMs } = this.#options;
    const first = queue.waiting.findIndex(({ queuedAt }) => now - queuedAt <= timeoutMs);
    const count = first === -1 ? queue.waiting.length : first;
    if (count === 0) return;
    const overdue = newBatch(queue);
    overdue.entries.push(...queue.waiting.splice(0, count));
    overdue.bytes = overdue.entries.reduce((sum, { bytes }) => sum + bytes, 0);
    overdue.result = new AppendFailure('the event log is too slow or cannot be reached', true);
    this.#end(overdue);
  }

  #end(batch: PartitionBatch): void {
    const { queue, bytes } = batch;
    if (batch.uncertain && batch.result instanceof AppendFailure) queue.spoiled = batch.sent!.producer;
    queue.bytes -= bytes;
    settleBatch(batch);
    this.#intake.release(bytes);
  }
}

const isStuck = ({ busySince }: PartitionQueue, now: number): boolean =>
  busySince !== null && now - busySince > STUCK_MS;
