import { CONTRADICTIONS } from '../../../schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

/** Records of the ledger that repeat an entry with another content, in all epochs. */
export async function countContradictions(warehouse: Warehouse): Promise<number> {
  const rows = await warehouse.query<{ found: number }>(
    `SELECT uniqExact(epoch, \`partition\`, \`offset\`) AS found FROM ${CONTRADICTIONS.name}`,
    {},
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0]?.found ?? 0;
}
