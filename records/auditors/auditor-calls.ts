import { Semaphore } from '#platform/flow/semaphore.ts';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents } from '#platform/state/port.ts';

/** Auditor calls per customer and UTC day that are recorded in the ledger. */
export const MAX_CALLS_A_DAY = 10_000;

/** Document, id = customer id. */
export const AUDITOR_CALLS = 'auditorCalls';
export const AUDITOR_CALL_COLLECTIONS: readonly Collection[] = [customerCollection(AUDITOR_CALLS, DELETED)];

interface CallsOfDay {
  /** `2026-11-23`, UTC. */
  readonly day: string;
  readonly calls: number;
}

/** Counts a call at this time (ISO 8601). False: not counted, the daily limit is reached. */
export type CountCall = (customerId: string, at: string) => Promise<boolean>;

/**
 * Counts a call before any of it is answered, so that a crash never lets entries exceed the limit. Calls of a customer
 * take turns within a process: otherwise they would conflict with each other's writes.
 */
export function countCalls(documents: Pick<Documents, 'get' | 'write'>): CountCall {
  const turns = new Semaphore({ permits: Number.MAX_SAFE_INTEGER, permitsPerKey: 1 });
  return async (customerId, at) => {
    const release = await turns.acquire({ key: customerId });
    try {
      return await count(documents, customerId, at.slice(0, 10));
    } finally {
      release?.();
    }
  };
}

function count(
  documents: Pick<Documents, 'get' | 'write'>,
  customerId: string,
  today: string,
): Promise<boolean> {
  const ref = { scope: customerId, collection: AUDITOR_CALLS, id: customerId };
  return changeDocument<CallsOfDay, boolean>({ documents }, ref, (stored) => {
    // A past day does not restart when clocks of processes differ.
    const isOver = stored === null || stored.value.day < today;
    const { day, calls } = isOver ? { day: today, calls: 0 } : stored.value;
    if (calls >= MAX_CALLS_A_DAY) return unchanged(false);
    return { value: { day, calls: calls + 1 }, result: true };
  });
}
