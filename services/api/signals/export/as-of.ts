import { setTimeout as sleep } from 'node:timers/promises';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { type EventLog, LogUnavailable } from '#platform/event-log/port.ts';
import { invalid, Refusal, unavailable } from '#platform/flow/refusal.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { type LedgerAt, ledgerAt } from '#platform/warehouse/queries/export.ts';
import { storedPositions } from '#platform/warehouse/queries/positions.ts';
import { oldestUnstoredOf } from '#records/audits/unstored.ts';
import { LEDGER } from '#schemas/topics.ts';

export interface BoundDependencies {
  readonly warehouse: Warehouse;
  readonly log: Pick<EventLog, 'bounds' | 'read'>;
  readonly now: () => number;
}

interface AskedBound {
  /** Unix ms. */
  readonly asOf?: number | undefined;
  readonly treeSize?: number | undefined;
}

/**
 * The signals that an export may hold: those of the first `treeSize` entries of the customer's ledger. The ledger only
 * grows, so the same treeSize always means the same signals, minus those erased since.
 */
export interface ExportBound {
  /** Unix ms. */
  readonly asOf: number;
  readonly treeSize: number;
  /** Contains everything that the log held at the time of the request. */
  readonly complete: boolean;
}

/** Maximum lead of a client's clock over ours. */
const CLOCK_SKEW_MS = 5_000;
/** Maximum difference between the log's clock and that of an entry's producer. */
const LOG_SKEW_MS = 60_000;
const WAIT_MS = 10_000;
const POLL_EVERY_MS = 100;
const LOG_LIMIT_MS = 1_000;

/**
 * `asOf` means the ledger up to the first younger entry. Every entry after that one was made later, whatever its time,
 * so a signal that is reported late changes no past export. While no entry is younger the end is open: the answer waits
 * until the sink has stored what the log received up to `asOf`, and names the treeSize; with that, an entry in flight
 * changes nothing either. Without `asOf` the export holds what is stored now.
 */
export async function boundOf(
  dependencies: BoundDependencies,
  customerId: string,
  asked: AskedBound,
  gone: AbortSignal,
): Promise<ExportBound> {
  const { asOf, treeSize } = asked;
  if (asOf !== undefined) return boundAt(dependencies, customerId, { asOf, treeSize }, gone);
  const complete = await isStored(dependencies, customerId, null);
  const now = dependencies.now();
  const ledger = await ledgerAt(dependencies.warehouse, customerId, now);
  return {
    // Entries may carry a time from a fast clock; with this `asOf`, no entry is younger.
    asOf: Math.max(now, ledger.newest),
    treeSize: sizeWithin(ledger.size, treeSize),
    complete: complete || treeSize !== undefined,
  };
}

async function boundAt(
  dependencies: BoundDependencies,
  customerId: string,
  { asOf, treeSize }: { readonly asOf: number; readonly treeSize: number | undefined },
  gone: AbortSignal,
): Promise<ExportBound> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    if (gone.aborted) throw unavailable(new Error('the export was canceled'));
    // Checked before the ledger is read, so that it does not count what is stored in between.
    const stored = await isStored(dependencies, customerId, asOf);
    const now = dependencies.now();
    const ledger = await ledgerAt(dependencies.warehouse, customerId, asOf);
    if (asOf > Math.max(now + CLOCK_SKEW_MS, ledger.newest)) {
      throw invalid('asOf', 'must not be in the future; omit asOf to export everything stored now');
    }
    if (isSettled(ledger, { asOf, treeSize }, stored && now > asOf)) {
      const then = ledger.sizeThen ?? ledger.size;
      return { asOf, treeSize: sizeWithin(then, treeSize), complete: true };
    }
    if (performance.now() >= deadline) throw notStored();
    await sleep(POLL_EVERY_MS, undefined, { signal: gone }).catch(() => undefined);
  }
}

const isSettled = (ledger: LedgerAt, { treeSize }: AskedBound, stored: boolean): boolean =>
  stored || ledger.sizeThen !== null || (treeSize !== undefined && treeSize <= ledger.size);

const notStored = (): Refusal =>
  new Refusal('UNAVAILABLE', {
    message: 'Signals up to asOf are not all stored yet. Try again later, or omit asOf.',
    retryAfterSeconds: 5,
  });

function sizeWithin(size: number, treeSize: number | undefined): number {
  if (treeSize === undefined) return size;
  if (treeSize > size) throw invalid('treeSize', `the ledger had only ${size} entries at that time`);
  return treeSize;
}

/**
 * True if the sink has stored everything that the log received up to a time (Unix ms; null: now) and that may belong to
 * this customer.
 */
async function isStored(
  dependencies: BoundDependencies,
  customerId: string,
  asOf: number | null,
): Promise<boolean> {
  const oldest = await Promise.race([
    oldestUnstored(dependencies, customerId),
    sleep(LOG_LIMIT_MS, 0, { ref: false }),
  ]).catch((error: unknown) => {
    // Unknown without the log.
    if (error instanceof LogUnavailable) return 0;
    throw error;
  });
  return oldest === null || (asOf !== null && oldest > asOf + LOG_SKEW_MS);
}

async function oldestUnstored(
  { log, warehouse }: BoundDependencies,
  customerId: string,
): Promise<number | null> {
  const partition = partitionOf(customerId, LEDGER.partitions);
  const { start, end } = await log.bounds(LEDGER.name, partition);
  const positions = await storedPositions(warehouse, LEDGER.name);
  const stored = positions.find((position) => position.partition === partition);
  return oldestUnstoredOf(log, { topic: LEDGER.name, partition, start, end }, stored);
}
