import type { StoredPattern } from '#core/correlate/fold/stored-pattern.ts';
import type { CorrelationSettings } from '#core/correlate/state/rules.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { eachWithoutErased } from '#records/correlations/remove-erased.ts';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import type { CorrelationRow } from '#schemas/tables/tables.ts';
import { shownPattern } from './shown-pattern.ts';

/** A finding is never complete while its window is open. */
const PROGRESS_WHILE_OPEN = 0.99;

/**
 * Findings of the stream in the shape of runs, without signals erased since. The table still has those until the
 * correlator folds their erasure, and permanently if it has forgotten the finding. Nothing is written.
 */
export async function shownFindings(
  warehouse: Warehouse,
  customerId: string,
  rows: readonly CorrelationRow[],
): Promise<ShownCorrelationRun[]> {
  const read = rows.map((row) => ({
    row,
    pattern: JSON.parse(row.pattern) as StoredPattern,
    settings: JSON.parse(row.settings) as CorrelationSettings,
  }));
  const judged = read.map(({ pattern, settings }) => ({ pattern, minSignals: settings.minSignals }));
  const left = await eachWithoutErased(warehouse, customerId, judged);
  return read.map(({ row, settings }, index) => shownFinding(row, settings, left[index]!));
}

function shownFinding(
  { id, foundAt, changedAt }: CorrelationRow,
  { windowMinutes, minSignals, dimensions }: CorrelationSettings,
  stored: StoredPattern,
): ShownCorrelationRun {
  const pattern = shownPattern(stored);
  const isOpen = pattern.status === 'OPEN';
  return {
    id,
    source: 'STREAM',
    status: isOpen ? 'RUNNING' : 'COMPLETED',
    parameters: {
      startDate: pattern.windowStart,
      endDate: new Date(Date.parse(pattern.windowEnd) - 1).toISOString(),
      sandboxSlug: null,
      windowMinutes,
      minSignals,
      dimensions: [...dimensions],
    },
    analyzedSignals: pattern.count,
    totalSignals: pattern.count,
    progress: isOpen ? PROGRESS_WHILE_OPEN : 1,
    patternCount: 1,
    patternsLeftOut: 0,
    patterns: [pattern],
    failure: null,
    createdAt: foundAt,
    completedAt: isOpen ? null : changedAt,
  };
}
