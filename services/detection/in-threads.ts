import { orAborted } from '#platform/flow/or-aborted.ts';
import { Semaphore } from '#platform/flow/semaphore.ts';
import { runSteps, timeSlice } from '#platform/flow/time-slice.ts';
import type { StageMetrics } from '#platform/telemetry/stage-metrics.ts';
import { TasksUnavailable } from '#platform/threads/task-errors.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import type { Detect } from './port.ts';
import { readFound, writeTask } from './task-bytes.ts';

/**
 * Long texts of one caller that are in the pool at a time: enough to keep a few threads busy, few enough that another
 * caller's are soon taken. Only these exist as copies.
 */
const AT_ONCE = 4;

interface ThreadOptions {
  readonly tasks: Tasks;
  readonly maxWaiting?: number;
  readonly clock: () => number;
  readonly stages?: StageMetrics;
}

/** Searches texts in the threads of a pool. Those of different customers take turns. */
export function detectInThreads({ tasks, maxWaiting = Infinity, clock, stages }: ThreadOptions): Detect {
  const turns = new Semaphore({
    permits: AT_ONCE,
    clock,
    mayWait: ({ all }) => {
      if (all >= maxWaiting) throw new TasksUnavailable(`${all} long texts wait already`);
    },
  });
  const yieldTurn = timeSlice(clock);
  return async ({ customerId, texts, customRules, settings }, signal) => {
    const release = await turns.acquire({ key: customerId, signal });
    try {
      const begun = clock();
      // A search has no effect: one that nobody waits for any more may end by itself.
      const bytes = await orAborted(tasks.run(writeTask({ texts, customRules, settings })), signal);
      const found = await runSteps(readFound(bytes), yieldTurn);
      const durationMs = clock() - begun;
      stages?.ended('long', 1, durationMs);
      return { ...found, durationMs };
    } finally {
      release?.();
    }
  };
}
