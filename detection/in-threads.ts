import { orAborted } from '#platform/flow/or-aborted.ts';
import { Semaphore } from '#platform/flow/semaphore.ts';
import { runSteps, timeSlice } from '#platform/flow/time-slice.ts';
import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import { TasksUnavailable } from '#platform/threads/task-errors.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { type ListLimits, type SearchInLists, searchInLists } from './lists.ts';
import type { Detect, ToDetect } from './port.ts';
import { readSearched, writeTasks } from './task-bytes.ts';

/**
 * Long texts of one caller in the pool at a time: enough to keep a few threads busy, few enough that another caller's
 * are started soon. Only these exist as copies.
 */
const AT_ONCE = 4;

interface ThreadOptions {
  readonly tasks: Tasks;
  readonly maxWaiting?: number;
  readonly clock: () => number;
  readonly stages?: StageMetrics;
}

/** Searches texts in the threads of a pool. Customers take turns. */
export function detectInThreads({ tasks, maxWaiting = Infinity, clock, stages }: ThreadOptions): Detect {
  const turns = new Semaphore({
    permits: AT_ONCE,
    clock,
    mayWait: ({ all }) => {
      if (all >= maxWaiting) throw new TasksUnavailable(`the queue is full: ${all} long texts are waiting`);
    },
  });
  const yieldTurn = timeSlice(clock);
  return async (audit, signal) => {
    const release = await turns.acquire({ key: audit.customerId, signal });
    try {
      // A search has no side effects: an abandoned one may finish on its own.
      const bytes = await orAborted(tasks.run(writeTasks([audit])), signal);
      const { found, durationMs } = await runSteps(readSearched(bytes), yieldTurn);
      stages?.ended('long', 1, durationMs);
      return { ...found[0]!, durationMs };
    } finally {
      release?.();
    }
  };
}

interface ListThreads {
  /** Where the lists are searched. */
  readonly tasks: Tasks;
  readonly threads: number;
  readonly list: ListLimits;
  readonly clock: () => number;
  readonly stages?: StageMetrics;
}

/** Searches short texts in lists, in all threads of the pool: the event loop stays free. */
export function detectListsInThreads(options: ListThreads): SearchInLists<ToDetect> {
  const { tasks, threads, list, clock, stages } = options;
  const yieldTurn = timeSlice(clock);
  return searchInLists({
    limits: list,
    // One extra list waits, so that a free thread can start at once.
    atOnce: threads + 1,
    failsWhole: (error) => error instanceof TasksUnavailable,
    search: async (audits) => {
      const searched = await runSteps(readSearched(await tasks.run(writeTasks(audits))), yieldTurn);
      stages?.ended('lists', audits.length, searched.durationMs);
      return searched;
    },
  });
}
