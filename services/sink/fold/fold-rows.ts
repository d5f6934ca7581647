import type { AuditRow, EntryRow, LedgerIdRow, LedgerRow, SignalRow } from '#schemas/tables/tables.ts';
/** Rows by the flush step that inserts them. */
export interface FoldRows {
  readonly signals: SignalRow[];
  readonly entries: EntryRow[];
  readonly ledgerIds: LedgerIdRow[];
  readonly ledger: LedgerRow[];
  readonly signalTombstones: SignalRow[];
  readonly entryTombstones: EntryRow[];
  readonly audits: AuditRow[];
}
