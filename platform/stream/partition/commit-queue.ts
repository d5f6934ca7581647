import type { Consumer } from '#platform/event-log/port.ts';
import { createBatchLoop } from '#platform/flow/batch-loop.ts';
import type { TopicPartition } from './options.ts';

interface CommitQueueOptions {
  readonly consumer: () => Promise<Pick<Consumer, 'commit'>>;
  /** Minimum time between rounds that are not hurried, ms; after a pause the first starts at once. */
  readonly everyMs: number;
  /** Called before each round, to store what must be stored first. */
  readonly beforeCommits?: ((partitions: readonly TopicPartition[]) => Promise<void>) | undefined;
}

/** The commits of all partitions of a stream, gathered into rounds. */
export interface CommitQueue {
  /**
   * Commits the value of `nextOffset()` at the start of the next round. Resolves to that value, or rejects when the
   * commit does. One call per partition at a time.
   */
  commit(topic: string, partition: number, nextOffset: () => number): Promise<number>;
  /** Starts the next round without waiting for its time. */
  hurry(): void;
}

interface Waiting extends TopicPartition {
  readonly nextOffset: () => number;
  readonly resolve: (nextOffset: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One round at a time. All commits of a round start in one turn of the event loop, so that the log can combine them
 * into one request or transaction: otherwise small batches of many partitions would cost one each.
 */
export function createCommitQueue(options: CommitQueueOptions): CommitQueue {
  const { consumer, everyMs, beforeCommits } = options;
  let waiting: Waiting[] = [];
  let hurried = false;
  let lastStartedAt = Number.NEGATIVE_INFINITY;

  const dueInMs = (): number | null => {
    if (waiting.length === 0) return null;
    return hurried ? 0 : lastStartedAt + everyMs - performance.now();
  };
  const run = async (): Promise<void> => {
    hurried = false;
    lastStartedAt = performance.now();
    const round = waiting;
    waiting = [];
    try {
      const joined = await consumer();
      // Work done while `beforeCommits` stores something for this round waits for the next round.
      const offsets = round.map(({ nextOffset }) => nextOffset());
      await beforeCommits?.(round);
      await Promise.all(round.map((one, at) => commitOne(joined, one, offsets[at]!)));
    } catch (error) {
      for (const { reject } of round) reject(error);
    }
  };
  // At the end of the turn, so that partitions that finish in the same turn share the round.
  const wake = createBatchLoop({ dueInMs, run, keepsAlive: false });

  return {
    commit: (topic, partition, nextOffset) =>
      new Promise((resolve, reject) => {
        if (waiting.some((one) => one.topic === topic && one.partition === partition)) {
          throw new Error(`two commits of ${topic}/${partition} are waiting at once`);
        }
        waiting.push({ topic, partition, nextOffset, resolve, reject });
        wake();
      }),
    hurry: () => {
      hurried = true;
      wake();
    },
  };
}

async function commitOne(
  consumer: Pick<Consumer, 'commit'>,
  waiting: Waiting,
  nextOffset: number,
): Promise<void> {
  try {
    await consumer.commit(waiting.topic, waiting.partition, nextOffset);
    waiting.resolve(nextOffset);
  } catch (error) {
    waiting.reject(error);
  }
}
