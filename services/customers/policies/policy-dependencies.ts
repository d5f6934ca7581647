import type { Documents } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../ledger-events.ts';

export interface PolicyDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

/** Rounds of a write before it gives up: each lost round means that another write of the customer succeeded. */
export const MAX_ROUNDS = 1_000;
