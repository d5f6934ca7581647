import type { StoredRecord } from '#platform/event-log/port.ts';
import { groupBy } from '#schemas/group-by.ts';

/** What a record of `audit.signals` says about itself in its headers, before it is decoded. */
interface FoldedRange {
  /** Indexes of its first and last entry. */
  readonly first: number;
  readonly end: number;
  /** Number of entries that are not signals. */
  readonly others: number;
  /** The log's epoch when they were folded. */
  readonly epoch: number;
}

export const headersOf = ({ headers }: StoredRecord): FoldedRange => ({
  first: Number(headers.first),
  end: Number(headers.last),
  others: Number(headers.others),
  epoch: Number(headers.epoch),
});

/** The records of each customer, in log order. */
export const byCustomer = (records: readonly StoredRecord[]): Map<string, StoredRecord[]> =>
  groupBy(records, ({ key }) => key);
