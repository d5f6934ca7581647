import { ApiError } from '../errors.ts';

const PER_SECOND = 20;
const BURST = 100;
/** Addresses remembered at most; the one that failed longest ago goes first. */
const MAX_ADDRESSES = 10_000;

export interface FailedAuthentication {
  /** The error to answer a failed authentication with: the given one, or 429 when the address fails too often. */
  refuse(address: string, error: ApiError): ApiError;
}

/**
 * A bucket of failures per address. Only failing requests are refused by it, so nobody can lock out a neighbour
 * behind the same address.
 */
export function failedAuthentication(now: () => number): FailedAuthentication {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    refuse: (address, error) => {
      const at = now();
      const bucket = buckets.get(address) ?? { tokens: BURST, at };
      const refilled = bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * PER_SECOND;
      const tokens = Math.min(BURST, refilled);
      const allowed = tokens >= 1;
      buckets.delete(address);
      buckets.set(address, { tokens: allowed ? tokens - 1 : tokens, at });
      if (buckets.size > MAX_ADDRESSES) buckets.delete(buckets.keys().next().value as string);
      if (allowed) return error;
      return new ApiError('RATE_LIMITED', {
        message: 'Too many failed authentications from this address',
        headers: { 'retry-after': '1' },
      });
    },
  };
}
