import { type CorrelationFold, createFold } from '#core/correlate/fold/fold.ts';
import type { HourlyCounts, Past, ShapeCount } from '#core/correlate/state/entries.ts';
import { BASELINE_DAYS, DAY_MS } from '#core/correlate/state/rules.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { type Warehouse, WarehouseLimitExceeded } from '#platform/warehouse/port.ts';
import { settingsBelow } from '#platform/warehouse/queries/evidence/correlated-entries.ts';
import {
  type CorrelatedRange,
  hourlyCounts,
  shapeCounts,
} from '#platform/warehouse/queries/evidence/correlations.ts';
import { correlatedEntry } from './correlated-entry.ts';

/** How much of the past is read: a day more than a baseline, because a window of a day may still be open. */
const PAST_MS = (BASELINE_DAYS + 1) * DAY_MS;

/**
 * Maximum number of signal groups in those hours, and of groups by shape, all in memory at once. A customer that sends
 * a new model name with each signal has more, and then gets no past: a truncated baseline would find false bursts.
 */
const MAX_PAST_GROUPS = 300_000;

const NO_PAST: Past = { hours: [], shapes: [] };

interface FirstEntry {
  /** Index of the first entry that the fold will see, and its time, Unix ms. */
  readonly first: number;
  readonly at: number;
}

/**
 * A fold that starts in the middle of a ledger, with what the warehouse has below that index: hourly counts before it,
 * and the current settings.
 */
export async function foldFrom(
  warehouse: Warehouse,
  customerId: string,
  { first, at }: FirstEntry,
  maxGroups = MAX_PAST_GROUPS,
): Promise<CorrelationFold> {
  const range = { customerId, from: Math.max(0, at - PAST_MS), to: at, slug: null, below: first };
  const past = first > 0 ? await pastOf(warehouse, range, maxGroups) : NO_PAST;
  const fold = createFold({ customerId, similarity: FINGERPRINTS }, past);
  const settings = first > 0 ? await settingsBelow(warehouse, customerId, first) : null;
  if (settings !== null) fold.fold([correlatedEntry({ ...settings, fingerprint: null })]);
  if (fold.next < first) fold.fold([{ kind: 'OTHER', index: first - 1 }]);
  return fold;
}

async function pastOf(warehouse: Warehouse, range: CorrelatedRange, maxGroups: number): Promise<Past> {
  try {
    const hours = await upTo<HourlyCounts>(maxGroups, hourlyCounts(warehouse, range), hoursIn);
    const shapes = hours && (await upTo<ShapeCount>(maxGroups, shapeCounts(warehouse, range), one));
    return hours === null || shapes === null ? NO_PAST : { hours, shapes };
  } catch (error) {
    // Waiting does not make it smaller: the customers of its partition would wait forever.
    if (error instanceof WarehouseLimitExceeded) return NO_PAST;
    throw error;
  }
}

const hoursIn = ({ hours }: HourlyCounts): number => hours.length;
const one = (): number => 1;

/** Null when there are more. `sizeOf`: how many a row holds. */
async function upTo<Row>(
  most: number,
  chunks: AsyncIterable<Row[]>,
  sizeOf: (row: Row) => number,
): Promise<Row[] | null> {
  const all: Row[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    for (const row of chunk) {
      all.push(row);
      size += sizeOf(row);
    }
    if (size > most) return null;
  }
  return all;
}
