import { findingOfStored, type StoredPattern } from '#core/correlate/stored-pattern.ts';
import type { ShownCorrelationRun, ShownPattern } from '#schemas/api/evidence/correlations.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import type { FindingSource } from '#schemas/vocabulary.ts';
import type { CorrelationRun } from '#services/customers/correlations/correlation-run.ts';
import { runsAt } from '#services/customers/correlations/correlation-runs.ts';
import type { ApiDependencies } from '../../../dependencies.ts';
import { ApiError } from '../../../errors.ts';
import { pageOfIds } from '../../paging.ts';
import { patternsWithoutErased } from './take-out-erased.ts';

type ReadDependencies = Pick<ApiDependencies, 'state' | 'warehouse' | 'now'>;

/** What finds these patterns. */
const SOURCE: FindingSource = 'RUN';

export async function listRuns(
  { state, now }: Pick<ReadDependencies, 'state' | 'now'>,
  customerId: string,
  { source, ...request }: PageRequest & { readonly source?: FindingSource | undefined },
): Promise<{ data: ShownCorrelationRun[]; pagination: Pagination }> {
  const all =
    source === undefined || source === SOURCE ? await runsAt(state.documents, customerId, now()) : [];
  const byId = new Map(all.map((run) => [run.id, run]));
  const { rows, pagination } = pageOfIds([...byId.keys()].sort(), request);
  return { data: rows.map((id) => shownRun(byId.get(id)!, null)), pagination };
}

/** Null: there is none, or it is forgotten. */
export async function findRun(
  dependencies: ReadDependencies,
  customerId: string,
  id: string,
): Promise<ShownCorrelationRun | null> {
  const { state, now } = dependencies;
  const run = (await runsAt(state.documents, customerId, now())).find((one) => one.id === id);
  if (run === undefined) return null;
  if (run.status !== 'COMPLETED') return shownRun(run, null);
  return shownRun(run, await patternsWithoutErased(dependencies, customerId, run));
}

export async function readRun(
  dependencies: ReadDependencies,
  customerId: string,
  id: string,
): Promise<ShownCorrelationRun> {
  const run = await findRun(dependencies, customerId, id);
  if (run === null) throw new ApiError('NOT_FOUND');
  return run;
}

/** `patterns` null: not shown. */
export function shownRun(
  { updatedAt: _, ...run }: CorrelationRun,
  patterns: readonly StoredPattern[] | null,
): ShownCorrelationRun {
  const { status, analyzedSignals, totalSignals, parameters } = run;
  const share = totalSignals === 0 ? 0 : analyzedSignals / totalSignals;
  return {
    ...run,
    source: SOURCE,
    parameters: { ...parameters, dimensions: [...parameters.dimensions] },
    // Below 1 until its patterns are there: signals come while it reads.
    progress: status === 'COMPLETED' ? 1 : Math.min(0.99, share),
    patterns: patterns === null ? null : patterns.map(shownPattern),
  };
}

const timeOf = (at: number): string => new Date(at).toISOString();

function shownPattern(pattern: StoredPattern): ShownPattern {
  const { windowStart, windowMs, firstSeen, lastSeen, signalIds, ...finding } = findingOfStored(pattern);
  return {
    ...finding,
    windowStart: timeOf(windowStart),
    windowEnd: timeOf(windowStart + windowMs),
    firstSeen: timeOf(firstSeen),
    lastSeen: timeOf(lastSeen),
    signalIds: [...signalIds],
  };
}
