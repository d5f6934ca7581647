import type { HourlyCount } from '#core/correlate/entries.ts';
import { type CorrelationFold, createFold } from '#core/correlate/fold.ts';
import { BASELINE_DAYS, DAY_MS } from '#core/correlate/rules.ts';
import { bands, similarity } from '#core/similarity/compare.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { settingsBelow } from '#platform/warehouse/queries/evidence/correlated-entries.ts';
import { hourlyCounts } from '#platform/warehouse/queries/evidence/correlations.ts';
import { correlatedEntry } from './correlated-entry.ts';

export const SIMILARITY = { similarity, bands };

/** Of the past, a day more than a baseline: a window of a day may still be open. */
const PAST_MS = (BASELINE_DAYS + 1) * DAY_MS;

interface FirstEntry {
  /** The first entry that the fold will see, and when it was made, Unix ms. */
  readonly first: number;
  readonly at: number;
}

/**
 * A fold that begins in the middle of a ledger, with what the warehouse has below that place: counts of the hours
 * before, and the settings that hold.
 */
export async function foldFrom(
  warehouse: Warehouse,
  customerId: string,
  { first, at }: FirstEntry,
): Promise<CorrelationFold> {
  const past: HourlyCount[] = [];
  if (first > 0) {
    const range = { customerId, from: Math.max(0, at - PAST_MS), to: at, slug: null, below: first };
    for await (const groups of hourlyCounts(warehouse, range)) past.push(...groups);
  }
  const fold = createFold({ customerId, similarity: SIMILARITY }, past);
  const settings = first > 0 ? await settingsBelow(warehouse, customerId, first) : null;
  if (settings !== null) fold.fold([correlatedEntry({ ...settings, fingerprint: null })]);
  if (fold.next < first) fold.fold([{ kind: 'OTHER', index: first - 1 }]);
  return fold;
}
