import { startBackgroundJob } from '#platform/flow/background-job.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { DamagedData, isRetryable } from '#platform/flow/service-error.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { nextCustomer } from '#platform/warehouse/queries/trees.ts';
import {
  type CheckpointDependencies,
  currentCheckpoint,
  LedgerRolledBack,
} from '#records/ledger/checkpoints.ts';

interface CheckpointerOptions extends CheckpointDependencies {
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Pause between checks, ms. */
  readonly everyMs?: number;
  /** Monotonic ms. */
  readonly clock: () => number;
}

const LEASE = 'lease:checkpoints';
const EVERY_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Customers per check. */
const CUSTOMERS_PER_CHECK = 5;
/** Maximum share of a core: after a check it rests in proportion to the check's duration. */
const SHARE = 0.02;
/** Longer than a check takes; a killed process delays the others by this much. */
const LEASE_MS = 15_000;
/** Minimum time between the starts of two rounds. */
const ROUND_MS = 300_000;
/** Faulty ledgers remembered as reported; any beyond that are reported again in each round. */
const MAX_REPORTED = 1_000;

/**
 * Makes the checkpoints that no answer needed. So a quiet customer's ledger is signed soon after it grew, and a ledger
 * that was cut or rewritten is noticed without a request.
 */
export function startCheckpointer(options: CheckpointerOptions): { stop(): Promise<void> } {
  const { logger, state, warehouse, now, clock, everyMs = EVERY_MS } = options;
  const reported = new Set<string>();
  let after = '';
  let roundAt = Number.NEGATIVE_INFINITY;
  let restsUntil = Number.NEGATIVE_INFINITY;

  const checkpoint = async (customerId: string): Promise<void> => {
    try {
      await currentCheckpoint(options, customerId);
      reported.delete(customerId);
    } catch (error) {
      const isRolledBack = error instanceof LedgerRolledBack;
      if (isRolledBack || error instanceof DamagedData) {
        if (!reported.has(customerId))
          logger.error(
            { err: error, customerId },
            isRolledBack ? 'ledger rolled back' : 'ledger damaged; no checkpoint signed',
          );
        if (reported.size < MAX_REPORTED) reported.add(customerId);
        // A customer whose tree lags is left for the next round.
      } else if (!(error instanceof Refusal) && !isRetryable(error)) throw error;
    }
  };

  return startBackgroundJob({
    everyMs,
    maxPauseMs: MAX_PAUSE_MS,
    run: async (stopping) => {
      if (clock() < restsUntil || (after === '' && Math.abs(now() - roundAt) < ROUND_MS)) return;
      // One process at a time; a second one would only repeat the work.
      if (!(await state.expiring.setIfAbsent(LEASE, 'taken', LEASE_MS))) return;
      if (after === '') roundAt = now();
      const startedAt = clock();
      try {
        for (let count = 0; count < CUSTOMERS_PER_CHECK && !stopping.aborted; count += 1) {
          const customerId = await nextCustomer(warehouse, after);
          after = customerId ?? '';
          if (customerId === null) return;
          await checkpoint(customerId);
        }
      } finally {
        restsUntil = clock() + (clock() - startedAt) * (1 / SHARE - 1);
        await state.expiring.delete(LEASE);
      }
    },
    onFailure: (err) => logger.warn({ err }, 'failed to create checkpoints; retrying'),
  });
}
