import type { StoredRecord } from '#platform/event-log/port.ts';
import { groupBy } from '#schemas/group-by.ts';

/** What a record of `audit.signals` says of itself before it is decoded. */
interface FoldedRange {
  /** Indexes of its first and its last entry. */
  readonly first: number;
  readonly end: number;
  /** How many of its entries are no signals. */
  readonly others: number;
  /** Of the log, when they were folded. */
  readonly epoch: number;
}

export const headersOf = ({ headers }: StoredRecord): FoldedRange => ({
  first: Number(headers.first),
  end: Number(headers.last),
  others: Number(headers.others),
  epoch: Number(headers.epoch),
});

/** The records of each customer, in the order of the log. */
export const byCustomer = (records: readonly StoredRecord[]): Map<string, StoredRecord[]> =>
  groupBy(records, ({ key }) => key);
