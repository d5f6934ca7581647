import { type Change, changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { DocumentRef, Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Announce, EntryMaker } from './ledger-events.ts';

/** Documents that are in the ledger but lost from the state, with the version that an operator gave up. */
export const LOST_DOCUMENTS = 'lostDocuments';
export const LOST_DOCUMENT_COLLECTIONS: readonly Collection[] = [customerCollection(LOST_DOCUMENTS, DELETED)];

/** A document with a newer version in the ledger. */
export interface OlderDocument {
  readonly customerId: string;
  readonly id: string;
  /** Its versions in the ledger and in the state; 0: none. */
  readonly ledgerVersion: number;
  readonly stateVersion: number;
}

/** Note in the customer's scope: the version given up for a document that a restored state lacks. */
export const lostRef = (kind: LedgerKind, { scope, collection }: DocumentRef, id: string): DocumentRef => ({
  scope,
  collection: LOST_DOCUMENTS,
  id: `${kind} ${collection} ${id}`,
});

export interface RaiseDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  /** Unix ms. */
  readonly now: () => number;
  readonly newId: () => string;
}

interface Lift<Value> {
  readonly ref: DocumentRef;
  readonly ledgerVersion: number;
  readonly versionOf: (stored: StoredDocument<Value>) => number;
  /** The document with a version above the ledger's, and the other writes with it. */
  readonly raised: (stored: StoredDocument<Value>) => Promise<Omit<Change<Value, void>, 'result'>>;
}

/** Gives a document a version above the ledger's, unless it no longer exists or already has one. */
export const raiseDocumentVersion = <Value>(
  { documents }: Pick<RaiseDependencies, 'documents'>,
  { ref, ledgerVersion, versionOf, raised }: Lift<Value>,
): Promise<void> =>
  changeDocument<Value>({ documents }, ref, async (stored) =>
    stored === null || versionOf(stored) > ledgerVersion
      ? unchanged(undefined)
      : { ...(await raised(stored)), result: undefined },
  );

/** Repeats the write that makes `version` of a document until it has version `to`. */
export const repeatedWrites = (
  { collection, id }: DocumentRef,
  version: number,
  to: number,
  value: unknown,
): DocumentWrite[] =>
  Array.from({ length: to - version }, (_, n) => ({ collection, id, expectedVersion: version + n, value }));
