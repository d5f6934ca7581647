import { setTimeout as delay } from 'node:timers/promises';
import { matchedSlug } from '#core/correlate/detect.ts';
import { DAY_MS } from '#core/correlate/state/rules.ts';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { countCorrelated } from '#platform/warehouse/queries/evidence/correlations.ts';
import type { CorrelationRun, RunParameters } from '#records/correlations/correlation-run.ts';
import type { Directory } from '#records/directory.ts';
import type { NewCorrelationRun, ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { MAX_RANGE_DAYS } from '#schemas/correlation-bounds.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { Once } from '../../operations/once.ts';
import type { PatternTask } from './find-patterns.ts';
import type { PatternRuns } from './pattern-runs.ts';
import { findRun, shownRun } from './read-runs.ts';

export type CorrelationDependencies = Pick<
  ApiDependencies,
  'state' | 'warehouse' | 'logger' | 'now' | 'newId' | 'patternAnswerMs'
> & { readonly directory: Directory; readonly patternRuns: PatternRuns };

const DEFAULT_DAYS = 30;
/** Maximum number of signals in a run. */
const MAX_RUN_SIGNALS = 2_000_000;
/** A longer run is answered with RUNNING. */
const ANSWERED_WITHIN_MS = 10_000;

interface Request {
  readonly customerId: string;
  readonly input: NewCorrelationRun;
  /** Fires when the client stops waiting; the run continues. */
  readonly gone: AbortSignal;
}

/** Starts a run over history, and shows its status when it ends or its time to answer is up. */
export function detectCorrelations<Answered>(
  dependencies: CorrelationDependencies,
  { customerId, input, gone }: Request,
  once: Once<ShownCorrelationRun, Answered>,
): Promise<Answered> {
  return once(
    async ({ id, at }) =>
      (await findRun(dependencies, customerId, id)) ??
      started(dependencies, customerId, input, { id, at, gone }),
  );
}

async function started(
  dependencies: CorrelationDependencies,
  customerId: string,
  input: NewCorrelationRun,
  { id, at, gone }: { readonly id: string; readonly at: string; readonly gone: AbortSignal },
) {
  const { directory, warehouse, patternRuns, patternAnswerMs = ANSWERED_WITHIN_MS } = dependencies;
  const { range: _, sandboxSlug: slug, ...settings } = input;
  const range = rangeOf(input, Date.parse(at));
  const sandboxSlug = slug ?? null;
  // Deleted sandboxes keep their slug, and their signals count.
  if (sandboxSlug !== null && (await directory.sandboxIdOfSlug(customerId, sandboxSlug)) === null)
    throw new Refusal('SANDBOX_NOT_FOUND');
  const matched = sandboxSlug === null ? null : matchedSlug(sandboxSlug);
  const totalSignals = await countCorrelated(warehouse, { customerId, ...range, slug: matched });
  if (totalSignals > MAX_RUN_SIGNALS) throw new Refusal('CORRELATION_TOO_LARGE');
  const task: PatternTask = { ...settings, ...range, customerId, sandboxSlug };
  const run = newRun({ id, at, totalSignals }, task);
  const { ended } = await patternRuns.begin(customerId, run, task);
  const answered = new AbortController();
  const signal = AbortSignal.any([gone, answered.signal]);
  await Promise.race([
    ended,
    delay(patternAnswerMs, undefined, { signal, ref: false }).catch(() => undefined),
  ]);
  answered.abort();
  return (await findRun(dependencies, customerId, id)) ?? shownRun(run, null);
}

function rangeOf({ range }: NewCorrelationRun, now: number): { readonly from: number; readonly to: number } {
  const to = range.to ?? now;
  const from = range.from ?? Math.max(0, to - DEFAULT_DAYS * DAY_MS);
  if (from > to) throw invalid('startDate', 'the range must start before it ends; endDate defaults to now');
  if (to - from >= MAX_RANGE_DAYS * DAY_MS)
    throw invalid('startDate', `a run looks at ${MAX_RANGE_DAYS} days at most`);
  return { from, to };
}

function newRun(
  { id, at, totalSignals }: { readonly id: string; readonly at: string; readonly totalSignals: number },
  { from, to, sandboxSlug, windowMinutes, minSignals, dimensions }: PatternTask,
): CorrelationRun {
  const parameters: RunParameters = {
    startDate: new Date(from).toISOString(),
    endDate: new Date(to).toISOString(),
    sandboxSlug,
    windowMinutes,
    minSignals,
    dimensions,
  };
  return {
    id,
    status: 'RUNNING',
    parameters,
    analyzedSignals: 0,
    totalSignals,
    patternCount: null,
    patternsLeftOut: 0,
    failure: null,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
  };
}
