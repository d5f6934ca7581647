import { createPartitionBuffer, type PartitionBuffer } from './kafka-buffer.ts';
import type { KafkaCluster, KafkaLogger, TopicPartition } from './kafka-cluster.ts';
import { createKafkaCommits } from './kafka-commits.ts';
import { createKafkaFetcher } from './kafka-fetcher.ts';
import { createMembership } from './kafka-membership.ts';
import { createKafkaOffsets } from './kafka-offsets.ts';
import { type PartitionRunner, runFeed } from './partition-runner.ts';
import {
  type Assignment,
  type ConsumeOptions,
  type Consumer,
  LogUnavailable,
  StalePartition,
} from './port.ts';
import { createTurnBatch } from './turn-batch.ts';

const DEFAULT_GATHER_MS = 5;

export interface KafkaConsumerSettings {
  readonly sessionTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly rebalanceTimeoutMs: number;
  /** How long a handler may go on after its partition was lost, ms; then the next owner begins beside it. */
  readonly revocationTimeoutMs: number;
  /** How long a commit, or a question for offsets, is repeated, ms. */
  readonly timeoutMs: number;
}

export interface KafkaConsumerDependencies extends KafkaConsumerSettings {
  readonly options: ConsumeOptions & { readonly maxRecords: number };
  readonly cluster: KafkaCluster;
  readonly logger: KafkaLogger;
  readonly onStopped: () => void;
}

interface Owned extends TopicPartition {
  readonly buffer: PartitionBuffer;
  readonly runner: PartitionRunner;
  /** False from the moment the partition is lost: commits are refused then. */
  valid: boolean;
  readonly commits: Set<Promise<void>>;
  given: Promise<void> | null;
}

/** One consumer of a group. Its handlers are first called after this has returned. */
export function startKafkaConsumer(dependencies: KafkaConsumerDependencies): Consumer {
  const { options, cluster, logger, timeoutMs, revocationTimeoutMs } = dependencies;
  const { group, handlers } = options;
  const lanes = { group: cluster.lane(), commit: cluster.lane(), fetch: cluster.lane() };
  const offsets = createKafkaOffsets({ cluster, lane: lanes.commit, timeoutMs });
  const owned = new Map<string, Owned>();
  let assigned = new Map<string, TopicPartition>();
  let stopped: Promise<void> | null = null;

  const fetcher = createKafkaFetcher({
    cluster,
    lane: lanes.fetch,
    offsets,
    buffers: () => [...owned.values()].filter(({ given }) => given === null).map(({ buffer }) => buffer),
    logger,
    intervalMs: options.gatherMs ?? DEFAULT_GATHER_MS,
    onFailure: fail,
  });

  const membership = createMembership({
    ...dependencies,
    lane: lanes.group,
    leaveLane: lanes.commit,
    group,
    topics: options.topics,
    owned: () => [...owned.values()],
    onAssigned: (partitions) => assignTo(partitions),
    onLost: () => assignTo([]),
    onFailure: fail,
  });
  const commits = createKafkaCommits({ cluster, lane: lanes.commit, group, membership, timeoutMs });
  const stopWatching = cluster.onReplaced(fail);

  function assignTo(partitions: readonly TopicPartition[]): void {
    assigned = new Map(partitions.map((each) => [nameOf(each), each]));
    for (const [name, each] of owned) if (!assigned.has(name)) void release(each);
    for (const [name, each] of assigned) if (!owned.has(name)) take(each);
  }

  function take({ topic, partition }: TopicPartition): void {
    if (stopped !== null) return;
    const buffer = createPartitionBuffer({
      topic,
      partition,
      maxRecords: options.maxRecords,
      begin: (signal) => beginWith({ topic, partition }, signal),
      onWanted: fetcher.wake,
    });
    const runner = runFeed(buffer, handlers, fail);
    owned.set(nameOf({ topic, partition }), {
      topic,
      partition,
      buffer,
      runner,
      valid: true,
      commits: new Set(),
      given: null,
    });
  }

  const committedOf = createTurnBatch((partitions: readonly TopicPartition[]) =>
    offsets.committed(group, partitions),
  );

  /** Repeats for as long as the brokers are away; the partition's end of ownership ends it. */
  function beginWith(partition: TopicPartition, signal: AbortSignal): Promise<Assignment> {
    const attempts = async (): Promise<Assignment> => {
      for (;;) {
        try {
          // The end is asked after the committed offset, so that one committed in between does not lie beyond it.
          const committed = await committedOf(partition);
          return { ...partition, ...(await offsets.bounds(partition)), committed };
        } catch (error) {
          if (signal.aborted || !(error instanceof LogUnavailable)) throw error;
        }
      }
    };
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      attempts().then(resolve, reject);
    });
  }

  async function giveBack(each: Owned): Promise<void> {
    await each.runner.end();
    each.valid = false;
    // The next owner begins at the committed offset, so a commit under way counts first.
    await Promise.allSettled(each.commits);
    try {
      await handlers.onRevoked?.(each.topic, each.partition);
    } catch (error) {
      fail(error);
    }
  }

  /** The group counts the partition as this consumer's until its handler has settled, or has been overtaken. */
  async function release(each: Owned): Promise<void> {
    each.valid = false;
    if (each.given !== null) return;
    each.given = giveBack(each);
    const overdue = setTimeout(() => {
      logger.warn(
        `${nameOf(each)}: a handler of group ${group} goes on ${revocationTimeoutMs} ms after the partition was lost; the next owner begins`,
      );
      drop(each);
    }, revocationTimeoutMs);
    await each.given;
    clearTimeout(overdue);
    drop(each);
  }

  function drop(each: Owned): void {
    const name = nameOf(each);
    if (owned.get(name) !== each) return;
    owned.delete(name);
    // The group may have given it back to this consumer meanwhile.
    const again = assigned.get(name);
    if (again !== undefined) take(again);
    const isAllGiven = [...owned.values()].every(({ given }) => given === null);
    // Only now may the group give what was lost to its next owners.
    if (isAllGiven && stopped === null) membership.rejoin();
  }

  /** Commits stay allowed until each handler has settled: nobody else owns the partitions before. */
  async function leaveGroup(): Promise<void> {
    stopWatching();
    await Promise.all(
      [...owned.values()].map((each) => {
        each.given ??= giveBack(each);
        return each.given;
      }),
    );
    owned.clear();
    await membership.leave();
    fetcher.stop();
    for (const lane of Object.values(lanes)) lane.close();
    dependencies.onStopped();
  }

  function fail(error: unknown): void {
    if (stopped !== null) {
      logger.warn(`a consumer of group ${group} failed while it stopped: ${classOf(error)}`);
      return;
    }
    stopped = leaveGroup();
    try {
      handlers.onStopped?.(
        error instanceof Error ? error : new Error('a handler threw no error', { cause: error }),
      );
    } catch (thrown) {
      logger.error(`onStopped of a consumer of group ${group} threw: ${classOf(thrown)}`);
    }
  }

  const held = (topic: string, partition: number): Owned | undefined =>
    owned.get(nameOf({ topic, partition }));

  return {
    async commit(topic, partition, nextOffset) {
      if (!Number.isSafeInteger(nextOffset) || nextOffset < 0) {
        throw new RangeError(`${nextOffset} is no offset to commit`);
      }
      const each = held(topic, partition);
      if (each === undefined || !each.valid) throw new StalePartition(topic, partition);
      const stored = commits.commit(each, nextOffset, () => each.valid);
      each.commits.add(stored);
      try {
        await stored;
      } finally {
        each.commits.delete(stored);
      }
    },
    pause(topic, partition) {
      held(topic, partition)?.runner.pause();
      held(topic, partition)?.buffer.pause();
    },
    resume(topic, partition) {
      held(topic, partition)?.buffer.resume();
      held(topic, partition)?.runner.resume();
    },
    seek: (topic, partition, offset) => held(topic, partition)?.runner.seek(offset),
    get joined() {
      return stopped === null && membership.joined;
    },
    stop() {
      stopped ??= leaveGroup();
      return stopped;
    },
  };
}

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** Errors of handlers may quote what they handled, so only their class is logged. */
const classOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
