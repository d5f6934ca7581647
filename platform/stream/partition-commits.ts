import { StalePartition } from '../event-log/port.ts';
import type { CommitQueue } from './commit-queue.ts';
import { orAborted } from './or-aborted.ts';
import type { Repeater } from './repeat.ts';

/** How far a partition is done, and the commits of it. */
export interface PartitionCommits {
  /** Everything below `nextOffset` is done. Waits for the commit only while commits fail. */
  done(nextOffset: number, signal: AbortSignal): Promise<void>;
  /** Resolves when all that is done is committed; rejects with `StalePartition`, or when the signal fires. */
  settled(signal: AbortSignal): Promise<void>;
  /** Commits at once what is done, in one try; whether it succeeded or not, nothing is under way afterwards. */
  giveUp(): Promise<void>;
  /** False while commits fail. */
  reachable(): boolean;
}

export interface PartitionCommitsOptions {
  readonly topic: string;
  readonly partition: number;
  readonly queue: CommitQueue;
  /** Of its own, beside that of the partition's work: both go on at the same time. */
  readonly repeater: Repeater;
}

/**
 * Commits run behind the work. The order that the guarantees need (forwarded, then committed) stays; what a crash
 * costs is that some more records are done again. While commits fail the work waits, so that it is not much more.
 */
export function partitionCommits(options: PartitionCommitsOptions): PartitionCommits {
  const { topic, partition, queue, repeater } = options;
  let [done, committed] = [0, 0];
  let repeating = new AbortController();
  let running: Promise<void> | null = null;
  /** How the last run ended, when it failed. */
  let failure: unknown = null;
  let hurried = false;

  const commitAll = async (): Promise<void> => {
    const commit = (): Promise<number> => {
      const next = queue.commit(topic, partition, () => done);
      if (hurried) queue.hurry();
      return next;
    };
    while (committed !== done) {
      committed = await repeater.repeat(repeating.signal, commit, mayCommitAgain);
    }
  };
  const begin = (): void => {
    failure = null;
    running ??= commitAll()
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        running = null;
        hurried = false;
        // More was done in the very moment in which the last commit was answered.
        if (failure === null && committed !== done) begin();
      });
  };
  const hurry = (): void => {
    hurried = true;
    queue.hurry();
  };
  const throwFailure = (): void => {
    if (failure !== null) throw failure;
  };
  const settled = async (signal: AbortSignal): Promise<void> => {
    while (running !== null) {
      hurry();
      await orAborted(running, signal);
    }
    throwFailure();
  };

  return {
    done: async (nextOffset, signal) => {
      // A lost partition ends its batch by the signal; whatever else a commit failed of is a fault of the program.
      if (!(failure instanceof StalePartition)) throwFailure();
      done = nextOffset;
      begin();
      if (!repeater.reachable()) await settled(signal);
    },
    settled,
    giveUp: async () => {
      if (running === null) return;
      repeating.abort();
      hurry();
      await running;
      repeating = new AbortController();
      failure = null;
    },
    reachable: repeater.reachable,
  };
}

/** A commit that fails loses nothing, so whatever it fails of is repeated, unless the partition is gone. */
const mayCommitAgain = (error: unknown): boolean =>
  !(error instanceof StalePartition) && !(error instanceof RangeError);
