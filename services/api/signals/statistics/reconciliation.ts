import { setTimeout as pause } from 'node:timers/promises';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { type EventLog, LogUnavailable } from '#platform/event-log/port.ts';
import { withTimeout } from '#platform/flow/with-timeout.ts';
import type { AdmittedCount } from '#platform/state/admitted-audits.ts';
import type { Admission } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { positionsOf } from '#platform/warehouse/queries/positions.ts';
import {
  type ReconciliationRow,
  readReconciliation as readRow,
} from '#platform/warehouse/queries/reconciliation.ts';
import type { AdmittedCounts } from '#records/audits/admitted-counts.ts';
import type { Reconciliation } from '#schemas/api/dashboard.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { type DashboardDependencies, withFreshness } from './stats.ts';

export type ReconciliationDependencies = Pick<DashboardDependencies, 'warehouse' | 'freshness' | 'now'> & {
  readonly state: { readonly admission: Pick<Admission, 'admittedCount'> };
  readonly admitted: Pick<AdmittedCounts, 'epoch' | 'write'>;
  readonly log: Log;
};
type Log = Pick<EventLog, 'bounds' | 'read'>;

/**
 * The numbers come from sources that no single fault changes together: the state counts what was acknowledged, the
 * acceptances are everything that the audit list ever received, the list has their outcomes, the signals are what is
 * served, and the ledger holds a SIGNAL entry for each completed audit. Audits in flight are not a difference.
 */
export async function readReconciliation(
  dependencies: ReconciliationDependencies,
  customerId: string,
): Promise<Reconciliation> {
  await dependencies.admitted.write();
  // Read before the log: whatever is counted here is below the ends read there.
  const counted = await dependencies.state.admission.admittedCount(customerId);
  // A new epoch may start without what the log or the warehouse held before.
  const admitted = counted?.epoch === dependencies.admitted.epoch ? counted : null;
  const logged = await inLog(dependencies.log, customerId);
  return withFreshness(dependencies, async () => {
    const { row, waiting } = await settledCounts(dependencies, customerId, admitted?.since ?? NEVER, logged);
    const left = (admitted?.total ?? 0) - row.acceptedSince;
    // If no admitted audit is left to explain, the waiting records need not be read.
    const inFlight = left > 0 ? await waitingOf(dependencies.log, customerId, waiting) : 0;
    return reconciliationOf(row, admitted, inFlight);
  });
}

/** Later than any time compared with it, Unix ms. */
const NEVER = Date.UTC(2200, 0);
/** Maximum delay that an unresponsive log causes. */
const LOG_LIMIT_MS = 1_000;

/** Records of a partition: `from` inclusive, `to` exclusive. */
interface Span {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

/** All partitions through which the customer's audits reach the list: triplets, and signals of the platform. */
const sourcesOf = (customerId: string): readonly { readonly topic: string; readonly partition: number }[] => [
  ...Array.from({ length: TRIPLETS.partitions }, (_, partition) => ({ topic: TRIPLETS.name, partition })),
  { topic: LEDGER.name, partition: partitionOf(customerId, LEDGER.partitions) },
];

/** What the log holds of these partitions; null: no response. */
function inLog(log: Log, customerId: string): Promise<Span[] | null> {
  return inTime(
    sourcesOf(customerId).map(async (source) => {
      const { start, end } = await log.bounds(source.topic, source.partition);
      return { ...source, from: start, to: end };
    }),
  );
}

const inTime = <Result>(work: readonly Promise<Result>[]): Promise<Result[] | null> =>
  withTimeout<Result[] | null>(Promise.all(work), LOG_LIMIT_MS, () => null).catch((error: unknown) => {
    if (error instanceof LogUnavailable) return null;
    throw error;
  });

/** Counts, and the records of the log that were not yet in the tables before the read; null: unknown. */
interface Counts {
  readonly row: ReconciliationRow;
  readonly waiting: readonly Span[] | null;
}

async function readCounts(
  warehouse: Warehouse,
  customerId: string,
  since: number,
  logged: readonly Span[] | null,
): Promise<Counts> {
  // Read before the rows, which contain everything below these positions.
  const stored = await positionsOf(warehouse, [TRIPLETS.name, LEDGER.name]);
  const nextOf = (topic: string, partition: number): number =>
    stored.find((one) => one.topic === topic && one.partition === partition)?.nextOffset ?? 0;
  const epoch = stored[0]?.epoch;
  const partition = partitionOf(customerId, LEDGER.partitions);
  const folded = epoch === undefined ? null : { epoch, nextOffset: nextOf(LEDGER.name, partition) };
  const row = await readRow(warehouse, { customerId, folded, since });
  const left = logged?.map((span) => ({
    ...span,
    from: Math.max(span.from, nextOf(span.topic, span.partition)),
  }));
  return { row, waiting: left?.filter(({ from, to }) => from < to) ?? null };
}

/** Maximum number of waiting records to read; if there are more, all count as the customer's. */
const MAX_WAITING_READ = 256;

/** How many of the waiting records may be audits of the customer; null: unknown. */
async function waitingOf(log: Log, customerId: string, waiting: Counts['waiting']): Promise<number | null> {
  if (waiting === null) return null;
  const records = waiting.reduce((sum, { from, to }) => sum + to - from, 0);
  if (records > MAX_WAITING_READ) return records;
  const read = await inTime(
    waiting.flatMap(({ topic, partition, from, to }) =>
      Array.from({ length: to - from }, (_, n) => log.read(topic, partition, from + n)),
    ),
  );
  // An offset without a record may have held one of the customer's.
  return read?.filter((record) => (record?.headers.customerId ?? customerId) === customerId).length ?? null;
}

/** Pauses before reading again, ms. A flush writes to several tables and may be half done; a real fault persists. */
const REREAD_PAUSES_MS = [50, 150, 300, 500];

async function settledCounts(
  { warehouse }: ReconciliationDependencies,
  customerId: string,
  since: number,
  logged: readonly Span[] | null,
): Promise<Counts> {
  let counts = await readCounts(warehouse, customerId, since, logged);
  for (const waitMs of REREAD_PAUSES_MS) {
    if (isWhole(counts.row)) break;
    await pause(waitMs);
    counts = await readCounts(warehouse, customerId, since, logged);
  }
  return counts;
}

const differenceOf = ({
  accepted,
  listed,
  inFlight,
  retrying,
  deadLettered,
  erased,
}: ReconciliationRow): number => accepted - listed - inFlight - retrying - deadLettered - erased;

const isWhole = (row: ReconciliationRow): boolean =>
  differenceOf(row) === 0 &&
  row.signalDifference === 0 &&
  row.stored === row.listed &&
  row.completed === row.ledgerSignals;

function reconciliationOf(
  row: ReconciliationRow,
  admitted: AdmittedCount | null,
  waiting: number | null,
): Omit<Reconciliation, 'asOf' | 'freshness'> {
  const { acceptedSince, ...numbers } = row;
  const total = admitted?.total ?? 0;
  // By the log's order, independent of host clocks: an audit that is not accepted must be among the waiting records.
  const missing = admitted === null || waiting === null ? 0 : Math.max(0, total - acceptedSince - waiting);
  return {
    ...numbers,
    balanced: isWhole(row) && missing === 0,
    difference: differenceOf(row),
    admitted: total,
    since: admitted === null ? null : new Date(admitted.since).toISOString(),
    missing,
    unacknowledged: admitted === null ? 0 : Math.max(0, acceptedSince - total),
  };
}
