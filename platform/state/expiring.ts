import type { Expiry } from './expiry.ts';
import type { Store } from './lmdb-store.ts';
import type { Expiring } from './port.ts';

/** Small values that go by themselves. */
export function createExpiring(store: Store, expiry: Expiry, now: () => number): Expiring {
  const values = expiry.table<string>('expiring');
  return {
    async get(key) {
      return values.get(key) ?? null;
    },
    async set(key, value, ttlMs) {
      await store.write(() => values.put(key, value, now() + ttlMs));
    },
    async setIfAbsent(key, value, ttlMs) {
      return store.write(() => {
        if (values.get(key) !== undefined) return false;
        values.put(key, value, now() + ttlMs);
        return true;
      });
    },
    async delete(key) {
      await store.write(() => values.remove(key));
    },
  };
}
