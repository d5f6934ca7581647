import { type MessagePort, workerData } from 'node:worker_threads';
import { answerCalls } from '#platform/threads/calls.ts';
import { lowerPriority } from '#platform/threads/lower-priority.ts';
import { openWarehouse, type WarehouseOptions } from '#platform/warehouse/client/clickhouse.ts';
import { type PatternTask, searchHere } from './find-patterns.ts';

/** What the thread gets from the one that starts it. */
export interface SearchThreadStart {
  readonly warehouse: Omit<WarehouseOptions, 'logger'>;
  /** One call to this thread: `run`. Progress goes the other way. */
  readonly control: MessagePort;
}

export interface SearchProgress {
  readonly analyzedSignals: number;
}

/** Main module of a thread that looks for patterns: rows are read, parsed and counted here. Whoever started it ends it. */
const { warehouse, control } = workerData as SearchThreadStart;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const search = searchHere(openWarehouse({ ...warehouse, logger: silent }));
/** Not of each piece: there are hundreds a second, and nobody is told of all of them. */
const PROGRESS_EVERY_MS = 100;
const NEVER = new AbortController().signal;
// Requests go first when cores are short.
lowerPriority();

const tell = (analyzedSignals: number): void =>
  control.postMessage({ analyzedSignals } satisfies SearchProgress);

answerCalls(control, {
  run: async (task: PatternTask) => {
    let toldAt = Number.NEGATIVE_INFINITY;
    const onProgress = (analyzedSignals: number): void => {
      const now = performance.now();
      if (now - toldAt < PROGRESS_EVERY_MS) return;
      toldAt = now;
      tell(analyzedSignals);
    };
    const found = await search.run(task, { gone: NEVER, onProgress });
    tell(found.analyzedSignals);
    return found;
  },
});
