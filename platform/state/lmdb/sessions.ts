import {
  type Admission,
  CUSTOMERS,
  type CustomerAdmission,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  SESSIONS,
  type SessionAdmission,
} from '../port.ts';
import type { DocumentReader } from './documents.ts';
import { createNotedUses } from './noted-uses.ts';
import type { RateBuckets } from './rate-buckets.ts';
import type { ExpiringTable } from './store/expiry.ts';
import { keyOf, type Store } from './store/store.ts';

interface SessionOptions {
  readonly store: Store;
  readonly documents: DocumentReader;
  readonly buckets: RateBuckets;
  /** Last uses, Unix ms; each row expires when the use no longer keeps its session open. */
  readonly seen: ExpiringTable<number>;
  readonly now: () => number;
}

const MINUTE_MS = 60_000;
/** Prefix of their buckets; no customer's id starts with it. */
const OF_SESSION = 'session/';

export function createSessions({
  store,
  documents,
  buckets,
  seen,
  now,
}: SessionOptions): Pick<Admission, 'authenticateSession' | 'takeSessionRate'> {
  const notedUses = createNotedUses();

  function noteUse(key: string, at: number): void {
    if (!notedUses.isNew(key, Math.floor(at / MINUTE_MS))) return;
    // Not awaited: a store that cannot write refuses the next call.
    store.write(() => seen.put(key, at, at + SESSION_IDLE_MS)).catch(() => undefined);
  }

  return {
    async authenticateSession(customerId, sessionId, size) {
      store.check();
      const session = documents.document<SessionAdmission>({
        scope: customerId,
        collection: SESSIONS,
        id: sessionId,
      });
      const customer = documents.document<CustomerAdmission>({
        scope: customerId,
        collection: CUSTOMERS,
        id: customerId,
      });
      if (session === undefined || customer === undefined || !customer.active) return { outcome: 'unknown' };
      const at = now();
      const key = keyOf(customerId, sessionId);
      const { userId, openedAt } = session;
      const lastUse = seen.get(key) ?? openedAt;
      if (at >= openedAt + SESSION_LIFE_MS || at >= lastUse + SESSION_IDLE_MS) return { outcome: 'unknown' };
      const rate = buckets.take(OF_SESSION + key, size, 1);
      noteUse(key, at);
      return { outcome: rate.retryAfterMs > 0 ? 'limited' : 'admitted', userId, customer, rate };
    },

    takeSessionRate: async (customerId, sessionId, size, cost) =>
      buckets.take(OF_SESSION + keyOf(customerId, sessionId), size, cost),
  };
}
