import type { RateState } from '../port.ts';
import { type BucketSize, fullBucket, isFull, type TokenBucket, takeTokens } from '../token-bucket.ts';

export interface RateBuckets {
  /** Takes `cost` tokens from the customer's bucket, or none. */
  take(customerId: string, size: BucketSize, cost: number): RateState;
  /** Drops full buckets; checks at most `limit` buckets. */
  prune(limit: number): void;
}

/**
 * Buckets in memory. One process owns the embedded state, and its restart gives each customer a full bucket, at most
 * one burst above the rate. In exchange, rate limits never make a request wait for the disk.
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
      // Kept buckets move to the end, where this loop would reach them again, so their number is limited.
      let left = Math.min(limit, buckets.size);
      for (const [customerId, held] of buckets) {
        if (left-- === 0) return;
        buckets.delete(customerId);
        if (!isFull(held.bucket, held.size, at)) buckets.set(customerId, held);
      }
    },
  };
}
