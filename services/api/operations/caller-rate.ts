import type { Admission, BucketSize, RateState } from '#platform/state/port.ts';
import { type Caller, SESSION_RATE } from '../http/authentication/authentication.ts';

/** Whose bucket pays. */
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
