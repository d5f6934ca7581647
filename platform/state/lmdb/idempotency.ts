import {
  type AttemptStart,
  type Idempotency,
  type IdempotencyKey,
  LEASE_MS,
  REMEMBERED_MS,
  type RememberedAnswer,
} from '../port.ts';
import type { AdmittedCounts } from './admitted-counts.ts';
import { answerBytes, attemptBytes, createRememberedBytes } from './remembered-bytes.ts';
import type { Expiry } from './store/expiry.ts';
import { keyOf, type Store } from './store/store.ts';

interface Attempts {
  readonly bodyDigest: string;
  /** The first attempt's seed, which all attempts must use. Undefined when only the answer is kept. */
  readonly seed?: unknown;
  /** An attempt counts as in progress until then, Unix ms. */
  readonly leasedUntil: number;
  /** True from the second attempt on: it is then uncertain what the first one did. */
  readonly takenOver: boolean;
  readonly answer?: RememberedAnswer;
}

/** The records of idempotency keys, for ingest and all other requests. Write only inside `Store.write`. */
export interface AttemptRecords {
  /** Joins the attempts under a key; null when there are none. A take-over takes the lease. */
  join<Seed>(scope: string, idempotency: IdempotencyKey): AttemptStart<Seed> | null;
  /** Starts an attempt with `items` audits, unless the scope's budget is full. */
  begin<Seed>(scope: string, idempotency: IdempotencyKey, seed: Seed, items?: number): AttemptStart<Seed>;
  settle(scope: string, idempotency: IdempotencyKey, answer: RememberedAnswer): RememberedAnswer;
  /** The attempt under the key that has no answer yet; null for none. */
  open<Seed>(scope: string, idempotency: IdempotencyKey): { seed: Seed; takenOver: boolean } | null;
  freeLease(scope: string, idempotency: IdempotencyKey): void;
  /** Removes an attempt with `items` audits. */
  remove(scope: string, idempotency: IdempotencyKey, items?: number): void;
}

export function createAttemptRecords(expiry: Expiry, now: () => number): AttemptRecords {
  const remembered = createRememberedBytes(expiry, now);
  const records = expiry.table<Attempts>('idempotency');
  const put = (scope: string, { key }: IdempotencyKey, attempts: Attempts): void =>
    records.put(keyOf(scope, key), attempts, now() + REMEMBERED_MS);
  const get = (scope: string, { key }: IdempotencyKey): Attempts | undefined =>
    records.get(keyOf(scope, key));

  return {
    join<Seed>(scope: string, idempotency: IdempotencyKey): AttemptStart<Seed> | null {
      const attempts = get(scope, idempotency);
      if (attempts === undefined) return null;
      if (attempts.bodyDigest !== idempotency.bodyDigest) return { kind: 'mismatch' };
      if (attempts.answer !== undefined) return { kind: 'replay', answer: attempts.answer };
      // A lease that ends later than possible was taken before the clock was set back: it has expired.
      const leftMs = attempts.leasedUntil - now();
      if (leftMs > 0 && leftMs <= LEASE_MS) return { kind: 'inFlight' };
      put(scope, idempotency, { ...attempts, takenOver: true, leasedUntil: now() + LEASE_MS });
      return { kind: 'begun', seed: attempts.seed as Seed, takenOver: true };
    },
    begin<Seed>(scope: string, idempotency: IdempotencyKey, seed: Seed, items = 0): AttemptStart<Seed> {
      const { bodyDigest, budgetBytes } = idempotency;
      const retryAfterMs = remembered.full(scope, attemptBytes(items), budgetBytes);
      if (retryAfterMs !== null) return { kind: 'full', retryAfterMs };
      put(scope, idempotency, { bodyDigest, seed, takenOver: false, leasedUntil: now() + LEASE_MS });
      remembered.add(scope, attemptBytes(items));
      return { kind: 'begun', seed, takenOver: false };
    },
    settle(scope, idempotency, answer) {
      const attempts = get(scope, idempotency);
      if (attempts?.answer !== undefined) return attempts.answer;
      const { bodyDigest } = idempotency;
      put(scope, idempotency, { ...(attempts ?? { bodyDigest, takenOver: false }), answer, leasedUntil: 0 });
      remembered.add(scope, answerBytes(answer));
      return answer;
    },
    open<Seed>(scope: string, idempotency: IdempotencyKey) {
      const attempts = get(scope, idempotency);
      if (attempts === undefined || attempts.answer !== undefined) return null;
      return { seed: attempts.seed as Seed, takenOver: attempts.takenOver };
    },
    freeLease(scope, idempotency) {
      const attempts = get(scope, idempotency);
      if (attempts !== undefined && attempts.answer === undefined)
        put(scope, idempotency, { ...attempts, leasedUntil: 0 });
    },
    remove(scope, { key }, items = 0) {
      records.remove(keyOf(scope, key));
      remembered.release(scope, attemptBytes(items));
    },
  };
}

export function createIdempotency(
  store: Store,
  records: AttemptRecords,
  counts: AdmittedCounts,
): Idempotency {
  return {
    async begin<Seed>(scope: string, idempotency: IdempotencyKey, seed: Seed): Promise<AttemptStart<Seed>> {
      return store.write((): AttemptStart<Seed> => {
        const joined = records.join<Seed>(scope, idempotency);
        return joined ?? records.begin(scope, idempotency, seed);
      });
    },
    async settle(scope, idempotency, answer, admitted) {
      return store.write(() => {
        const settled = records.settle(scope, idempotency, answer);
        // Unequal: another answer was stored first, and its attempt was counted.
        if (admitted !== undefined && settled === answer) counts.add([admitted]);
        return settled;
      });
    },
    async forget(scope, idempotency) {
      await store.write(() => {
        const open = records.open(scope, idempotency);
        if (open === null) return;
        // The earlier attempt may have changed something under this seed, so the seed stays.
        if (open.takenOver) records.freeLease(scope, idempotency);
        else records.remove(scope, idempotency);
      });
    },
    async release(scope, idempotency) {
      await store.write(() => records.freeLease(scope, idempotency));
    },
  };
}
