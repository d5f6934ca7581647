import type {
  ClosingRow,
  EntryRow,
  LedgerIdRow,
  LedgerRow,
  PositionRow,
  SignalRow,
  SkipRow,
} from '#schemas/tables/tables.ts';
import type { StoredAudit } from '../fold/content-below.ts';

/** Tables that a flush writes to, and the table of findings. */
export const SINK_TABLES = [
  'signals',
  'entries',
  'ledger_ids',
  'ledger',
  'contradictions',
  'audits',
  'positions',
  'skips',
  'correlations',
] as const;
export type SinkTable = (typeof SINK_TABLES)[number];

/** What the sink reads from and writes to the warehouse: raw rows, without FINAL. Errors are the warehouse's. */
export interface SinkStore {
  epoch(): Promise<number | null>;
  /** The highest position of a partition in an epoch. */
  position(epoch: number, topic: string, partition: number): Promise<PositionRow | null>;
  /** All skips of an epoch. */
  skips(epoch: number): Promise<SkipRow[]>;
  /** Rows of these entry ids; may include a wanted customer with an id that was wanted for another. */
  ids(wanted: readonly Pick<LedgerIdRow, 'customerId' | 'entryId'>[]): Promise<LedgerIdRow[]>;
  /** Core hashes of entries, by customer and index. */
  coreHashes(
    wanted: readonly Pick<LedgerRow, 'customerId' | 'index'>[],
  ): Promise<Pick<LedgerRow, 'customerId' | 'entryId' | 'coreHash'>[]>;
  /** Last entry of each customer below its own offset in the epoch. */
  heads(
    epoch: number,
    wanted: readonly HeadQuery[],
  ): Promise<Pick<LedgerRow, 'customerId' | 'index' | 'hash'>[]>;
  /** The greatest id, in byte order, of these customers' signals; none for a customer without signals. */
  newestSignals(
    customerIds: readonly string[],
  ): Promise<{ readonly customerId: string; readonly id: string }[]>;
  /** Indexes of closing ERASUREs of these customers. */
  closings(customerIds: readonly string[]): Promise<ClosingRow[]>;
  signals(customerId: string, indexes: readonly number[]): Promise<SignalRow[]>;
  entries(customerId: string, indexes: readonly number[]): Promise<EntryRow[]>;
  /** Completed and erased rows of these audits. */
  audits(
    customerId: string,
    wanted: readonly Pick<StoredAudit, 'auditId' | 'acceptedAt'>[],
  ): Promise<StoredAudit[]>;
  /** Resolves once the rows are stored. */
  insert(table: SinkTable, rows: readonly object[]): Promise<void>;
}

export interface HeadQuery {
  readonly customerId: string;
  /** Only entries whose record is below this offset count. */
  readonly belowOffset: number;
}
