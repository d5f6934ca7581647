import { setTimeout as pause } from 'node:timers/promises';
import { partitionOf } from '../../../platform/event-log/murmur2.ts';
import {
  type Admission,
  type AdmittedCount,
  RECENT_LIMIT,
  RECENT_MINUTES,
} from '../../../platform/state/port.ts';
import { type BooksRow, readBooks as readRow } from '../../../platform/warehouse/queries/books.ts';
import type { Books, Freshness } from '../../../schemas/api/dashboard.ts';
import { LEDGER } from '../../../schemas/topics.ts';
import type { AdmittedCounts } from './admitted-counts.ts';
import { type DashboardParts, withFreshness } from './stats.ts';

export type BooksParts = Pick<DashboardParts, 'warehouse' | 'freshness' | 'now'> & {
  readonly state: { readonly admission: Pick<Admission, 'admittedCount'> };
  readonly admitted: Pick<AdmittedCounts, 'epoch' | 'write'>;
};

/**
 * The numbers come from places that no single fault changes together: the state counts what was acknowledged, the
 * acceptances are what the audit list ever took in, the list says what became of it, and the ledger holds a SIGNAL entry
 * for each audit that completed. What is still under way is no difference.
 */
export async function readBooks(parts: BooksParts, customerId: string): Promise<Books> {
  await parts.admitted.write();
  // Before the look at the log: whatever is counted here lies below the ends that are seen there.
  const counted = await parts.state.admission.admittedCount(customerId);
  // A new epoch may begin without what was in the log or the warehouse before.
  const admitted = counted?.epoch === parts.admitted.epoch ? counted : null;
  return withFreshness(parts, async (freshness, asOf) => {
    const before = dueBefore(freshness, asOf);
    const row = await settledRow(parts, customerId, admitted?.since ?? NEVER, before);
    return booksOf(row, admitted, dueOf(admitted, before, asOf));
  });
}

/** Later than any time that is compared with it, Unix ms. */
const NEVER = Date.UTC(2200, 0);
const MINUTE_MS = 60_000;
/** Clocks of processes differ, and a record reaches the log some time after its audit was accepted. */
const SLACK_MS = 60_000;

/** Audits accepted before this time have reached the tables, as far as they are in the log. Unix ms, a whole minute. */
function dueBefore({ lagSeconds, complete }: Freshness, asOf: number): number {
  if (complete) return NEVER;
  if (lagSeconds === null) return 0;
  const horizon = asOf - lagSeconds * 1_000 - SLACK_MS;
  return Math.max(0, Math.floor(horizon / MINUTE_MS) * MINUTE_MS);
}

/** How many of the counted audits were accepted before `before`; 0 when that cannot be told. */
function dueOf(admitted: AdmittedCount | null, before: number, asOf: number): number {
  if (admitted === null) return 0;
  const { total, recent } = admitted;
  if (before === NEVER) return total;
  // The minutes of longer ago are no longer told apart.
  const told = asOf - (RECENT_MINUTES - 1) * MINUTE_MS;
  if (before < told || recent.length >= RECENT_LIMIT) return 0;
  const later = recent.filter(({ minute }) => minute * MINUTE_MS >= before);
  return total - later.reduce((sum, { count }) => sum + count, 0);
}

/** Pauses before another look, ms. A flush writes to several tables and may be half done; a fault stays. */
const LOOK_AGAIN_MS = [50, 150, 300, 500];

async function settledRow(
  { warehouse }: BooksParts,
  customerId: string,
  since: number,
  before: number,
): Promise<BooksRow> {
  const query = {
    customerId,
    ledgerTopic: LEDGER.name,
    ledgerPartition: partitionOf(customerId, LEDGER.partitions),
    since,
    before,
  };
  let row = await readRow(warehouse, query);
  for (const waitMs of LOOK_AGAIN_MS) {
    if (differenceOf(row) === 0 && row.completed === row.ledgerSignals) break;
    await pause(waitMs);
    row = await readRow(warehouse, query);
  }
  return row;
}

const differenceOf = ({ accepted, stored, inFlight, retrying, deadLettered, erased }: BooksRow): number =>
  accepted - stored - inFlight - retrying - deadLettered - erased;

function booksOf(
  row: BooksRow,
  admitted: AdmittedCount | null,
  due: number,
): Omit<Books, 'asOf' | 'freshness'> {
  const { acceptedSince, acceptedBefore, ...numbers } = row;
  const total = admitted?.total ?? 0;
  const difference = differenceOf(row);
  const missing = Math.max(0, due - acceptedBefore);
  return {
    ...numbers,
    balanced: difference === 0 && missing === 0 && row.completed === row.ledgerSignals,
    difference,
    admitted: total,
    since: admitted === null ? null : new Date(admitted.since).toISOString(),
    missing,
    unacknowledged: admitted === null ? 0 : Math.max(0, acceptedSince - total),
  };
}
