import { CONTRADICTIONS } from '../../../schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

/**
 * Contents that records of the ledger gave to an entry that has another. They count by what they say and not by where they
 * lie: after a new epoch the same log is folded again, and what an operator has accepted would come back as new.
 */
export async function countContradictions(warehouse: Warehouse): Promise<number> {
  const rows = await warehouse.query<{ found: number }>(
    `SELECT uniqExact(customerId, entryId, repeatedCoreHash) AS found FROM ${CONTRADICTIONS.name}`,
    {},
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0]?.found ?? 0;
}
