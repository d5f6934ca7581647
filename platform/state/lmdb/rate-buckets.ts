import type { RateState } from '../port.ts';
import { type BucketSize, fullBucket, isFull, type TokenBucket, takeTokens } from '../token-bucket.ts';

export interface RateBuckets {
  /** Takes `cost` tokens of the customer's bucket, or none. */
  take(customerId: string, size: BucketSize, cost: number): RateState;
  /** Drops full buckets, checking at most `limit` buckets. */
  prune(limit: number): void;
}

/**
 * Buckets in memory: the embedded state has one owning process, whose restart grants everybody a full bucket, at most
 * one burst above the rate. In exchange no request waits for the disk because of its rate.
 */
export function createRateBuckets(now: () => number): RateBuckets {
  const buckets = new Map<string, { bucket: TokenBucket; size: BucketSize }>();
  return {
    take(customerId, size, cost) {
      const at = now();
      const before = buckets.get(customerId)?.bucket ?? fullBucket(size, at);
      const { bucket, rate } = takeTokens(before, size, cost, at);
      buckets.set(customerId, { bucket, size });
      return rate;
    },
    prune(limit) {
      const at = now();
      // Kept buckets move to the end, where this loop would meet them again: hence the count.
      let left = Math.min(limit, buckets.size);
      for (const [customerId, held] of buckets) {
        if (left-- === 0) return;
        buckets.delete(customerId);
        if (!isFull(held.bucket, held.size, at)) buckets.set(customerId, held);
      }
    },
  };
}
