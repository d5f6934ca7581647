import { setTimeout as pause } from 'node:timers/promises';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { type AdmittedCount, RECENT_LIMIT, RECENT_MINUTES } from '#platform/state/admitted-audits.ts';
import type { Admission } from '#platform/state/port.ts';
import {
  type ReconciliationRow,
  readReconciliation as readRow,
} from '#platform/warehouse/queries/reconciliation.ts';
import type { Freshness, Reconciliation } from '#schemas/api/dashboard.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { AdmittedCounts } from '../ingest/admitted-counts.ts';
import { type DashboardDependencies, withFreshness } from '../signals/stats.ts';

export type ReconciliationDependencies = Pick<DashboardDependencies, 'warehouse' | 'freshness' | 'now'> & {
  readonly state: { readonly admission: Pick<Admission, 'admittedCount'> };
  readonly admitted: Pick<AdmittedCounts, 'epoch' | 'write'>;
};

/**
 * The numbers come from sources that no single fault changes together: the state counts what was acknowledged, the
 * acceptances are all that the audit list ever received, the list has their outcomes, and the ledger holds a SIGNAL
 * entry for each completed audit. What is still in flight is no difference.
 */
export async function readReconciliation(
  dependencies: ReconciliationDependencies,
  customerId: string,
): Promise<Reconciliation> {
  await dependencies.admitted.write();
  // Before the log is read: whatever is counted here is below the ends that are read there.
  const counted = await dependencies.state.admission.admittedCount(customerId);
  // A new epoch may begin without what the log or the warehouse held before.
  const admitted = counted?.epoch === dependencies.admitted.epoch ? counted : null;
  return withFreshness(dependencies, async (freshness, asOf) => {
    const before = dueBefore(freshness, asOf);
    const row = await settledRow(dependencies, customerId, admitted?.since ?? NEVER, before);
    return reconciliationOf(row, admitted, dueOf(admitted, before, asOf));
  });
}

/** Later than any time compared with it, Unix ms. */
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

/** How many of the counted audits were accepted before `before`; 0 when that is unknown. */
function dueOf(admitted: AdmittedCount | null, before: number, asOf: number): number {
  if (admitted === null) return 0;
  const { total, recent } = admitted;
  if (before === NEVER) return total;
  // Counts of earlier minutes are merged.
  const told = asOf - (RECENT_MINUTES - 1) * MINUTE_MS;
  if (before < told || recent.length >= RECENT_LIMIT) return 0;
  const later = recent.filter(({ minute }) => minute * MINUTE_MS >= before);
  return total - later.reduce((sum, { count }) => sum + count, 0);
}

/** Pauses before reading again, ms. A flush writes to several tables and may be half done; a fault stays. */
const LOOK_AGAIN_MS = [50, 150, 300, 500];

async function settledRow(
  { warehouse }: ReconciliationDependencies,
  customerId: string,
  since: number,
  before: number,
): Promise<ReconciliationRow> {
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

const differenceOf = ({
  accepted,
  stored,
  inFlight,
  retrying,
  deadLettered,
  erased,
}: ReconciliationRow): number => accepted - stored - inFlight - retrying - deadLettered - erased;

function reconciliationOf(
  row: ReconciliationRow,
  admitted: AdmittedCount | null,
  due: number,
): Omit<Reconciliation, 'asOf' | 'freshness'> {
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
