import type { DocumentRef, PendingEntry } from '#platform/state/port.ts';
import type { LedgerContent } from '#schemas/ledger/kinds.ts';

/** An event of a record, before it becomes a ledger entry: its kind defines the content of core and detail. */
export type LedgerEvent = LedgerContent & {
  /** Unique within the kind; the same event has the same id every time it is made. */
  readonly id: string;
  readonly customerId: string;
  /** ISO 8601. */
  readonly at: string;
};

/**
 * Makes the ledger record of an event; hashes, sealing and framing are outside the directory. `headers`: of the record,
 * in clear, for the fold.
 */
export type EntryMaker = (
  event: LedgerEvent,
  headers?: Readonly<Record<string, string>>,
) => Promise<PendingEntry>;

/**
 * Called after a document with pending entries was written, so that they reach the log soon. Must not throw; the outbox
 * sweeper appends what it misses.
 */
export type Announce = (ref: DocumentRef) => void;

/** Clocks of processes differ slightly; a later version of a record must not look older. */
export const laterOf = (one: string, other: string): string =>
  new Date(Math.max(Date.parse(one), Date.parse(other))).toISOString();
