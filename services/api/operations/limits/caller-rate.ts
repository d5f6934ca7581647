import { Refusal } from '#platform/flow/refusal.ts';
import type { Admission, BucketSize, RateState } from '#platform/state/port.ts';
import type { Caller } from '../caller.ts';

/** Per session, whatever the plan: a user's clicks take nothing from the customer's programs. */
export const SESSION_RATE = { ratePerSecond: 10, burst: 50 } as const;

/** The owner of the bucket that is charged. */
export type Spender = Pick<Caller, 'customerId' | 'customer'> & Partial<Pick<Caller, 'session'>>;

/** Size of the bucket that the caller's requests spend. */
export const bucketOf = ({ session = null, customer }: Spender): BucketSize =>
  session === null ? customer : SESSION_RATE;

/** Takes tokens from the caller's bucket (0: only reads it). */
export const spend = (
  admission: Pick<Admission, 'takeRate' | 'takeSessionRate'>,
  { customerId, session = null }: Spender,
  cost: number,
): Promise<RateState> =>
  session === null
    ? admission.takeRate(customerId, cost)
    : admission.takeSessionRate(customerId, session.sessionId, SESSION_RATE, cost);

/** Seconds, at least 1, that a refused caller should wait. */
export const retryAfterSeconds = (rate: RateState): number =>
  Math.max(1, Math.ceil(rate.retryAfterMs / 1000));

/** The refusal of a caller whose bucket is empty. */
export function rateLimited(rate: RateState, message?: string): Refusal {
  const seconds = retryAfterSeconds(rate);
  return new Refusal('RATE_LIMITED', {
    message: message ?? `Rate limit exceeded. Try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  });
}
