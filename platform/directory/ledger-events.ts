import type { LedgerKind } from '../../schemas/vocabulary.ts';
import type { DocumentRef, PendingEntry } from '../state/port.ts';

/** An event of a record, before it becomes a ledger entry. Personal values belong into `detail`, which is sealed. */
export interface LedgerEvent {
  readonly kind: LedgerKind;
  /** Unique within the kind; the same event has the same id however often it is made. */
  readonly id: string;
  readonly customerId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly core: Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Makes the ledger record of an event (hashes, sealing and framing are not the directory's business). */
export type EntryMaker = (event: LedgerEvent) => Promise<PendingEntry>;

/**
 * Told after a document with pending entries was written, so that they reach the log soon. Must not throw; what it
 * misses, the outbox sweeper appends.
 */
export type Announce = (ref: DocumentRef) => void;
