import type { Warehouse } from '../port.ts';
import { OWNED_BY } from './owned-by.ts';
import { REQUEST_SECONDS } from './select-list.ts';

export interface BooksRow {
  readonly accepted: number;
  readonly stored: number;
  readonly inFlight: number;
  readonly retrying: number;
  readonly deadLettered: number;
  readonly erased: number;
}

const BOOKS = `
  SELECT count() AS accepted,
    countIf(status = 'COMPLETED' AND NOT audits.erased) AS stored,
    countIf(status = 'QUEUED' AND NOT audits.erased) AS inFlight,
    countIf(status = 'PROCESSING' AND NOT audits.erased) AS retrying,
    countIf(status = 'FAILED' AND NOT audits.erased) AS deadLettered,
    countIf(audits.erased) AS erased
  FROM audits FINAL WHERE ${OWNED_BY}`;

const NO_AUDITS: BooksRow = {
  accepted: 0,
  stored: 0,
  inFlight: 0,
  retrying: 0,
  deadLettered: 0,
  erased: 0,
};

/** What became of a customer's audits. One look at one table: all numbers are of the same moment. */
export async function readBooks(warehouse: Warehouse, customerId: string): Promise<BooksRow> {
  const rows = await warehouse.query<BooksRow>(
    BOOKS,
    { customerId },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? NO_AUDITS;
}
