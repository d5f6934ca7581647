import type { Expiring } from '../port.ts';
import type { ExpiringTable } from './store/expiry.ts';
import type { Store } from './store/store.ts';

/** Small values that expire. */
export function createExpiring(store: Store, values: ExpiringTable<string>, now: () => number): Expiring {
  const setIfAbsent: Expiring['setIfAbsent'] = async (key, value, ttlMs) =>
    store.write(() => {
      if (values.get(key) !== undefined) return false;
      values.put(key, value, now() + ttlMs);
      return true;
    });
  const get: Expiring['get'] = async (key) => values.get(key) ?? null;
  return {
    async set(key, value, ttlMs) {
      await store.write(() => values.put(key, value, now() + ttlMs));
    },
    // There are no replicas, so everything written is confirmed.
    get,
    claimed: get,
    setIfAbsent,
    claim: setIfAbsent,
    async delete(key) {
      await store.write(() => values.remove(key));
    },
  };
}
