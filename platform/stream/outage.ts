import { setTimeout as sleep } from 'node:timers/promises';
import { RegistryUnavailable } from '../codec/port.ts';
import { AppendError, AppendFailure, LogUnavailable } from '../event-log/port.ts';
import { StateUnavailable } from '../state/port.ts';
import { WarehouseLimitExceeded, WarehouseUnavailable } from '../warehouse/port.ts';

/** True for errors that say a part cannot be reached or is full: worth repeating, no fault of any record. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof StateUnavailable ||
    error instanceof WarehouseUnavailable ||
    // A consumer asks for bounded amounts: what takes too long for it says that the server is busy.
    error instanceof WarehouseLimitExceeded ||
    error instanceof RegistryUnavailable ||
    error instanceof LogUnavailable ||
    error instanceof AppendFailure ||
    error instanceof AppendError
  );
}

export interface Backoff {
  /** Pause after the first failure, ms; it doubles up to `maxMs`. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** In [0, 1): spreads the pauses so that many consumers do not come back at once. */
  readonly random: () => number;
}

export interface Repetition {
  readonly signal: AbortSignal;
  readonly backoff: Backoff;
  readonly isOutage: (error: unknown) => boolean;
  /** Told of each failure, with the pause that follows in ms. */
  readonly onOutage: (error: unknown, pauseMs: number) => void;
}

/**
 * Does `work` until it succeeds, with growing pauses while its errors are outages. Other errors are thrown. Throws
 * the signal's reason as soon as the signal fires.
 */
export async function untilDone<Result>(
  repetition: Repetition,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const { signal, backoff } = repetition;
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!repetition.isOutage(error)) throw error;
      const full = Math.min(backoff.maxMs, backoff.firstMs * 2 ** failures);
      const pauseMs = full * (0.5 + backoff.random() / 2);
      repetition.onOutage(error, pauseMs);
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
