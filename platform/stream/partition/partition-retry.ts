import { retryWithBackoff } from '#platform/flow/retry.ts';
import type { PartitionWorkOptions } from './work-options.ts';

export interface PartitionRetry {
  /** Retries `work` through outages; throws when the signal fires. `isRetryable`: which errors count as an outage. */
  retry<Result>(
    signal: AbortSignal,
    work: () => Promise<Result> | Result,
    isRetryable?: (error: unknown) => boolean,
  ): Promise<Result>;
  /** False while the work waits for an unavailable dependency. */
  reachable(): boolean;
}

type Options = Pick<PartitionWorkOptions, 'topic' | 'partition' | 'limits' | 'metrics' | 'logger'>;

/** Retries the work of one partition through outages, and reports whether there is one now. */
export function createPartitionRetry(options: Options): PartitionRetry {
  const { topic, partition, limits, metrics, logger } = options;
  let reachable = true;
  const onRetry = (err: unknown, pauseMs: number): void => {
    reachable = false;
    metrics?.outage?.(topic);
    logger.warn({ topic, partition, pauseMs: Math.round(pauseMs), err }, 'dependency unavailable; retrying');
  };
  return {
    reachable: () => reachable,
    retry: async (signal, work, isRetryable) => {
      try {
        return await retryWithBackoff({ signal, backoff: limits.backoff, isRetryable, onRetry }, work);
      } finally {
        reachable = true;
      }
    },
  };
}
