import {
  type Admission,
  API_KEYS,
  apiKeyClaim,
  CUSTOMERS,
  type CustomerAdmission,
  type KeyAdmission,
  type KeyClaim,
} from '../port.ts';
import type { AdmittedCounts } from './admitted-counts.ts';
import type { DocumentReader } from './documents.ts';
import type { AttemptRecords } from './idempotency.ts';
import { createNotedUses } from './noted-uses.ts';
import type { PendingMarks } from './pending-marks.ts';
import type { RateBuckets } from './rate-buckets.ts';
import { createReserve } from './reserve.ts';
import { createSessions } from './sessions.ts';
import type { ExpiringTable } from './store/expiry.ts';
import { keyOf, prefixOf, type Store } from './store/store.ts';

interface AdmissionOptions {
  readonly store: Store;
  readonly documents: DocumentReader;
  readonly attempts: AttemptRecords;
  readonly admitted: AdmittedCounts;
  readonly marks: PendingMarks;
  readonly buckets: RateBuckets;
  /** Last uses of sessions. */
  readonly seen: ExpiringTable<number>;
  readonly now: () => number;
}

const MINUTE_MS = 60_000;
/** Prefix of buckets that do not depend on a plan; no customer's id starts with it. */
const NAMED = 'named/';
/** The rate of an unknown or inactive customer: none, with no hint to retry soon. */
const NO_RATE = { limit: 0, remaining: 0 };

const customerReader =
  (documents: DocumentReader) =>
  (id: string): CustomerAdmission | undefined =>
    documents.document<CustomerAdmission>({ scope: id, collection: CUSTOMERS, id });

export function createAdmission(options: AdmissionOptions): Admission {
  const { store, documents, marks, buckets, now } = options;
  const lastUsed = store.table<number>('key-last-used');
  const notedUses = createNotedUses();

  const customerOf = customerReader(documents);

  function noteUse(customerId: string, keyId: string): void {
    const key = keyOf(customerId, keyId);
    const at = now();
    if (!notedUses.isNew(key, Math.floor(at / MINUTE_MS))) return;
    // Not awaited: a store that cannot write refuses the next call.
    store.write(() => lastUsed.put(key, at)).catch(() => undefined);
  }

  return {
    ...createReserve({ ...options, takeRate: buckets.take }),
    ...createSessions(options),

    async authenticate(keyHash) {
      store.check();
      const claim = documents.claim<KeyClaim>(apiKeyClaim(keyHash));
      if (claim === undefined) return { outcome: 'unknown' };
      const { customerId, keyId } = claim;
      const key = documents.document<KeyAdmission>({ scope: customerId, collection: API_KEYS, id: keyId });
      const customer = customerOf(customerId);
      if (key?.status !== 'active' || key.keyHash !== keyHash || customer === undefined || !customer.active)
        return { outcome: 'unknown' };
      const rate = buckets.take(customerId, customer, 1);
      noteUse(customerId, keyId);
      return { outcome: rate.retryAfterMs > 0 ? 'limited' : 'admitted', customerId, keyId, customer, rate };
    },

    async takeRate(customerId, cost) {
      const customer = customerOf(customerId);
      if (customer === undefined || !customer.active)
        return { ...NO_RATE, resetAt: now() + MINUTE_MS, retryAfterMs: MINUTE_MS };
      return buckets.take(customerId, customer, cost);
    },

    takeFrom: async (bucket, size, cost) => buckets.take(`${NAMED}${bucket}`, size, cost),

    async countAdmitted(counted) {
      await store.write(() => options.admitted.add(counted));
    },
    async admittedCount(customerId) {
      return options.admitted.get(customerId) ?? null;
    },
    async removeAdmittedCount(customerId) {
      await store.write(() => options.admitted.remove(customerId));
    },

    async pendingMark(customerId, auditId) {
      return marks.get(customerId, auditId) ?? null;
    },
    async setPendingMark(customerId, auditId, mark) {
      await store.write(() => marks.put(customerId, auditId, mark));
    },
    async removePendingMarks(removed) {
      await store.write(() => {
        for (const { customerId, auditId } of removed) marks.remove(customerId, auditId);
      });
    },

    async lastUsed(customerId) {
      const prefix = prefixOf(customerId);
      return new Map(lastUsed.entries(prefix).map(({ key, value }) => [key.slice(prefix.length), value]));
    },
  };
}
