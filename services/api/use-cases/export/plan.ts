import type { Directory } from '../../../../platform/directory/directory.ts';
import {
  type ExportSelection,
  exportWindows,
  type Window,
} from '../../../../platform/warehouse/queries/export.ts';
import type { QueryOf } from '../../../../schemas/api/contract.ts';
import type { ExportFormat, exportSignals } from '../../../../schemas/api/export.ts';
import { ApiError } from '../../errors.ts';
import { signalFilter } from '../read-signals.ts';
import { type BoundParts, boundOf, type ExportBound } from './as-of.ts';

export interface PlanParts extends BoundParts {
  readonly directory: Directory;
}

export type ExportQuery = QueryOf<typeof exportSignals>;

/** An export that can begin: everything that could be refused was looked at. */
export interface ExportPlan {
  readonly format: ExportFormat;
  readonly bound: ExportBound;
  readonly selection: ExportSelection;
  /** At least one. */
  readonly windows: readonly Window[];
}

/**
 * Signals that the warehouse is asked for at once. Each window is a statement of its own, so that the sort fits into
 * little memory, the newest signals come first and at once, and a reader of hours holds up no statement of hours.
 */
const WINDOW_ROWS = 16_384;

/** Signals that a file of the format can hold, where it has a limit: a sheet has 2^20 rows, one for the names. */
const MAX_ROWS: Partial<Record<ExportFormat, number>> = { xlsx: 2 ** 20 - 1 };

export async function planExport(
  parts: PlanParts,
  customerId: string,
  query: ExportQuery,
  gone: AbortSignal,
): Promise<ExportPlan> {
  const { format } = query;
  const filter = await signalFilter(parts.directory, customerId, query);
  const bound = await boundOf(parts, customerId, query, gone);
  // Of a sandbox that there is not nothing can match.
  const selection =
    filter === null ? { filter: { customerId }, treeSize: 0 } : { filter, treeSize: bound.treeSize };
  const { total, windows } = await exportWindows(parts.warehouse, selection, WINDOW_ROWS);
  const most = MAX_ROWS[format];
  if (most !== undefined && total > most) {
    throw new ApiError('EXPORT_TOO_LARGE', {
      message: `A file of ${format} holds at most ${most} signals, and these are ${total}; use csv, ndjson or json, or a shorter period`,
    });
  }
  return { format, bound, selection, windows };
}
