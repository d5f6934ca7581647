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
/** Partitions that are given back within so long share a round of the group; one that takes longer holds up no other. */
const GIVING_BACK_MS = 100;

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

/** The work on a partition under one assignment, from its beginning until it was given back. */
interface Work extends TopicPartition {
  readonly buffer: PartitionBuffer;
  readonly runner: PartitionRunner;
  /** False from the moment the partition is lost: commits are refused then. */
  valid: boolean;
  readonly commits: Set<Promise<void>>;
  given: Promise<void> | null;
  /** It ignored the loss for too long: the group gives the partition to the next owner. */
  overtaken: boolean;
}

export interface KafkaConsumer extends Consumer {
  /** Why a partition is not read until an operator gives the right back; null: all are. */
  refusal(): Error | null;
}

/** One consumer of a group. Its handlers are first called after this has returned. */
export function startKafkaConsumer(dependencies: KafkaConsumerDependencies): KafkaConsumer {
  const { options, cluster, logger, timeoutMs, revocationTimeoutMs } = dependencies;
  const { group, handlers } = options;
  const lanes = { group: cluster.lane(), commit: cluster.lane(), fetch: cluster.lane() };
  const offsets = createKafkaOffsets({ cluster, lane: lanes.commit, timeoutMs });
  /** One per partition at most: an assignment that comes while the work under an earlier one goes on waits for it. */
  const works = new Map<string, Work>();
  let assigned = new Map<string, TopicPartition>();
  let rejoinTimer: NodeJS.Timeout | undefined;
  let stopped: Promise<void> | null = null;

  const fetcher = createKafkaFetcher({
    cluster,
    lane: lanes.fetch,
    offsets,
    buffers: () => [...works.values()].filter(({ given }) => given === null).map(({ buffer }) => buffer),
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
    owned: claimed,
    onAssigned: (partitions) => assignTo(partitions),
    onLost: () => assignTo([]),
    onFailure: fail,
  });
  const commits = createKafkaCommits({ cluster, lane: lanes.commit, group, membership, timeoutMs });
  const stopWatching = cluster.onReplaced(fail);

  /**
   * What the group may give to nobody else: what is worked on, but for what was overtaken, and what is assigned. The
   * latter even while an earlier handler holds it up: it may begin at any moment, so it has to be given back too.
   */
  function claimed(): TopicPartition[] {
    const held = [...works.values()].filter((work) => !work.overtaken);
    return [...new Map([...held, ...assigned.values()].map((each) => [nameOf(each), each])).values()];
  }

  function assignTo(partitions: readonly TopicPartition[]): void {
    const before = assigned;
    assigned = new Map(
      partitions.map(({ topic, partition }) => [nameOf({ topic, partition }), { topic, partition }]),
    );
    for (const [name, work] of works) if (!assigned.has(name)) void release(work);
    for (const [name, each] of assigned) if (!works.has(name)) take(each);
    // Nothing was begun of what waited for an overtaken handler, so it is given back at once.
    for (const name of before.keys()) if (!assigned.has(name) && works.get(name)?.overtaken) rejoinSoon();
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
    if (works.has(nameOf({ topic, partition }))) throw new Error(`${topic}/${partition} was assigned twice`);
    const runner = runFeed(buffer, handlers, fail);
    const fresh = { valid: true, commits: new Set<Promise<void>>(), given: null, overtaken: false };
    works.set(nameOf({ topic, partition }), { topic, partition, buffer, runner, ...fresh });
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

  async function giveBack(work: Work): Promise<void> {
    await work.runner.end();
    work.valid = false;
    // The next owner begins at the committed offset, so a commit under way counts first.
    await Promise.allSettled(work.commits);
    try {
      await handlers.onRevoked?.(work.topic, work.partition);
    } catch (error) {
      fail(error);
    }
  }

  /** The group counts the partition as this consumer's until its handler has settled, or has been overtaken. */
  async function release(work: Work): Promise<void> {
    work.valid = false;
    if (work.given !== null) return;
    work.given = giveBack(work);
    const overdue = setTimeout(() => {
      logger.warn(
        `${nameOf(work)}: a handler of group ${group} goes on ${revocationTimeoutMs} ms after the partition was lost; another owner may begin, this consumer waits for it`,
      );
      work.overtaken = true;
      if (!assigned.has(nameOf(work))) rejoinSoon();
    }, revocationTimeoutMs);
    await work.given;
    clearTimeout(overdue);
    works.delete(nameOf(work));
    // The group may have given it back to this consumer meanwhile: only now it begins.
    const again = assigned.get(nameOf(work));
    if (again !== undefined) take(again);
    else if (!work.overtaken) rejoinSoon();
  }

  /** Only by a join without them does the group learn what it may give to the next owners. */
  function rejoinSoon(): void {
    if (stopped !== null) return;
    const isAnyEnding = [...works.values()].some(({ given, overtaken }) => given !== null && !overtaken);
    if (isAnyEnding) {
      rejoinTimer ??= setTimeout(rejoin, GIVING_BACK_MS);
    } else rejoin();
  }

  function rejoin(): void {
    clearTimeout(rejoinTimer);
    rejoinTimer = undefined;
    if (stopped === null) membership.rejoin();
  }

  /** Commits stay allowed until each handler has settled: nobody else owns the partitions before. */
  async function leaveGroup(): Promise<void> {
    stopWatching();
    clearTimeout(rejoinTimer);
    await Promise.all(
      [...works.values()].map((work) => {
        work.given ??= giveBack(work);
        return work.given;
      }),
    );
    works.clear();
    assigned = new Map();
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

  const held = (topic: string, partition: number): Work | undefined =>
    works.get(nameOf({ topic, partition }));

  return {
    async commit(topic, partition, nextOffset) {
      if (!Number.isSafeInteger(nextOffset) || nextOffset < 0) {
        throw new RangeError(`${nextOffset} is no offset to commit`);
      }
      const work = held(topic, partition);
      if (work === undefined || !work.valid) throw new StalePartition(topic, partition);
      const stored = commits.commit(work, nextOffset, () => work.valid);
      work.commits.add(stored);
      try {
        await stored;
      } finally {
        work.commits.delete(stored);
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
    refusal: fetcher.refusal,
    stop() {
      stopped ??= leaveGroup();
      return stopped;
    },
  };
}

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** Errors of handlers may quote what they handled, so only their class is logged. */
const classOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
