import { StalePartition } from '#platform/event-log/port.ts';
import { orAborted } from '#platform/flow/or-aborted.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { PartitionRetry } from './partition-retry.ts';

/** Tracks and commits the progress of a partition. */
interface PartitionCommits {
  /** Reports that everything below `nextOffset` is done. Waits for the commit only while commits fail. */
  done(nextOffset: number, signal: AbortSignal): Promise<void>;
  /** Resolves when everything done is committed; rejects with `StalePartition`, or when the signal fires. */
  settled(signal: AbortSignal): Promise<void>;
  /** Commits everything done at once, with one attempt. Afterwards no commit is in flight, even if it failed. */
  giveUp(): Promise<void>;
  /** False while commits fail. */
  reachable(): boolean;
}

interface PartitionCommitsOptions {
  readonly topic: string;
  readonly partition: number;
  readonly queue: CommitQueue;
  /** Separate from the retry of the partition's work, because both run at the same time. */
  readonly retrying: PartitionRetry;
}

/**
 * Commits lag behind the work. The order that the guarantees need (forward, then commit) is kept, but a crash repeats a
 * few more records. While commits fail the work waits, so that the repeated records stay few.
 */
export function partitionCommits(options: PartitionCommitsOptions): PartitionCommits {
  const { topic, partition, queue, retrying } = options;
  let [done, committed] = [0, 0];
  let repeating = new AbortController();
  let running: Promise<void> | null = null;
  /** The error of the last run, if it failed. */
  let failure: unknown = null;
  let hurried = false;

  const commitAll = async (): Promise<void> => {
    const commit = (): Promise<number> => {
      const next = queue.commit(topic, partition, () => done);
      if (hurried) queue.hurry();
      return next;
    };
    while (committed !== done) {
      committed = await retrying.retry(repeating.signal, commit, mayCommitAgain);
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
        // More was done while the last commit was being answered.
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
      // A lost partition ends its batch through the signal; any other failure of a commit is a bug.
      if (!(failure instanceof StalePartition)) throwFailure();
      done = nextOffset;
      begin();
      if (!retrying.reachable()) await settled(signal);
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
    reachable: retrying.reachable,
  };
}

/** A failed commit loses nothing, so every failure is retried, unless the partition is lost. */
const mayCommitAgain = (error: unknown): boolean =>
  !(error instanceof StalePartition) && !(error instanceof RangeError);
