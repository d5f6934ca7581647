import { setImmediate as turn } from 'node:timers/promises';
import { matchedSlug, startRun } from '#core/correlate/detect.ts';
import type { StoredPattern } from '#core/correlate/fold/stored-pattern.ts';
import { BASELINE_DAYS, type CorrelationSettings, DAY_MS } from '#core/correlate/state/rules.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { unavailable } from '#platform/flow/refusal.ts';
import { startEarly } from '#platform/flow/start-early.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  type CorrelatedRange,
  correlatedSignals,
  hourlyCounts,
  shapeCounts,
} from '#platform/warehouse/queries/evidence/correlations.ts';
import { mostCertain } from './most-certain.ts';

/**
 * A search for patterns in a customer's signals, as plain data for another thread. Times are Unix ms, both ends
 * inclusive.
 */
export interface PatternTask extends CorrelationSettings {
  readonly customerId: string;
  readonly from: number;
  readonly to: number;
  /** null: all sandboxes. */
  readonly sandboxSlug: string | null;
}

export interface FoundPatterns {
  readonly analyzedSignals: number;
  /** Total number found. */
  readonly count: number;
  /** The patterns kept, most certain first. */
  readonly patterns: readonly StoredPattern[];
}

export interface SearchWatch {
  /** Fires when the outcome is no longer needed. */
  readonly gone: AbortSignal;
  /** Called with the number of signals analyzed so far. */
  readonly onProgress: (analyzedSignals: number) => void;
}

/** Where patterns are searched for: on this thread, or on a separate one. */
export interface PatternSearch {
  run(task: PatternTask, watch: SearchWatch): Promise<FoundPatterns>;
}

/** Searches on this thread, which yields after each chunk that it reads. */
export const searchHere = (warehouse: Warehouse): PatternSearch => ({
  run: (task, watch) => findPatterns(warehouse, task, watch),
});

const rangeOf = ({ customerId, from, to, sandboxSlug }: PatternTask): CorrelatedRange => ({
  customerId,
  from,
  to,
  slug: sandboxSlug === null ? null : matchedSlug(sandboxSlug),
});

async function* nothing(): AsyncGenerator<never> {}

async function findPatterns(
  warehouse: Warehouse,
  task: PatternTask,
  { gone, onProgress }: SearchWatch,
): Promise<FoundPatterns> {
  const { customerId, from, to, sandboxSlug, windowMinutes, minSignals, dimensions } = task;
  const settings = { windowMinutes, minSignals, dimensions };
  const range = { startDate: from, endDate: to + 1 };
  const run = startRun({
    ...settings,
    ...range,
    customerId,
    sandboxSlug,
    similarity: FINGERPRINTS,
  });
  const yieldTurn = async (): Promise<void> => {
    await turn();
    if (gone.aborted) throw unavailable(new Error('the search was canceled'));
  };
  const past = { ...rangeOf(task), from: Math.max(0, from - BASELINE_DAYS * DAY_MS), to: from - 1 };
  const hasPast = past.to >= past.from;
  const hours = startEarly(hasPast ? hourlyCounts(warehouse, past) : nothing());
  // From here the engine has finished its work for the hours, so it sorts the signals while the hours are counted here.
  await hours.started;
  const shapes = startEarly(hasPast ? shapeCounts(warehouse, past) : nothing());
  const signals = startEarly(correlatedSignals(warehouse, rangeOf(task)));
  try {
    for await (const groups of hours) {
      run.countHours(groups);
      await yieldTurn();
    }
    for await (const groups of shapes) {
      run.countShapes(groups);
      await yieldTurn();
    }
    for await (const some of signals) {
      run.addSignals(some);
      onProgress(run.analyzedSignals);
      await yieldTurn();
    }
  } finally {
    await Promise.all([hours.return(), shapes.return(), signals.return()]);
  }
  const found = run.finish();
  return {
    analyzedSignals: run.analyzedSignals,
    count: found.length,
    patterns: mostCertain(found),
  };
}
