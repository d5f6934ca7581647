import type { Consumer } from '#platform/event-log/port.ts';
import { createBatchLoop } from '#platform/flow/batch-loop.ts';
import type { Place } from './options.ts';

interface CommitQueueOptions {
  readonly consumer: () => Promise<Pick<Consumer, 'commit'>>;
  /** Least time between rounds that are not hurried, ms; after a pause the first begins at once. */
  readonly everyMs: number;
  /** What has to be stored before a round. */
  readonly beforeCommits?: ((places: readonly Place[]) => Promise<void>) | undefined;
}

/** The commits of all partitions of a stream, gathered into rounds. */
export interface CommitQueue {
  /**
   * Commits what `nextOffset` says when the next round begins; resolves to it, or rejects as the commit does. One
   * call per partition at a time.
   */
  commit(topic: string, partition: number, nextOffset: () => number): Promise<number>;
  /** The next round begins without waiting for its time. */
  hurry(): void;
}

interface Waiting extends Place {
  readonly nextOffset: () => number;
  readonly resolve: (nextOffset: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One round at a time. All commits of a round are begun in one turn of the event loop, so that the log can join them
 * into one request or transaction: small batches of many partitions would otherwise cost one each.
 */
export function createCommitQueue(options: CommitQueueOptions): CommitQueue {
  const { consumer, everyMs, beforeCommits } = options;
  let waiting: Waiting[] = [];
  let hurried = false;
  let lastBegunAt = Number.NEGATIVE_INFINITY;

  const dueInMs = (): number | null => {
    if (waiting.length === 0) return null;
    return hurried ? 0 : lastBegunAt + everyMs - performance.now();
  };
  const run = async (): Promise<void> => {
    hurried = false;
    lastBegunAt = performance.now();
    const taken = waiting;
    waiting = [];
    try {
      const joined = await consumer();
      // What is done while something is stored for the round waits for the next one.
      const offsets = taken.map(({ nextOffset }) => nextOffset());
      await beforeCommits?.(taken);
      await Promise.all(taken.map((one, at) => commitOne(joined, one, offsets[at]!)));
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  };
  // At the end of the turn, so that partitions which finish in the same turn share the round.
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
