import { Refusal } from '#platform/flow/refusal.ts';
import { createAddressBuckets } from '../../operations/limits/address-buckets.ts';

const LIMIT = { perSecond: 20, burst: 100 };

export interface FailedAuthentication {
  /** The error to answer a failed authentication with: the given one, or 429 if the address fails too often. */
  refuse(address: string, error: Refusal): Refusal;
}

/**
 * A bucket of failures per address. It refuses only failing requests, so no client can lock out a neighbour at the same
 * address.
 */
export function failedAuthentication(now: () => number): FailedAuthentication {
  const buckets = createAddressBuckets(LIMIT, now);
  return {
    refuse: (address, error) => {
      if (buckets.take(address)) return error;
      return new Refusal('RATE_LIMITED', {
        message: 'Too many failed authentications from this address. Try again later.',
        retryAfterSeconds: 1,
      });
    },
  };
}
