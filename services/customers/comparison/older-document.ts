import type { DocumentRef, Documents } from '#platform/state/port.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Announce, EntryMaker } from '../ledger-events.ts';
import { LOST_DOCUMENTS } from '../records.ts';
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
