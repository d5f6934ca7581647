import type { RateState } from './port.ts';

/**
 * Token bucket in thousandths of a token: with a rate per second and a clock in milliseconds, every refill is a whole
 * number of them, so that frequent reads cause no drift.
 */
export interface TokenBucket {
  readonly milliTokens: number;
  /** Time up to which it is refilled, Unix ms. */
  readonly refilledAt: number;
}

export interface BucketSize {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** Upper limit of `resetAt` and `retryAfterMs`, for rates near zero. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Longest time without a refill after the clock was set back. */
export const MAX_AHEAD_MS = 1_000;
const MILLI = 1_000;

export const fullBucket = (size: BucketSize, now: number): TokenBucket => ({
  milliTokens: size.burst * MILLI,
  refilledAt: now,
});

function refill(bucket: TokenBucket, size: BucketSize, now: number): TokenBucket {
  // A clock that steps back neither adds nor removes tokens. Refilling resumes where it stopped, or soon after a large
  // step: a customer must not be refused for as long as the clock was set back.
  const elapsedMs = Math.max(0, now - bucket.refilledAt);
  return {
    milliTokens: Math.min(size.burst * MILLI, bucket.milliTokens + elapsedMs * size.ratePerSecond),
    refilledAt: Math.max(now, Math.min(bucket.refilledAt, now + MAX_AHEAD_MS)),
  };
}

const waitMs = (missingMilliTokens: number, size: BucketSize): number =>
  missingMilliTokens <= 0 ? 0 : Math.min(MAX_WAIT_MS, Math.ceil(missingMilliTokens / size.ratePerSecond));

/**
 * Takes `cost` whole tokens (0: only reads) or none. A cost above the burst is never admitted; its wait is the time
 * until the bucket is full.
 */
export function takeTokens(
  before: TokenBucket,
  size: BucketSize,
  cost: number,
  now: number,
): { bucket: TokenBucket; rate: RateState } {
  const filled = refill(before, size, now);
  const asked = cost * MILLI;
  const admitted = filled.milliTokens >= asked;
  const bucket = admitted ? { ...filled, milliTokens: filled.milliTokens - asked } : filled;
  const missing = Math.min(asked, size.burst * MILLI) - bucket.milliTokens;
  return {
    bucket,
    rate: {
      limit: size.burst,
      remaining: Math.floor(bucket.milliTokens / MILLI),
      resetAt: now + waitMs(size.burst * MILLI - bucket.milliTokens, size),
      retryAfterMs: admitted ? 0 : Math.max(1, waitMs(missing, size)),
    },
  };
}

/** A full bucket is equivalent to none. */
export const isFull = (bucket: TokenBucket, size: BucketSize, now: number): boolean =>
  refill(bucket, size, now).milliTokens >= size.burst * MILLI;
