import { type MessagePort, workerData } from 'node:worker_threads';
import { answerCalls } from '#platform/threads/calls.ts';
import { lowerPriority } from '#platform/threads/lower-priority.ts';
import { openWarehouse, type WarehouseOptions } from '#platform/warehouse/client/clickhouse.ts';
import { type PatternTask, searchHere } from './find-patterns.ts';

/** Data that the thread gets from its parent. */
export interface SearchThreadStart {
  readonly warehouse: Omit<WarehouseOptions, 'logger'>;
  /** One call to this thread: `run`. Progress is sent back. */
  readonly control: MessagePort;
}

export interface SearchProgress {
  readonly analyzedSignals: number;
}

/** Main module of a thread that searches for patterns: rows are read, parsed and counted here. Its parent ends it. */
const { warehouse, control } = workerData as SearchThreadStart;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const search = searchHere(openWarehouse({ ...warehouse, logger: silent }));
/** Not for each chunk: there are hundreds a second, more than anyone needs. */
const PROGRESS_EVERY_MS = 100;
const NEVER = new AbortController().signal;
// Requests take precedence when cores are scarce.
lowerPriority();

const report = (analyzedSignals: number): void =>
  control.postMessage({ analyzedSignals } satisfies SearchProgress);

answerCalls(control, {
  run: async (task: PatternTask) => {
    let reportedAt = Number.NEGATIVE_INFINITY;
    const onProgress = (analyzedSignals: number): void => {
      const now = performance.now();
      if (now - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = now;
      report(analyzedSignals);
    };
    const found = await search.run(task, { gone: NEVER, onProgress });
    report(found.analyzedSignals);
    return found;
  },
});
