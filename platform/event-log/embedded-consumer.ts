import type { PartitionState } from './embedded-topics.ts';
import { type PartitionRunner, type PartitionSource, runPartition } from './partition-runner.ts';
import { type ConsumeOptions, type Consumer, StalePartition } from './port.ts';

/** What the log needs of a logger; messages carry no content of records. */
export interface LogWarnings {
  warn(message: string): void;
  error(message: string): void;
}

/** A consumer as its group sees it. */
export interface Member {
  readonly topics: ReadonlySet<string>;
  /** Begins to deliver the partition, or will when what it still does of an earlier assignment of it has ended. */
  take(partition: PartitionState): void;
  /** Takes the partition away: resolves when the handler has settled and `onRevoked` has run. */
  release(partition: PartitionState): Promise<void>;
}

export interface MemberDependencies {
  readonly options: ConsumeOptions;
  readonly source: (partition: PartitionState) => PartitionSource;
  readonly storeOffset: (partition: PartitionState, nextOffset: number) => Promise<void>;
  readonly find: (topic: string, partition: number) => PartitionState;
  readonly leave: (member: Member) => void;
  readonly logger: LogWarnings;
}

interface Owned {
  readonly runner: PartitionRunner;
  /** False from the moment the partition is lost: commits are refused then. */
  valid: boolean;
  readonly commits: Set<Promise<void>>;
  given: Promise<void> | null;
}

/** One consumer of a group within this process. */
export function createMember(dependencies: MemberDependencies): Member & Consumer {
  const { options, source, storeOffset, find, leave, logger } = dependencies;
  const { handlers } = options;
  const partitions = new Map<PartitionState, Owned>();
  /** Assigned again while an earlier handler goes on: begun when that has ended, however long it lasts. */
  const awaited = new Set<PartitionState>();
  let stopped: Promise<void> | null = null;

  function take(partition: PartitionState): void {
    if (stopped !== null) return;
    const earlier = partitions.get(partition);
    if (earlier?.valid) throw new Error(`${partition.topic}/${partition.partition} was assigned twice`);
    if (earlier !== undefined) {
      awaited.add(partition);
      return;
    }
    const runner = runPartition(source(partition), handlers, fail);
    partitions.set(partition, { runner, valid: true, commits: new Set(), given: null });
  }

  async function giveBack(partition: PartitionState, owned: Owned): Promise<void> {
    await owned.runner.end();
    owned.valid = false;
    // The next owner begins at the committed offset, so a commit under way counts first.
    await Promise.allSettled(owned.commits);
    try {
      await handlers.onRevoked?.(partition.topic, partition.partition);
    } catch (error) {
      fail(error);
    } finally {
      partitions.delete(partition);
      if (awaited.delete(partition)) take(partition);
    }
  }

  async function release(partition: PartitionState): Promise<void> {
    // Nothing was begun under this assignment, and who waited for the earlier handler has done so already.
    if (awaited.delete(partition)) return;
    const owned = partitions.get(partition);
    if (owned === undefined) return;
    owned.valid = false;
    owned.given ??= giveBack(partition, owned);
    await owned.given;
  }

  /** Commits stay allowed until each handler has settled: nobody else owns the partitions before. */
  async function leaveGroup(): Promise<void> {
    const giving = [...partitions].map(([partition, owned]) => {
      owned.given ??= giveBack(partition, owned);
      return owned.given;
    });
    await Promise.all(giving);
    leave(member);
  }

  function fail(error: unknown): void {
    if (stopped !== null) {
      logger.warn(`a consumer of group ${options.group} failed while it stopped: ${nameOf(error)}`);
      return;
    }
    stopped = leaveGroup();
    try {
      handlers.onStopped?.(
        error instanceof Error ? error : new Error('a handler threw no error', { cause: error }),
      );
    } catch (thrown) {
      logger.error(`onStopped of a consumer of group ${options.group} threw: ${nameOf(thrown)}`);
    }
  }

  const owned = (topic: string, partition: number): Owned | undefined =>
    partitions.get(find(topic, partition));

  const member: Member & Consumer = {
    topics: new Set(options.topics),
    take,
    release,
    async commit(topic, partition, nextOffset) {
      if (!Number.isSafeInteger(nextOffset) || nextOffset < 0) {
        throw new RangeError(`${nextOffset} is no offset to commit`);
      }
      const state = find(topic, partition);
      const held = partitions.get(state);
      if (held === undefined || !held.valid) throw new StalePartition(topic, partition);
      const stored = storeOffset(state, nextOffset);
      held.commits.add(stored);
      try {
        await stored;
      } finally {
        held.commits.delete(stored);
      }
    },
    pause: (topic, partition) => owned(topic, partition)?.runner.pause(),
    resume: (topic, partition) => owned(topic, partition)?.runner.resume(),
    seek: (topic, partition, offset) => owned(topic, partition)?.runner.seek(offset),
    get joined() {
      return stopped === null;
    },
    stop() {
      stopped ??= leaveGroup();
      return stopped;
    },
  };
  return member;
}

/** Errors of handlers may quote what they handled, so only their class is logged. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
