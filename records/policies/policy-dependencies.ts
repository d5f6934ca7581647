import type { Documents } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';

export interface PolicyDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}
