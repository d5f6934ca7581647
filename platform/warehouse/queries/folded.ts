import { LEDGER } from '../../../schemas/topics.ts';
import type { Warehouse } from '../port.ts';
import { storedPositions } from './positions.ts';
import { REQUEST_SECONDS } from './select-list.ts';

const FIND = `
  SELECT \`index\`, epoch, \`partition\`, \`offset\` FROM ledger_ids
  WHERE customerId = {customerId:String} AND entryId = {entryId:String} LIMIT 1`;

/**
 * Index of an entry of which everything is stored, its rows and whatever it does to others; null while it is not folded.
 * The id is stored in the middle of a flush, the position at its end.
 */
export async function foldedIndex(
  warehouse: Warehouse,
  customerId: string,
  entryId: string,
): Promise<number | null> {
  const found = await warehouse.query<{ index: number; epoch: number; partition: number; offset: number }>(
    FIND,
    { customerId, entryId },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  const entry = found[0];
  if (entry === undefined) return null;
  const positions = await storedPositions(warehouse, LEDGER.name);
  const isBehind = positions.some(
    ({ epoch, partition, nextOffset }) =>
      epoch > entry.epoch ||
      (epoch === entry.epoch && partition === entry.partition && nextOffset > entry.offset),
  );
  return isBehind ? entry.index : null;
}
