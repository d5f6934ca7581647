import { createBatchLoop } from './batch-loop.ts';

interface MicroBatchOptions {
  /** When the first call of a batch starts it: at the end of its turn (default), or immediately and alone. */
  readonly begins?: 'turn' | 'now';
  /** Maximum number of batches in flight. By default one: calls made meanwhile share the next. */
  readonly concurrency?: number;
  /** Minimum time between the starts of two batches, ms; by default none. */
  readonly everyMs?: number;
  /** How long the first call of a batch waits for others, ms; by default only for those of its turn. */
  readonly gatherMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers many calls with one. `runAll` returns one result per item, in order, and starts only after its items have
 * arrived, so no caller gets an older result. If it fails, all calls of the batch are rejected; a result may be a
 * promise, for an item that fails on its own. Only the number of callers bounds the queue.
 */
export function microBatch<Item, Result>(
  runAll: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>,
  options: MicroBatchOptions = {},
): (item: Item) => Promise<Result> {
  const { everyMs = 0, gatherMs = 0, ...when } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let dueAt = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    dueAt = performance.now() + everyMs;
    try {
      const results = await runAll(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error(`a batch of ${batch.length} items returned ${results.length} results`);
      for (const [n, { resolve }] of batch.entries()) resolve(results[n]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
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
