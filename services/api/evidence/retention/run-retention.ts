import { startBackgroundJob } from '#platform/flow/background-job.ts';
import { retentionCustomers, runsRequestedAt } from '#records/retention/retention-run.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { type RetentionStepDependencies, retentionStep } from './retention-steps.ts';

interface RetentionOptions extends RetentionStepDependencies {
  readonly logger: ApiDependencies['logger'];
  /** Pause between checks, ms. */
  readonly intervalMs?: number;
  /** Maximum pause after failures, ms; the pause doubles up to this. */
  readonly maxPauseMs?: number;
}

/** One process works on a run at a time, only to save work: every step is idempotent. */
const LEASE_MS = 10_000;
const leaseOf = (customerId: string): string => `lease:retention:${customerId}`;

/** Runs the retention policies of all customers, each once a day and on request. */
export function startRetention(options: RetentionOptions): { stop(): Promise<void> } {
  const { state, logger, now, intervalMs = 2_000, maxPauseMs = 60_000 } = options;
  /** By customer, Unix ms: nothing is due earlier, unless requested. */
  let nextAt = new Map<string, number>();
  let seenRequest: string | null = null;

  const carryOn = async (customerId: string, requestedAt: string | null, stopping: AbortSignal) => {
    const lease = leaseOf(customerId);
    for (;;) {
      if (stopping.aborted || !(await state.expiring.setIfAbsent(lease, 'taken', LEASE_MS))) return null;
      const outcome = await retentionStep(options, customerId, requestedAt).finally(() =>
        state.expiring.delete(lease),
      );
      if (outcome !== 'done') return outcome === 'waits' ? null : outcome.nextAt;
    }
  };

  return startBackgroundJob({
    everyMs: intervalMs,
    maxPauseMs,
    onFailure: (err) => logger.warn({ err }, 'failed to list customers with retention policies; retrying'),
    run: async (stopping) => {
      let clean = true;
      const requestedAt = await runsRequestedAt(state.documents);
      if (requestedAt !== seenRequest) nextAt.clear();
      seenRequest = requestedAt;
      const customers = await retentionCustomers(state.documents);
      const times = new Map<string, number>();
      for (const customerId of customers) {
        const known = nextAt.get(customerId) ?? 0;
        const found =
          now() < known
            ? known
            : await carryOn(customerId, requestedAt, stopping).catch((err: unknown) => {
                if (!stopping.aborted) {
                  clean = false;
                  logger.warn({ customerId, err }, 'failed to continue retention run; retrying');
                }
                return null;
              });
        if (found !== null) times.set(customerId, found);
      }
      nextAt = times;
      return clean;
    },
  });
}
