import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, pauseAfter } from './backoff.ts';
import { isRetryable as isKnownRetryable } from './service-error.ts';

interface RetryOptions {
  readonly backoff: Backoff;
  /** Other errors are thrown immediately. By default the error's own `retryable`. */
  readonly isRetryable?: ((error: unknown) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gives up if the next pause would end later than this. By default retries forever. */
  readonly limit?: {
    readonly timeoutMs: number;
    /** Monotonic, ms. */
    readonly clock: () => number;
    /** Creates the error that is thrown then. */
    readonly exhausted: (cause: unknown) => Error;
  };
  /** Runs after each pause, before the next attempt; if it fails, the attempt fails. */
  readonly beforeRetry?: (() => Promise<unknown>) | undefined;
  /** Called for each failure that is followed by a pause. */
  readonly onRetry?: (error: unknown, pauseMs: number) => void;
}

/** Retries the work with back-off until it succeeds. Throws the signal's reason as soon as the signal fires. */
export async function retryWithBackoff<Result>(
  options: RetryOptions,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const { backoff, isRetryable = isKnownRetryable, signal, limit } = options;
  const deadline = limit === undefined ? Infinity : limit.clock() + limit.timeoutMs;
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      if (failures > 0) await options.beforeRetry?.();
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetryable(error)) throw error;
      const pauseMs = pauseAfter(backoff, failures);
      if (limit !== undefined && limit.clock() + pauseMs > deadline) throw limit.exhausted(error);
      options.onRetry?.(error, pauseMs);
      await sleep(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() =>
        signal?.throwIfAborted(),
      );
    }
  }
}
