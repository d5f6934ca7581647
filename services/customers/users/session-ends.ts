import { CUSTOMERS, type DocumentWrite, SESSIONS, type StoredDocument } from '#platform/state/port.ts';
import type { LiftDependencies, OlderDocument } from '../comparison/older-document.ts';
import type { EntryMaker, LedgerEvent } from '../ledger-events.ts';
import type { CustomerRecord } from '../records.ts';

/**
 * A session that was ended before its time would work again with an older state, so each such end is a version in the
 * customer's record, and an entry of its ledger. It has the shape of an API key's that is revoked: every release reads it.
 */
export const sessionEndEvent = (customerId: string, version: number, at: string): LedgerEvent => ({
  kind: 'KEY_EVENT',
  id: `session:ended:${version}`,
  customerId,
  at,
  core: { keyId: 'sessions', prefix: 'session', version, status: 'revoked' },
  detail: { name: 'Sessions ended' },
});

/** Writes the next end into the customer's record, as it was read. */
export async function endWrite(
  makeEntry: EntryMaker,
  { id, version, value }: StoredDocument<CustomerRecord>,
  at: string,
  above = 0,
): Promise<DocumentWrite> {
  const sessionEnds = Math.max(value.sessionEnds ?? 0, above) + 1;
  const entry = await makeEntry(sessionEndEvent(id, sessionEnds, at));
  const ended: CustomerRecord = { ...value, sessionEnds };
  return { collection: CUSTOMERS, id, expectedVersion: version, value: ended, entries: [entry] };
}

/** Nobody knows which sessions of an older state were ended since: all of the customer's end. */
export async function liftSessionEnds(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const [customer, sessions] = await Promise.all([
      documents.get<CustomerRecord>({ scope: customerId, collection: CUSTOMERS, id: customerId }),
      documents.ids(customerId, SESSIONS),
    ]);
    if (customer === null || (customer.value.sessionEnds ?? 0) > ledgerVersion) return;
    const end = await endWrite(makeEntry, customer, new Date(now()).toISOString(), ledgerVersion);
    const writes = sessions.map((id) => ({ collection: SESSIONS, id, value: null }));
    if ((await documents.write(customerId, [...writes, end])).ok) return;
  }
}
