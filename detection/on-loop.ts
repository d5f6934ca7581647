import { type Audit, detectInSteps } from '#core/detect/detect.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import { type ListLimits, type Searched, type SearchInLists, searchInLists } from './lists.ts';

interface LoopOptions {
  readonly list: ListLimits;
  readonly clock: () => number;
  readonly stages?: StageMetrics;
}

/**
 * Searches texts on the event loop, one list at a time. Yields between lists, and between the stages of a slow list
 * (README.md) unless its limits forbid it.
 */
export function detectOnLoop({ list, clock, stages }: LoopOptions): SearchInLists<Audit> {
  const search = async (audits: readonly Audit[]): Promise<Searched> => {
    const steps = detectInSteps(audits);
    const yieldTurn = timeSlice(clock);
    let durationMs = 0;
    for (;;) {
      const since = clock();
      const step = steps.next();
      const stageMs = clock() - since;
      durationMs += stageMs;
      if (step.done) return { found: step.value, durationMs };
      stages?.ended(`detect:${step.value}`, audits.length, stageMs);
      if (!list.inOneTurn) await yieldTurn();
    }
  };
  return searchInLists({ limits: list, atOnce: 1, search });
}
