import { startBackgroundJob } from '#platform/flow/background-job.ts';
import { openErasures } from '#records/erasure/erasures.ts';
import { type ErasureStepDependencies, erasureStep } from './erasure-steps.ts';
import { phaseWaits } from './phase-waits.ts';

interface EraserOptions extends Omit<ErasureStepDependencies, 'stopping' | 'waits'> {
  /** Monotonic, ms. */
  readonly clock?: () => number;
  /** Pause between polls of the work list, ms. */
  readonly intervalMs?: number;
  /** Maximum pause after failures, ms; the pause doubles up to this. */
  readonly maxPauseMs?: number;
}

/** One process works on an erasure at a time, only to save work: every step is idempotent. */
const LEASE_MS = 5_000;
const leaseOf = (customerId: string): string => `lease:erasure:${customerId}`;

/** Continues the erasures of customers, whichever process started them and however often a process died during one. */
export function startEraser(options: EraserOptions): { stop(): Promise<void> } {
  const { documents, state, logger, intervalMs = 500, maxPauseMs = 30_000 } = options;
  const waits = phaseWaits(options.now, options.clock ?? (() => performance.now()));

  const carryOn = async (customerId: string, stopping: AbortSignal): Promise<void> => {
    const lease = leaseOf(customerId);
    const dependencies: ErasureStepDependencies = { ...options, waits, stopping };
    for (;;) {
      // Each step acquires the lease again: together the steps may take far longer than one lease.
      if (stopping.aborted || !(await state.expiring.setIfAbsent(lease, 'taken', LEASE_MS))) return;
      const outcome = await erasureStep(dependencies, customerId).finally(() => state.expiring.delete(lease));
      if (outcome !== 'done') return;
    }
  };

  return startBackgroundJob({
    everyMs: intervalMs,
    maxPauseMs,
    onFailure: (err) => logger.warn({ err }, 'failed to list customer erasures; retrying'),
    run: async (stopping) => {
      let clean = true;
      const open = await openErasures(documents);
      waits.keep(open);
      for (const customerId of open) {
        await carryOn(customerId, stopping).catch((err: unknown) => {
          if (stopping.aborted) return;
          clean = false;
          logger.warn({ customerId, err }, 'failed to continue customer erasure; retrying');
        });
      }
      return clean;
    },
  });
}
