import { CONTRADICTIONS } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

/**
 * Number of contents in ledger records that differ from the stored entry of the same id. Counted by content, not by
 * position: after a new epoch the same log is folded again, and a contradiction that an operator has accepted would
 * reappear as new.
 */
export async function countContradictions(warehouse: Warehouse): Promise<number> {
  const rows = await warehouse.query<{ found: number }>(
    `SELECT uniqExact(customerId, entryId, repeatedCoreHash) AS found FROM ${CONTRADICTIONS.name}`,
    {},
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0]?.found ?? 0;
}
