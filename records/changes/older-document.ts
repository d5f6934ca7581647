import { type Change, changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { DocumentRef, Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Announce, EntryMaker } from './ledger-events.ts';

/** Documents that the ledger knows and the state has lost, with the version that an operator gave up. */
export const LOST_DOCUMENTS = 'lostDocuments';
export const LOST_DOCUMENT_COLLECTIONS: readonly Collection[] = [customerCollection(LOST_DOCUMENTS, DELETED)];

/** A document of which the ledger knows a newer version. */
export interface OlderDocument {
  readonly customerId: string;
  readonly id: string;
  /** Its versions in the ledger and in the state; 0: it does not exist there. */
  readonly ledgerVersion: number;
  readonly stateVersion: number;
}

/** Note, in the customer's scope, of the version that was given up of a document that a restored state lacks. */
export const lostRef = (kind: LedgerKind, { scope, collection }: DocumentRef, id: string): DocumentRef => ({
  scope,
  collection: LOST_DOCUMENTS,
  id: `${kind} ${collection} ${id}`,
});

export interface LiftDependencies {
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
  /** The document with a version above the ledger's, and what is written with it. */
  readonly raised: (stored: StoredDocument<Value>) => Promise<Omit<Change<Value, void>, 'result'>>;
}

/** Gives a document a version above the ledger's, unless it is gone or has one. */
export const liftDocument = <Value>(
  { documents }: Pick<LiftDependencies, 'documents'>,
  { ref, ledgerVersion, versionOf, raised }: Lift<Value>,
): Promise<void> =>
  changeDocument<Value>({ documents }, ref, async (stored) =>
    stored === null || versionOf(stored) > ledgerVersion
      ? unchanged(undefined)
      : { ...(await raised(stored)), result: undefined },
  );

/** Writes a document again and again, after the write that makes `version` of it, until it has version `to`. */
export const repeatedWrites = (
  { collection, id }: DocumentRef,
  version: number,
  to: number,
  value: unknown,
): DocumentWrite[] =>
  Array.from({ length: to - version }, (_, n) => ({ collection, id, expectedVersion: version + n, value }));
