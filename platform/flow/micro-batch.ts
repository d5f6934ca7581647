import { createBatchLoop } from './batch-loop.ts';

interface MicroBatchOptions {
  /** When the first call of a batch begins it: at the end of its turn (default), or at once and alone. */
  readonly begins?: 'turn' | 'now';
  /** Maximum of batches in flight. By default one: calls made meanwhile share the next. */
  readonly concurrency?: number;
  /** Least time between the starts of two batches, ms; by default none. */
  readonly everyMs?: number;
  /** How long the first call of a batch waits for others, ms; by default for those of its turn alone. */
  readonly gatherMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers many calls with one. `runAll` returns one result per item, in order, and begins only after its items came:
 * nobody gets an older result. Its failure rejects all calls of the batch; a result may be a promise, for an item that
 * fails by itself. The queue is bounded only by the number of callers.
 */
export function microBatch<Item, Result>(
  runAll: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>,
  options: MicroBatchOptions = {},
): (item: Item) => Promise<Result> {
  const { everyMs = 0, gatherMs = 0, ...when } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let dueAt = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    const taken = waiting;
    waiting = [];
    dueAt = performance.now() + everyMs;
    try {
      const results = await runAll(taken.map(({ item }) => item));
      if (results.length !== taken.length)
        throw new Error(`a batch of ${taken.length} items returned ${results.length} results`);
      for (const [n, { resolve }] of taken.entries()) resolve(results[n]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  };
  const dueInMs = (): number | null => (waiting.length === 0 ? null : dueAt - performance.now());
  const wake = createBatchLoop({ ...when, run, dueInMs });

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) dueAt = Math.max(dueAt, performance.now() + gatherMs);
      waiting.push({ item, resolve, reject });
      wake();
    });
}
