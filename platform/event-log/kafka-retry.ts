import { setTimeout as sleep } from 'node:timers/promises';
import { mayPass } from './kafka-errors.ts';
import { LogUnavailable } from './port.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/** Pause before the next attempt after `failures` in a row, ms; spread, so that many clients do not come at once. */
export const retryPauseMs = (failures: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2);

export interface Retries {
  /** For errors: what is being done. */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Runs before each further attempt; its failure counts as one of the attempt. */
  readonly between?: () => Promise<unknown>;
}

/**
 * Does `work` until it succeeds, while its errors are passing ones. Rejects with `LogUnavailable` when the time is
 * up, with any other error at once, and with the signal's reason when it fires.
 */
export async function withRetries<Result>(retries: Retries, work: () => Promise<Result>): Promise<Result> {
  const { what, timeoutMs, signal, between } = retries;
  const deadline = performance.now() + timeoutMs;
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      if (failures > 0) await between?.();
      return await work();
    } catch (error) {
      if (!mayPass(error)) throw error;
      const pauseMs = retryPauseMs(failures);
      if (performance.now() + pauseMs > deadline) {
        throw new LogUnavailable(`${what} failed for ${timeoutMs} ms`, { cause: error });
      }
      await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}
