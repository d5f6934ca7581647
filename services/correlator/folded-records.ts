import type { StoredRecord } from '#platform/event-log/port.ts';

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
export function byCustomer(records: readonly StoredRecord[]): Map<string, StoredRecord[]> {
  const grouped = new Map<string, StoredRecord[]>();
  for (const record of records) {
    const own = grouped.get(record.key);
    if (own === undefined) grouped.set(record.key, [record]);
    else own.push(record);
  }
  return grouped;
}
