import { startBackgroundJob } from '#platform/flow/background-job.ts';
import { type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Metrics } from '#platform/telemetry/metrics/metrics.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { ledgerHead, ledgerRowCount } from '#platform/warehouse/queries/ledger.ts';
import { nextCustomer } from '#platform/warehouse/queries/trees.ts';
import { noteChecked, VERIFICATIONS, withChecked } from '#records/ledger/verified-ledger.ts';
import { requestBlanking } from '#records/retention/returned-content.ts';
import { otherDerivedFaults } from './derived-rows.ts';
import type { LedgerPasses } from './pass.ts';
import { checkedRange } from './verify-chain.ts';

export interface ScrubDependencies {
  readonly warehouse: Warehouse;
  readonly state: Pick<State, 'documents' | 'expiring'>;
  readonly passes: LedgerPasses;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'ledgerFault'>;
  /** Unix ms. */
  readonly now: () => number;
  /** Monotonic ms. */
  readonly clock: () => number;
}

/** Position of the round: this customer's ledger, this entry. */
interface Cursor {
  readonly customerId: string;
  readonly index: number;
  /** When the round started, Unix ms. */
  readonly since: number;
  /** The previous slice, by any process; null before the first. */
  readonly last?: {
    /** When it ended, Unix ms. */
    readonly at: number;
    readonly entries: number;
    /** Rest that its share of a core requires, ms. */
    readonly restMs: number;
  } | null;
}

const REF = { scope: SYSTEM_SCOPE, collection: VERIFICATIONS, id: 'scrub' } as const;
const LEASE = 'lease:ledger-scrub';
const LEASE_MS = 60_000;
/** Entries per slice: as much as a nearly saturated machine does without delaying other work. */
const SLICE_ENTRIES = 1_024;
/** Maximum share of a core: after a slice it rests in proportion to the slice's duration. */
const SHARE = 0.05;
const CHECK_EVERY_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** A round is spread over a day, so the cost of verification is constant. */
const ROUND_MS = 86_400_000;

/**
 * Re-hashes all ledgers entry by entry, oldest customers and entries first, at one round a day and within a bounded
 * share of a core.
 */
export function startLedgerScrub(dependencies: ScrubDependencies): { stop(): Promise<void> } {
  const { clock, logger, state } = dependencies;
  let nextCheckAt = 0;
  return startBackgroundJob({
    everyMs: CHECK_EVERY_MS,
    maxPauseMs: MAX_PAUSE_MS,
    run: async (stopping) => {
      if (clock() < nextCheckAt) return;
      // One process at a time; a second one would only repeat the work.
      if (!(await state.expiring.setIfAbsent(LEASE, 'taken', LEASE_MS))) {
        nextCheckAt = clock() + LEASE_MS / 2;
        return;
      }
      try {
        const pauseMs = await scrubSlice(dependencies, stopping);
        nextCheckAt = clock() + Math.min(MAX_PAUSE_MS, pauseMs);
      } finally {
        await state.expiring.delete(LEASE);
      }
    },
    onFailure: (err) => logger.warn({ err }, 'failed to verify ledgers; retrying'),
  });
}

/** One slice of the round, if due; returns the time until the next may be due, ms. */
export async function scrubSlice(dependencies: ScrubDependencies, stopping: AbortSignal): Promise<number> {
  const { state, warehouse, now, clock } = dependencies;
  const startedAt = clock();
  const stored = await state.documents.get<Cursor>(REF);
  const cursor = stored?.value ?? { customerId: '', index: 0, since: now() };
  const waitMs = await untilDueMs(warehouse, cursor, now());
  if (waitMs > 0) return waitMs;
  const advance = async (next: Cursor, entries: number): Promise<number> => {
    const last = { at: now(), entries, restMs: (clock() - startedAt) * (1 / SHARE - 1) };
    const value = { ...next, last };
    await state.documents.write(REF.scope, [{ ...REF, expectedVersion: stored?.version ?? 0, value }]);
    return last.restMs;
  };
  const head = cursor.customerId === '' ? null : await ledgerHead(warehouse, cursor.customerId);
  if (head !== null && cursor.index <= head) {
    await scrubEntries(dependencies, cursor, head, stopping);
    const entries = Math.min(SLICE_ENTRIES, head - cursor.index + 1);
    return advance({ ...cursor, index: cursor.index + SLICE_ENTRIES }, entries);
  }
  const next = await nextCustomer(warehouse, cursor.customerId);
  if (next !== null) return advance({ ...cursor, customerId: next, index: 0 }, 0);
  if (cursor.customerId === '') return MAX_PAUSE_MS;
  const since = Math.max(now(), cursor.since + ROUND_MS);
  return advance({ customerId: '', index: 0, since }, 0);
}

/**
 * Time to wait for the next slice, ms, at a pace where everything stored by now takes one round. After the clock was
 * set back, the wait is no longer than a round.
 */
async function untilDueMs(
  warehouse: Warehouse,
  { customerId, since, last }: Cursor,
  now: number,
): Promise<number> {
  const dueAt = [customerId === '' ? since : 0];
  if (last?.entries) {
    const partOfAll = last.entries / Math.max(1, await ledgerRowCount(warehouse));
    dueAt.push(last.at + ROUND_MS * Math.min(1, partOfAll));
  }
  if (last) dueAt.push(last.at + last.restMs);
  const waitMs = Math.max(...dueAt) - now;
  return waitMs > ROUND_MS ? 0 : waitMs;
}

async function scrubEntries(
  { warehouse, passes, state, now, logger, metrics }: ScrubDependencies,
  { customerId, index: from }: Cursor,
  head: number,
  stopping: AbortSignal,
): Promise<void> {
  const last = from + SLICE_ENTRIES - 1;
  const to = last >= head ? null : last;
  const found = await passes.run({ customerId, from, to }, { gone: stopping });
  for (const { reason } of found.errors) metrics.ledgerFault(reason);
  if (found.brokenAt !== null) {
    logger.error(
      { customerId, index: found.brokenAt.index, reason: found.brokenAt.reason },
      'ledger verification found a fault',
    );
    // Whatever else is wrong with an entry, erased content must not be served.
    await requestBlanking(state.documents, customerId, [from, Math.min(last, head)]);
  }
  const range = { from, to };
  const [derived] = await otherDerivedFaults(warehouse, customerId, range, found.errors, stopping);
  if (derived !== undefined) logger.error({ customerId, ...derived }, 'derived rows do not match ledger');
  await noteChecked(state.documents, customerId, (before) =>
    withChecked(before, [checkedRange({ from, to }, found)], now()),
  );
}
