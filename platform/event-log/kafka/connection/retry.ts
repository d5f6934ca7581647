import type { Backoff } from '#platform/flow/backoff.ts';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import { LogUnavailable } from '../../port.ts';

/** Back-off between attempts of any broker request. */
export const BROKER_BACKOFF: Backoff = { firstMs: 50, maxMs: 1_000, random: Math.random };

interface Retries {
  /** The operation, for error messages. */
  readonly what: string;
  readonly timeoutMs: number;
  /** Runs before each retry; its failure counts as a failed attempt. */
  readonly between?: () => Promise<unknown>;
  /** Default: the error's own `retryable`. */
  readonly isRetryable?: (error: unknown) => boolean;
}

/** Retries `work`. Rejects with `LogUnavailable` when the time is up, and at once with a non-retryable error. */
export function withRetries<Result>(retries: Retries, work: () => Promise<Result>): Promise<Result> {
  const { what, timeoutMs, between, isRetryable } = retries;
  const exhausted = (cause: unknown): Error =>
    new LogUnavailable(`${what} failed for ${timeoutMs} ms`, { cause });
  const limit = { timeoutMs, clock: () => performance.now(), exhausted };
  return retryWithBackoff({ backoff: BROKER_BACKOFF, limit, isRetryable, beforeRetry: between }, work);
}
