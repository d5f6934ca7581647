import type { Documents } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../ledger-events.ts';
/** A document of which the ledger knows a newer version. */
export interface OlderDocument {
  readonly customerId: string;
  readonly id: string;
  /** Its versions in the ledger and in the state; 0: it does not exist there. */
  readonly ledgerVersion: number;
  readonly stateVersion: number;
}

export interface LiftDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  /** Unix ms. */
  readonly now: () => number;
  readonly newId: () => string;
}
