import type { Change } from '#platform/state/change-document.ts';
import { CUSTOMERS, type DocumentWrite, SESSIONS, type StoredDocument } from '#platform/state/port.ts';
import type { EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
} from '../changes/older-document.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { customerRef } from '../customers/customers.ts';

/**
 * A session ended early would work again with an older state, so each such end is a version in the customer's record
 * and an entry of its ledger. It has the form of a revoked API key, which every release can read.
 */
export const sessionEndEvent = (customerId: string, version: number, at: string): LedgerEvent => ({
  kind: 'KEY_EVENT',
  id: `session:ended:${version}`,
  customerId,
  at,
  core: { keyId: 'sessions', prefix: 'session', version, status: 'revoked' },
  detail: { name: 'Sessions ended' },
});

/** The customer's record with its next session end, and the entry. */
async function nextEnd(
  makeEntry: EntryMaker,
  { id, value }: StoredDocument<CustomerRecord>,
  at: string,
  above = 0,
): Promise<Omit<Change<CustomerRecord, void>, 'result'>> {
  const sessionEnds = Math.max(value.sessionEnds ?? 0, above) + 1;
  const entry = await makeEntry(sessionEndEvent(id, sessionEnds, at));
  return { value: { ...value, sessionEnds }, entries: [entry] };
}

/** Writes the next session end into the customer's record that was read. */
export async function endWrite(
  makeEntry: EntryMaker,
  customer: StoredDocument<CustomerRecord>,
  at: string,
): Promise<DocumentWrite> {
  const { id, version: expectedVersion } = customer;
  return { collection: CUSTOMERS, id, expectedVersion, ...(await nextEnd(makeEntry, customer, at)) };
}

/** It is unknown which sessions of an older state were ended since, so all of the customer's sessions end. */
export function raiseSessionEnds(
  { documents, makeEntry, now }: RaiseDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  return raiseDocumentVersion<CustomerRecord>(
    { documents },
    {
      ref: customerRef(customerId),
      ledgerVersion,
      versionOf: ({ value }) => value.sessionEnds ?? 0,
      raised: async (customer) => {
        const sessions = await documents.ids(customerId, SESSIONS);
        return {
          ...(await nextEnd(makeEntry, customer, new Date(now()).toISOString(), ledgerVersion)),
          others: sessions.map((id) => ({ collection: SESSIONS, id, value: null })),
        };
      },
    },
  );
}
