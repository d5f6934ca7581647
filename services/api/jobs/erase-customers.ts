import { openErasures } from '../../../platform/directory/erasures.ts';
import { type ErasureStepParts, erasureStep } from './erasure-steps.ts';
import { phaseWaits } from './phase-waits.ts';

export interface EraserOptions extends Omit<ErasureStepParts, 'stopping' | 'waits'> {
  /** Ms that only go on. */
  readonly clock?: () => number;
  /** Pause between looks at the work list, ms. */
  readonly intervalMs?: number;
  /** Longest pause after failures, ms; the pause doubles up to here. */
  readonly maxPauseMs?: number;
}

export interface Eraser {
  /** Ends after the step under way. */
  stop(): Promise<void>;
}

/** One process works on an erasure at a time. Only to spare work: every step may be done twice. */
const LEASE_MS = 5_000;
const leaseOf = (customerId: string): string => `lease:erasure:${customerId}`;

/** Carries on the erasures of customers, whoever began them and however often a process died on the way. */
export function startEraser(options: EraserOptions): Eraser {
  const { documents, state, logger, intervalMs = 500, maxPauseMs = 30_000 } = options;
  const ending = new AbortController();
  const waits = phaseWaits(options.now, options.clock ?? (() => performance.now()));
  const parts: ErasureStepParts = { ...options, waits, stopping: ending.signal };
  let pauseMs = intervalMs;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const carryOn = async (customerId: string): Promise<void> => {
    const lease = leaseOf(customerId);
    for (;;) {
      // Taken anew for each step: together they may take far longer than a lease.
      if (ending.signal.aborted || !(await state.expiring.setIfAbsent(lease, 'taken', LEASE_MS))) return;
      const outcome = await erasureStep(parts, customerId).finally(() => state.expiring.delete(lease));
      if (outcome !== 'done') return;
    }
  };

  /** True when nothing failed. */
  const round = async (): Promise<boolean> => {
    let clean = true;
    const open = await openErasures(documents);
    waits.keep(open);
    for (const customerId of open) {
      await carryOn(customerId).catch((err: unknown) => {
        if (ending.signal.aborted) return;
        clean = false;
        logger.warn({ customerId, err }, 'the erasure of a customer does not go on for now');
      });
    }
    return clean;
  };

  const schedule = (): void => {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      running = round()
        .catch((err: unknown) => {
          logger.warn({ err }, 'erasures of customers could not be listed');
          return false;
        })
        .then((clean) => {
          pauseMs = clean ? intervalMs : Math.min(pauseMs * 2, maxPauseMs);
          schedule();
        });
    }, pauseMs);
  };

  schedule();
  return {
    stop: async () => {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
