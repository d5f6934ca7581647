import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '#platform/flow/backoff.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { singleFlight } from '#platform/flow/single-flight.ts';
import { groupBy } from '#schemas/group-by.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import type { KafkaLogger } from '../connection/connection.ts';
import { messageOf } from '../connection/connection.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { BROKER_BACKOFF } from '../connection/retry.ts';
import { BrokerError, CODES, isPassing } from '../protocol/errors.ts';
import { storedRecord } from '../protocol/records.ts';
import { type Apis, byTopic, type FetchedPartition, type WireRecord } from '../protocol/requests.ts';
import { UnreadableRecords } from '../protocol/unreadable-records.ts';
import type { PartitionBuffer, Wanted } from './buffer.ts';
import { checkForGap } from './gap.ts';
import type { KafkaOffsets } from './offsets.ts';

/** How long the broker waits for a first record before it answers a fetch. */
const IDLE_WAIT_MS = 500;
/** The same while a partition is left out because enough of it is buffered: its buffer may run empty meanwhile. */
const BUSY_WAIT_MS = 20;
const PARTITION_BYTES = 256 * 1024;
/** An answer is decoded in one go, so this bounds how long the event loop is blocked. */
const ANSWER_BYTES = 2 * 1024 * 1024;
const READ_UNCOMMITTED = 0;
/** Does not concern the requested partitions. */
const UNKNOWN_SERVER_ERROR = -1;

interface KafkaFetcherOptions {
  readonly cluster: KafkaCluster;
  readonly pool: ConnectionPool;
  readonly offsets: KafkaOffsets;
  readonly buffers: () => Iterable<PartitionBuffer>;
  readonly logger: KafkaLogger;
  /**
   * Minimum time between fetches from one broker, so that a busy topic arrives in batches and not in single records.
   */
  readonly intervalMs: number;
  /**
   * Called for a failure that no retry can fix: a request that no broker accepts, or an answer that cannot be decoded.
   */
  readonly onFailure: (error: Error) => void;
}

interface Target {
  readonly buffer: PartitionBuffer;
  readonly wanted: Wanted;
}

/** Keeps the buffers of one consumer filled: one fetch per broker at a time, for all partitions that want records. */
export class KafkaFetcher {
  readonly #options: KafkaFetcherOptions;
  readonly #busy = new Set<number>();
  readonly #checking = new Set<PartitionBuffer>();
  /** Refusals already logged; one that waits for an operator may last for hours. */
  readonly #refusals = new WeakMap<PartitionBuffer, Error>();
  #scheduled = false;
  #stopped = false;
  #failures = 0;

  /** One refresh at a time, with back-off, even when many brokers fail. */
  readonly #refreshLater = singleFlight(async () => {
    await sleep(pauseAfter(BROKER_BACKOFF, this.#failures));
    this.#failures += 1;
    await this.#options.cluster.refresh().catch(() => undefined);
    this.wake();
  });

  constructor(options: KafkaFetcherOptions) {
    this.#options = options;
  }

  /** Starts to fetch what is wanted, unless a fetch is in flight. */
  wake(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#stopped) this.#fetchWanted();
    });
  }

  /** Why a partition is not read until an operator restores the permission; null when all are read. */
  refusal(): Error | null {
    for (const buffer of this.#options.buffers()) {
      const refusal = this.#refusals.get(buffer);
      if (refusal !== undefined) return refusal;
    }
    return null;
  }

  stop(): void {
    this.#stopped = true;
  }

  #fetchWanted(): void {
    const targets: (Target & { readonly node: number })[] = [];
    let leaderless = false;
    let isAnyFull = false;
    for (const buffer of this.#options.buffers()) {
      isAnyFull ||= buffer.full;
      const wanted = this.#checking.has(buffer) ? null : buffer.wanted();
      if (wanted === null) continue;
      try {
        const node = this.#options.cluster.leader(buffer.topic, buffer.partition);
        targets.push({ buffer, wanted, node });
      } catch {
        leaderless = true;
      }
    }
    for (const [node, wanting] of groupBy(targets, (target) => target.node)) {
      if (this.#busy.has(node)) continue;
      this.#busy.add(node);
      void this.#fetchFrom(node, wanting, isAnyFull ? BUSY_WAIT_MS : IDLE_WAIT_MS);
    }
    if (leaderless) void this.#refreshLater();
  }

  async #fetchFrom(node: number, targets: readonly Target[], waitMs: number): Promise<void> {
    const startedAt = performance.now();
    try {
      const clean = await this.#fetch(node, targets, waitMs);
      if (clean) this.#failures = 0;
      const restMs = startedAt + this.#options.intervalMs - performance.now();
      if (restMs > 1) await sleep(restMs);
    } catch (error) {
      if (this.#stopped) return;
      if (isRetryable(error)) await this.#refreshLater();
      else this.#options.onFailure(new Error(`fetching failed: ${messageOf(error)}`, { cause: error }));
    } finally {
      this.#busy.delete(node);
      this.wake();
    }
  }

  /** Resolves to false when a partition of the answer could not be read now. */
  async #fetch(node: number, targets: readonly Target[], waitMs: number): Promise<boolean> {
    const request = requestFor(shuffled(targets), waitMs);
    const { errorCode, responses } = await this.#options.pool.request(node, 'Fetch', request, waitMs);
    if (this.#stopped) return true;
    if (errorCode === UNKNOWN_SERVER_ERROR) {
      await this.#refreshLater();
      return false;
    }
    if (errorCode !== CODES.NONE) throw new BrokerError('the whole response', errorCode);
    let clean = true;
    for (const { topicName, partitions } of responses) {
      for (const answer of partitions) {
        const target = targets.find(
          ({ buffer }) => buffer.topic === topicName && buffer.partition === answer.partition,
        );
        if (target !== undefined && !this.#take(target, answer)) clean = false;
      }
    }
    if (!clean) await this.#refreshLater();
    return clean;
  }

  #take({ buffer, wanted }: Target, answer: FetchedPartition): boolean {
    const { errorCode } = answer;
    if (errorCode === CODES.NONE) {
      this.#refusals.delete(buffer);
      this.#takeRecords({ buffer, wanted }, answer);
      return true;
    }
    if (errorCode === CODES.OFFSET_OUT_OF_RANGE) {
      void this.#checkForGap({ buffer, wanted }, null);
      return true;
    }
    if (errorCode === UNKNOWN_SERVER_ERROR) return false;
    const error = new BrokerError(`${buffer.topic}/${buffer.partition} cannot be read`, errorCode);
    if (!error.retryable) {
      this.#options.onFailure(error);
      return true;
    }
    if (isPassing(errorCode)) return false;
    if (!this.#refusals.has(buffer)) {
      const { topic, partition } = buffer;
      this.#options.logger.warn(
        { topic, partition, reason: error.message },
        'failed to read partition; retrying',
      );
    }
    this.#refusals.set(buffer, error);
    return false;
  }

  #takeRecords({ buffer, wanted }: Target, answer: FetchedPartition): void {
    const { topic, partition } = buffer;
    const { unreadable } = answer;
    const { taken, nextOffset, found } = contiguous(answer.messages, wanted.offset);
    const records = taken
      .filter(({ isControlRecord }) => !isControlRecord)
      .map((wire) => storedRecord(topic, partition, wire));
    // A gap may precede an unreadable batch, as it may precede records.
    const afterGap =
      found ?? (unreadable !== null && unreadable.offset > nextOffset ? unreadable.offset : null);
    // A gap after the records of this answer appears again at the first offset of the next answer.
    if (nextOffset === wanted.offset && afterGap !== null)
      void this.#checkForGap({ buffer, wanted }, afterGap);
    else buffer.take(wanted, records, nextOffset, Number(answer.highWatermark));
    // Buffered records are delivered first; only this partition is affected.
    if (afterGap === null && unreadable !== null) {
      const fault = new UnreadableRecords(topic, partition, nextOffset, unreadable);
      buffer.fail({ ...wanted, offset: nextOffset }, fault);
    }
  }

  async #checkForGap({ buffer, wanted }: Target, found: number | null): Promise<void> {
    const { topic, partition } = buffer;
    this.#checking.add(buffer);
    try {
      const gap = await checkForGap(this.#options, { topic, partition, offset: wanted.offset }, found);
      if (gap !== null) buffer.fail(wanted, gap);
    } finally {
      this.#checking.delete(buffer);
      this.wake();
    }
  }
}

function requestFor(targets: readonly Target[], waitMs: number): Apis['Fetch']['request'] {
  const wanted = targets.map(({ buffer: { topic, partition }, wanted: { offset } }) => ({
    topic,
    partition,
    offset,
  }));
  return {
    maxWaitTime: waitMs,
    minBytes: 1,
    maxBytes: ANSWER_BYTES,
    isolationLevel: READ_UNCOMMITTED,
    topics: byTopic(wanted, ({ partition, offset }) => ({
      partition,
      fetchOffset: `${offset}`,
      maxBytes: PARTITION_BYTES,
    })),
  };
}

/**
 * The messages from `from` up to the first gap, and the offset found after the gap. Brokers assign offsets without
 * gaps: an offset that consumers do not see holds a transaction marker, which arrives here as a control record.
 * Compaction leaves gaps; topics are created without it, because it would lose records.
 */
export function contiguous(
  messages: readonly WireRecord[],
  from: number,
): { readonly taken: WireRecord[]; readonly nextOffset: number; readonly found: number | null } {
  const taken: WireRecord[] = [];
  let nextOffset = from;
  for (const message of messages) {
    const offset = Number(message.offset);
    // A batch arrives whole, even when the requested offset is in the middle of it.
    if (offset < nextOffset) continue;
    if (offset > nextOffset) return { taken, nextOffset, found: offset };
    taken.push(message);
    nextOffset = offset + 1;
  }
  return { taken, nextOffset, found: null };
}

/** A broker fills its answer in request order, so shuffling keeps any one partition from always being last. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [copy[index], copy[other]] = [copy[other]!, copy[index]!];
  }
  return copy;
}
