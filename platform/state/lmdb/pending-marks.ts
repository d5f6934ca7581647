import type { PendingMark } from '../pending-mark.ts';
import { PENDING_MARK_MS } from '../port.ts';
import type { Expiry } from './store/expiry.ts';
import { keyOf } from './store/store.ts';

/** Marks of accepted audits that the sink has not stored yet. Write only inside `Store.write`. */
export interface PendingMarks {
  get(customerId: string, auditId: string): PendingMark | undefined;
  /** Sets or refreshes a mark. */
  put(customerId: string, auditId: string, mark: PendingMark): void;
  remove(customerId: string, auditId: string): void;
  /** Removes at most `limit` marks of the customer; returns how many it removed. */
  removeSome(customerId: string, limit: number): number;
}

export function createPendingMarks(expiry: Expiry, now: () => number): PendingMarks {
  const marks = expiry.briefTable<PendingMark>('pending-marks');
  return {
    get: (customerId, auditId) => marks.get(keyOf(customerId, auditId)),
    put: (customerId, auditId, mark) => marks.put(keyOf(customerId, auditId), mark, now() + PENDING_MARK_MS),
    remove: (customerId, auditId) => marks.remove(keyOf(customerId, auditId)),
    removeSome: (customerId, limit) => {
      const keys = marks.keys(keyOf(customerId, ''), limit);
      for (const key of keys) marks.remove(key);
      return keys.length;
    },
  };
}
