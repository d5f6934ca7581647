import { Refusal } from '#platform/flow/refusal.ts';
import { type ExportSelection, exportWindows, type Window } from '#platform/warehouse/queries/export.ts';
import type { Directory } from '#records/directory.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import type { ExportFormat, exportSignals } from '#schemas/api/export.ts';
import { signalFilter } from '../read-signals.ts';
import { type BoundDependencies, boundOf, type ExportBound } from './as-of.ts';

export interface PlanDependencies extends BoundDependencies {
  readonly directory: Directory;
}

export type ExportQuery = QueryOf<typeof exportSignals>;

/** An export ready to start: every check that could refuse it has passed. */
export interface ExportPlan {
  readonly format: ExportFormat;
  /** Whether a byte-order mark comes first. */
  readonly bom: boolean;
  readonly bound: ExportBound;
  readonly selection: ExportSelection;
  /** At least one. */
  readonly windows: readonly Window[];
}

/**
 * Signals per statement. Each window is a separate statement, so that the sort needs little memory, the newest signals
 * arrive at once, and a reader that takes hours keeps no statement open for hours.
 */
const WINDOW_ROWS = 16_384;

/** Maximum signals of formats with a limit: a sheet has 2^20 rows, one of them for the names. */
const MAX_ROWS: Partial<Record<ExportFormat, number>> = { xlsx: 2 ** 20 - 1 };

export async function planExport(
  dependencies: PlanDependencies,
  customerId: string,
  query: ExportQuery,
  gone: AbortSignal,
): Promise<ExportPlan> {
  const { format, bom } = query;
  const filter = await signalFilter(dependencies.directory, customerId, query);
  const bound = await boundOf(dependencies, customerId, query, gone);
  // Nothing can match a sandbox that does not exist.
  const selection =
    filter === null ? { filter: { customerId }, treeSize: 0 } : { filter, treeSize: bound.treeSize };
  const { total, windows } = await exportWindows(dependencies.warehouse, selection, WINDOW_ROWS);
  const most = MAX_ROWS[format];
  if (most !== undefined && total > most) {
    throw new Refusal('EXPORT_TOO_LARGE', {
      message: `${format} files hold at most ${most} signals, but ${total} match. Use csv, ndjson or json, or choose a shorter period.`,
    });
  }
  return { format, bom, bound, selection, windows };
}
