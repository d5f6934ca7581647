import { Refusal } from '#platform/flow/refusal.ts';
import type { Admission, BucketSize } from '#platform/state/port.ts';
import { emailHash } from '#records/users/user-record.ts';
import { neighbourhoodOf } from '../operations/limits/address-buckets.ts';

/**
 * Buckets of attempts, in the state, so that all processes share them. Tokens are taken only inside a turn to hash
 * (`password-hashing.ts`), which bounds how many buckets of made-up addresses and emails exist at a time.
 */

/** Sign-ups of an address: five an hour. */
const SIGN_UPS: BucketSize = { ratePerSecond: 5 / 3_600, burst: 5 };
/** Sign-ups of all addresses together: each leaves permanent records. */
const SIGN_UPS_TOGETHER: BucketSize = { ratePerSecond: 1_000 / 3_600, burst: 1_000 };
/** Sign-ups of neighbouring addresses: a site has many IPv6 networks. */
const SIGN_UPS_OF_NEIGHBOURS: BucketSize = { ratePerSecond: 100 / 3_600, burst: 100 };
/**
 * How many of the sign-ups of all must remain for each one that the address has already made. So addresses with many
 * sign-ups leave room for those with none: it takes 457 of them to leave none.
 */
const LEFT_FOR_OTHERS = SIGN_UPS_TOGETHER.burst / SIGN_UPS.burst;
/** Sign-in attempts of an address. */
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

/** Counts a sign-up attempt, or refuses it. */
export async function paySignUp(buckets: Buckets, network: string): Promise<void> {
  const message = 'Too many sign-ups. Try again later.';
  // Read first, and paid last: an address beyond its own limit takes nothing from the others, and addresses beyond the
  // common limit create no bucket.
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

/** Counts a sign-in attempt from this network, or refuses it. */
export async function paySignIn(buckets: Buckets, network: string): Promise<void> {
  const rate = await buckets.takeFrom(`sign-in:${network}`, SIGN_INS, 1);
  if (rate.retryAfterMs === 0) return;
  refuse('Too many sign-in attempts from this address. Try again later.', rate.retryAfterMs / 1_000);
}

/**
 * The failures on an account. Those from networks that have signed in to it are counted separately, so guessing
 * passwords elsewhere does not lock out its user.
 */
export function failuresOn(buckets: Buckets, email: string, knownNetwork: string | null) {
  const name = `failed-sign-in:${emailHash(email)}${knownNetwork === null ? '' : `:${knownNetwork}`}`;
  return {
    /** Refuses the attempt if there were too many failures. */
    async check(): Promise<void> {
      const rate = await buckets.takeFrom(name, FAILURES, 0);
      if (rate.remaining >= 1) return;
      const message = 'Too many failed sign-in attempts for this account. Try again later.';
      refuse(message, 1 / FAILURES.ratePerSecond);
    },
    /** Simultaneous attempts may exceed the limit by the number of concurrent hashes. */
    async count(): Promise<void> {
      await buckets.takeFrom(name, FAILURES, 1);
    },
  };
}
