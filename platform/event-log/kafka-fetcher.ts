import { setTimeout as sleep } from 'node:timers/promises';
import type { PartitionBuffer, Wanted } from './kafka-buffer.ts';
import type { KafkaCluster, KafkaLogger } from './kafka-cluster.ts';
import { messageOf } from './kafka-connection.ts';
import { BrokerError, CODES, isPassing, mayPass } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import type { KafkaOffsets } from './kafka-offsets.ts';
import { storedRecord } from './kafka-records.ts';
import {
  byTopic,
  type FetchedPartition,
  groupBy,
  type UnreadableBatch,
  type WireRecord,
} from './kafka-requests.ts';
import { retryPauseMs } from './kafka-retry.ts';
import { LogHole } from './port.ts';
import { UnreadableRecords } from './unreadable-records.ts';

/** A fetch waits so long for a first record. */
const IDLE_WAIT_MS = 500;
/** And so long while a partition is left out because enough of it waits in memory: it may run dry meanwhile. */
const BUSY_WAIT_MS = 20;
const PARTITION_BYTES = 256 * 1024;
/** Decoded in one go, so this bounds how long the event loop is held. */
const ANSWER_BYTES = 2 * 1024 * 1024;
const READ_UNCOMMITTED = 0;
/** Looks at an offset beyond the end, with a pause before each: a new leader may be about to learn of its end. */
const SECOND_LOOKS = 2;
const SECOND_LOOK_PAUSE_MS = 1_000;
/** Says nothing about what was asked for. */
const UNKNOWN_SERVER_ERROR = -1;

export interface KafkaFetcherOptions {
  readonly cluster: KafkaCluster;
  readonly lane: Lane;
  readonly offsets: KafkaOffsets;
  readonly buffers: () => Iterable<PartitionBuffer>;
  readonly logger: KafkaLogger;
  /** Fetches of one broker begin this far apart, so that a busy topic comes in batches and not in single records. */
  readonly intervalMs: number;
  /** Something that no repeat can mend: a request that no broker takes, an answer that cannot be decoded. */
  readonly onFailure: (error: Error) => void;
}

export interface KafkaFetcher {
  /** Begins to fetch what is wanted, unless that is under way. */
  wake(): void;
  /** Why a partition is not read until an operator gives the right back; null: all are. */
  refusal(): Error | null;
  stop(): void;
}

interface Target {
  readonly buffer: PartitionBuffer;
  readonly wanted: Wanted;
}

/** Keeps the buffers of one consumer filled: at most one fetch per broker at a time, for all partitions that want. */
export function createKafkaFetcher(options: KafkaFetcherOptions): KafkaFetcher {
  const { cluster, lane, offsets, logger, intervalMs, onFailure } = options;
  const busy = new Set<number>();
  const looking = new Set<PartitionBuffer>();
  /** What was told already; an operator's matter may stay for hours. */
  const refusals = new WeakMap<PartitionBuffer, Error>();
  let refreshing: Promise<void> | null = null;
  let scheduled = false;
  let stopped = false;
  let failures = 0;

  function wake(): void {
    if (scheduled || stopped) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (!stopped) fetchWanted();
    });
  }

  function fetchWanted(): void {
    const targets: (Target & { readonly node: number })[] = [];
    let leaderless = false;
    let isAnyFull = false;
    for (const buffer of options.buffers()) {
      isAnyFull ||= buffer.full;
      const wanted = looking.has(buffer) ? null : buffer.wanted();
      if (wanted === null) continue;
      try {
        targets.push({ buffer, wanted, node: cluster.leader(buffer.topic, buffer.partition) });
      } catch {
        leaderless = true;
      }
    }
    for (const [node, wanting] of groupBy(targets, (target) => target.node)) {
      if (busy.has(node)) continue;
      busy.add(node);
      void fetchFrom(node, wanting, isAnyFull ? BUSY_WAIT_MS : IDLE_WAIT_MS);
    }
    if (leaderless) void refreshLater();
  }

  /** One at a time, with growing pauses, however many brokers fail. */
  function refreshLater(): Promise<void> {
    const refresh = async (): Promise<void> => {
      await sleep(retryPauseMs(failures));
      failures += 1;
      await cluster.refresh().catch(() => undefined);
      refreshing = null;
      wake();
    };
    refreshing ??= refresh();
    return refreshing;
  }

  async function fetchFrom(node: number, targets: readonly Target[], waitMs: number): Promise<void> {
    const begunAt = performance.now();
    try {
      const clean = await fetch(node, targets, waitMs);
      if (clean) failures = 0;
      const restMs = begunAt + intervalMs - performance.now();
      if (restMs > 1) await sleep(restMs);
    } catch (error) {
      if (stopped) return;
      if (mayPass(error)) await refreshLater();
      else onFailure(new Error(`fetching failed: ${messageOf(error)}`, { cause: error }));
    } finally {
      busy.delete(node);
      wake();
    }
  }

  /** False when a partition of the answer could not be read now. */
  async function fetch(node: number, targets: readonly Target[], waitMs: number): Promise<boolean> {
    const asked = shuffled(targets);
    const request = {
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes: ANSWER_BYTES,
      isolationLevel: READ_UNCOMMITTED,
      topics: byTopic(
        asked.map(({ buffer, wanted }) => ({ topic: buffer.topic, partition: buffer.partition, wanted })),
        ({ partition, wanted }) => ({
          partition,
          fetchOffset: `${wanted.offset}`,
          maxBytes: PARTITION_BYTES,
        }),
      ),
    };
    const { errorCode, responses } = await lane.request(node, 'Fetch', request, waitMs);
    if (stopped) return true;
    if (errorCode === UNKNOWN_SERVER_ERROR) {
      await refreshLater();
      return false;
    }
    if (errorCode !== CODES.NONE) throw new BrokerError('the whole answer', errorCode);
    let clean = true;
    for (const { topicName, partitions } of responses) {
      for (const answer of partitions) {
        const target = targets.find(
          ({ buffer }) => buffer.topic === topicName && buffer.partition === answer.partition,
        );
        if (target !== undefined && !take(target, answer)) clean = false;
      }
    }
    if (!clean) await refreshLater();
    return clean;
  }

  function take({ buffer, wanted }: Target, answer: FetchedPartition): boolean {
    const { topic, partition } = buffer;
    const { errorCode } = answer;
    if (errorCode === CODES.NONE) {
      refusals.delete(buffer);
      takeRecords({ buffer, wanted }, answer);
      return true;
    }
    if (errorCode === CODES.OFFSET_OUT_OF_RANGE) {
      void lookForHole({ buffer, wanted }, null);
      return true;
    }
    if (errorCode === UNKNOWN_SERVER_ERROR) return false;
    const error = new BrokerError(`${topic}/${partition} cannot be read`, errorCode);
    if (!mayPass(error)) {
      onFailure(error);
      return true;
    }
    if (!isPassing(errorCode) && !refusals.has(buffer)) logger.warn(`${error.message}; trying again`);
    if (!isPassing(errorCode)) refusals.set(buffer, error);
    return false;
  }

  function takeRecords({ buffer, wanted }: Target, answer: FetchedPartition): void {
    const { topic, partition } = buffer;
    const { unreadable } = answer;
    const { taken, nextOffset, found } = contiguous(answer.messages, wanted.offset);
    const records = taken
      .filter(({ isControlRecord }) => !isControlRecord)
      .map((wire) => storedRecord(topic, partition, wire));
    // A gap may lie before a batch that cannot be read as well as before records.
    const behindGap =
      found ?? (unreadable !== null && unreadable.offset > nextOffset ? unreadable.offset : null);
    // Behind records that are there, a hole is met again as the first offset of the next answer.
    if (nextOffset === wanted.offset && behindGap !== null) void lookForHole({ buffer, wanted }, behindGap);
    else buffer.take(wanted, records, nextOffset, Number(answer.highWatermark));
    if (behindGap === null && unreadable !== null)
      stopBefore(buffer, { ...wanted, offset: nextOffset }, unreadable);
  }

  /** What was taken is delivered first; only this partition is at fault. */
  function stopBefore(buffer: PartitionBuffer, rest: Wanted, batch: UnreadableBatch): void {
    const { topic, partition } = buffer;
    buffer.fail(rest, new UnreadableRecords(topic, partition, rest.offset, batch));
  }

  /**
   * The broker says that the offset is not in the log: believed only when the log's bounds say so too. Or it answered
   * with `found`, a later offset: then what lies before it was deleted, while it was read or inside the log.
   */
  async function lookForHole({ buffer, wanted }: Target, found: number | null): Promise<void> {
    const { topic, partition } = buffer;
    const { offset } = wanted;
    looking.add(buffer);
    try {
      for (let look = 0; ; look += 1) {
        const { start, end } = await offsets.bounds({ topic, partition });
        if (offset >= start && found !== null) {
          buffer.fail(wanted, new LogHole(topic, partition, offset, `offset ${found}`, found));
          return;
        }
        if (offset >= start && offset <= end) {
          await sleep(retryPauseMs(0));
          return;
        }
        if (offset < start || look >= SECOND_LOOKS) {
          const until = offset < start ? start : null;
          const found = `a log that holds ${start} up to ${end}`;
          buffer.fail(wanted, new LogHole(topic, partition, offset, found, until));
          return;
        }
        await sleep(SECOND_LOOK_PAUSE_MS);
      }
    } catch (error) {
      logger.warn(`the bounds of ${topic}/${partition} are not known: ${messageOf(error)}`);
      // Without it the next fetch, which comes to the same, would follow at once.
      await sleep(SECOND_LOOK_PAUSE_MS);
    } finally {
      looking.delete(buffer);
      wake();
    }
  }

  return {
    wake,
    refusal() {
      for (const buffer of options.buffers()) {
        const refusal = refusals.get(buffer);
        if (refusal !== undefined) return refusal;
      }
      return null;
    },
    stop() {
      stopped = true;
    },
  };
}

/**
 * The messages from `from` on up to the first gap, and the offset that was found behind it. Brokers give every record an
 * offset and leave none out: what stands at one that a consumer does not see is a marker of a transaction, which comes
 * along as a control record. Compaction leaves gaps; topics are made without it, and with it records would be lost.
 */
export function contiguous(
  messages: readonly WireRecord[],
  from: number,
): { readonly taken: WireRecord[]; readonly nextOffset: number; readonly found: number | null } {
  const taken: WireRecord[] = [];
  let nextOffset = from;
  for (const message of messages) {
    const offset = Number(message.offset);
    // Batches come whole, also when the offset asked for lies within one.
    if (offset < nextOffset) continue;
    if (offset > nextOffset) return { taken, nextOffset, found: offset };
    taken.push(message);
    nextOffset = offset + 1;
  }
  return { taken, nextOffset, found: null };
}

/** A broker fills its answer in the order asked for: nobody shall always be the last. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [copy[index], copy[other]] = [copy[other]!, copy[index]!];
  }
  return copy;
}
