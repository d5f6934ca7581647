import { startBackgroundJob } from '#platform/flow/background-job.ts';
import { type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { ledgerHead } from '#platform/warehouse/queries/ledger.ts';
import { nextCustomer } from '#platform/warehouse/queries/trees.ts';
import type { LedgerPasses } from '../use-cases/evidence/verify/pass.ts';
import { noteChecked, withChecked } from '../use-cases/evidence/verify/verified-ledger.ts';
import { checkedRange } from '../use-cases/evidence/verify/verify-chain.ts';

export interface ScrubDependencies {
  readonly warehouse: Warehouse;
  readonly state: Pick<State, 'documents' | 'expiring'>;
  readonly passes: LedgerPasses;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Unix ms. */
  readonly now: () => number;
  /** Monotonic ms. */
  readonly clock: () => number;
}

/** Where the round is: in the ledger of this customer, at this entry. */
interface Cursor {
  readonly customerId: string;
  readonly index: number;
  /** When the round began, Unix ms. */
  readonly since: number;
}

const REF = { scope: SYSTEM_SCOPE, collection: 'verifications', id: 'scrub' } as const;
const LEASE = 'lease:ledger-scrub';
const LEASE_MS = 60_000;
/** Entries of a slice: some hundred milliseconds of work. */
const SLICE_ENTRIES = 8_192;
/** Share of a core: after a slice it rests so much longer than the slice took. */
const SHARE = 0.1;
const LOOK_EVERY_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** A round begins a day after the last one began, or when that one ended. */
const ROUND_MS = 86_400_000;

/** Re-hashes all ledgers entry by entry, the oldest customers and entries first, on a bounded share of a core. */
export function startLedgerScrub(dependencies: ScrubDependencies): { stop(): Promise<void> } {
  const { clock, logger, state } = dependencies;
  let restsUntil = 0;
  return startBackgroundJob({
    everyMs: LOOK_EVERY_MS,
    maxPauseMs: MAX_PAUSE_MS,
    run: async (stopping) => {
      if (clock() < restsUntil) return;
      // One process at a time; two would only do the same work.
      if (!(await state.expiring.setIfAbsent(LEASE, 'taken', LEASE_MS))) {
        restsUntil = clock() + LEASE_MS / 2;
        return;
      }
      const startedAt = clock();
      let isOver = false;
      try {
        isOver = !(await scrubSlice(dependencies, stopping));
      } finally {
        const tookMs = clock() - startedAt;
        restsUntil = clock() + (isOver ? MAX_PAUSE_MS : tookMs * (1 / SHARE - 1));
        await state.expiring.delete(LEASE);
      }
    },
    onFailure: (err) => logger.warn({ err }, 'the ledgers could not be verified in the background'),
  });
}

/** One slice of the round; false: there is nothing to do now. */
export async function scrubSlice(dependencies: ScrubDependencies, stopping: AbortSignal): Promise<boolean> {
  const { state, warehouse, now } = dependencies;
  const stored = await state.documents.get<Cursor>(REF);
  const write = async (value: Cursor): Promise<void> => {
    await state.documents.write(REF.scope, [{ ...REF, expectedVersion: stored?.version ?? 0, value }]);
  };
  const cursor = stored?.value ?? { customerId: '', index: 0, since: now() };
  const head = cursor.customerId === '' ? null : await ledgerHead(warehouse, cursor.customerId);
  if (head !== null && cursor.index <= head) {
    await scrubEntries(dependencies, cursor, head, stopping);
    await write({ ...cursor, index: cursor.index + SLICE_ENTRIES });
    return true;
  }
  const next = await nextCustomer(warehouse, cursor.customerId);
  if (next !== null) {
    await write({ ...cursor, customerId: next, index: 0 });
    return true;
  }
  // The round is over.
  if (cursor.customerId !== '' && now() - cursor.since < ROUND_MS) return false;
  await write({ customerId: '', index: 0, since: now() });
  return cursor.customerId !== '';
}

async function scrubEntries(
  { passes, state, now, logger }: ScrubDependencies,
  { customerId, index: from }: Cursor,
  head: number,
  stopping: AbortSignal,
): Promise<void> {
  const last = from + SLICE_ENTRIES - 1;
  const to = last >= head ? null : last;
  const found = await passes.run({ customerId, from, to }, { gone: stopping });
  if (found.brokenAt !== null)
    logger.error(
      { customerId, index: found.brokenAt.index, reason: found.brokenAt.reason },
      'a stored ledger is not what was folded; its verification says more',
    );
  await noteChecked(state.documents, customerId, (before) =>
    withChecked(before, [checkedRange({ from, to }, found)], now()),
  );
}
