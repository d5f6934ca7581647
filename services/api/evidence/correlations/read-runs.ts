import type { StoredPattern } from '#core/correlate/fold/stored-pattern.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { findFinding } from '#platform/warehouse/queries/evidence/findings.ts';
import type { CorrelationRun } from '#records/correlations/correlation-run.ts';
import { runsAt } from '#records/correlations/correlation-runs.ts';
import { patternsWithoutErased } from '#records/correlations/remove-erased.ts';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import type { FindingSource } from '#schemas/vocabulary.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { shownFindings } from './shown-findings.ts';
import { shownPattern } from './shown-pattern.ts';

type ReadDependencies = Pick<ApiDependencies, 'state' | 'warehouse' | 'now'>;

/** Source of these patterns. */
const SOURCE: FindingSource = 'RUN';

/** Null: unknown, or no longer kept. */
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

/** A run over history, or a finding of the stream. */
export async function readCorrelation(
  dependencies: ReadDependencies,
  customerId: string,
  id: string,
): Promise<ShownCorrelationRun> {
  const run = await findRun(dependencies, customerId, id);
  if (run !== null) return run;
  const { warehouse } = dependencies;
  const finding = await findFinding(warehouse, customerId, id);
  if (finding === null) throw new Refusal('NOT_FOUND');
  const [shown] = await shownFindings(warehouse, customerId, [finding]);
  return shown!;
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
    // Below 1 until its patterns are available: signals arrive while it reads.
    progress: status === 'COMPLETED' ? 1 : Math.min(0.99, share),
    patterns: patterns === null ? null : patterns.map(shownPattern),
  };
}
