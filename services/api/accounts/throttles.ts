import { Refusal } from '#platform/flow/refusal.ts';
import type { Admission, BucketSize } from '#platform/state/port.ts';
import { emailHash } from '#records/users/user-record.ts';
import { neighbourhoodOf } from '../operations/limits/address-buckets.ts';

/**
 * Buckets of attempts, in the state, so that all processes share them. They are taken from only while a place for hashing
 * is held (`password-hashing.ts`): what that lets through bounds how many buckets of made-up addresses and e-mails there
 * are at a time.
 */

/** Accounts of an address: five an hour. */
const SIGN_UPS: BucketSize = { ratePerSecond: 5 / 3_600, burst: 5 };
/** Accounts of all addresses together: each is records that stay. */
const SIGN_UPS_TOGETHER: BucketSize = { ratePerSecond: 1_000 / 3_600, burst: 1_000 };
/** Accounts of neighbouring addresses: a site has many IPv6 networks. */
const SIGN_UPS_OF_NEIGHBOURS: BucketSize = { ratePerSecond: 100 / 3_600, burst: 100 };
/**
 * What has to be left of the accounts of all for each one that the address has made already. So addresses that make many
 * leave room for those that have made none: 457 of them would have to ask to leave none.
 */
const LEFT_FOR_OTHERS = SIGN_UPS_TOGETHER.burst / SIGN_UPS.burst;
/** Attempts of an address to sign in. */
const SIGN_INS: BucketSize = { ratePerSecond: 1 / 2, burst: 30 };
/** Failed attempts on an account. */
const FAILURES: BucketSize = { ratePerSecond: 1 / 60, burst: 10 };

type Buckets = Pick<Admission, 'takeFrom'>;

const TOGETHER = 'sign-up';

function refuse(message: string, seconds: number): never {
  throw new Refusal('RATE_LIMITED', {
    message,
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
  });
}

/** Counts an attempt to sign up, or refuses it. */
export async function paySignUp(buckets: Buckets, network: string): Promise<void> {
  const message = 'Too many sign-ups. Try again later.';
  // Read first, and paid last: an address beyond its own number takes nothing from the others, and addresses beyond the
  // number of all leave no bucket.
  const together = await buckets.takeFrom(TOGETHER, SIGN_UPS_TOGETHER, 0);
  if (together.remaining < 1) refuse(message, 1 / SIGN_UPS_TOGETHER.ratePerSecond);
  const name = `sign-up:${network}`;
  const { remaining } = await buckets.takeFrom(name, SIGN_UPS, 0);
  const made = SIGN_UPS.burst - remaining;
  if (together.remaining <= made * LEFT_FOR_OTHERS) refuse(message, 1 / SIGN_UPS.ratePerSecond);
  for (const [bucket, size] of [
    [name, SIGN_UPS],
    [`sign-up-neighbours:${neighbourhoodOf(network)}`, SIGN_UPS_OF_NEIGHBOURS],
  ] as const) {
    const rate = await buckets.takeFrom(bucket, size, 1);
    if (rate.retryAfterMs > 0) refuse(message, rate.retryAfterMs / 1_000);
  }
  await buckets.takeFrom(TOGETHER, SIGN_UPS_TOGETHER, 1);
}

/** Counts an attempt to sign in from there, or refuses it. */
export async function paySignIn(buckets: Buckets, network: string): Promise<void> {
  const rate = await buckets.takeFrom(`sign-in:${network}`, SIGN_INS, 1);
  if (rate.retryAfterMs === 0) return;
  refuse('Too many sign-in attempts from this address. Try again later.', rate.retryAfterMs / 1_000);
}

/**
 * The failures on an account. Those from networks that it was signed in from are counted apart: whoever guesses
 * passwords elsewhere does not lock its user out.
 */
export function failuresOn(buckets: Buckets, email: string, knownNetwork: string | null) {
  const name = `failed-sign-in:${emailHash(email)}${knownNetwork === null ? '' : `:${knownNetwork}`}`;
  return {
    /** Refuses the attempt when there were too many. */
    async check(): Promise<void> {
      const rate = await buckets.takeFrom(name, FAILURES, 0);
      if (rate.remaining >= 1) return;
      const message = 'Too many failed sign-in attempts for this account. Try again later.';
      refuse(message, 1 / FAILURES.ratePerSecond);
    },
    /** Attempts at the same time may be as many more as are hashed at once. */
    async count(): Promise<void> {
      await buckets.takeFrom(name, FAILURES, 1);
    },
  };
}
