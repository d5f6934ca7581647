import { LEDGER } from '#schemas/topics.ts';
import type { Warehouse } from '../port.ts';
import { storedPositions } from './positions.ts';
import { REQUEST_SECONDS } from './select-list.ts';

const FIND = `
  SELECT \`index\`, epoch, \`partition\`, \`offset\` FROM ledger_ids
  WHERE customerId = {customerId:String} AND entryId = {entryId:String} LIMIT 1`;

const FIND_ALL = `
  SELECT DISTINCT entryId, \`index\`, epoch, \`partition\`, \`offset\` FROM ledger_ids
  WHERE customerId = {customerId:String} AND entryId IN {entryIds:Array(String)}`;

interface Place {
  readonly epoch: number;
  readonly partition: number;
  readonly offset: number;
}

/** The id is stored in the middle of a flush, the position at its end. */
async function behindPositions(warehouse: Warehouse): Promise<(place: Place) => boolean> {
  const positions = await storedPositions(warehouse, LEDGER.name);
  return (place) =>
    positions.some(
      ({ epoch, partition, nextOffset }) =>
        epoch > place.epoch ||
        (epoch === place.epoch && partition === place.partition && nextOffset > place.offset),
    );
}

/** Those of these entries of a customer that are completely stored. */
export async function foldedEntries(
  warehouse: Warehouse,
  customerId: string,
  entryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await foldedIndexes(warehouse, customerId, entryIds)).keys());
}

/** The same with their indexes, by entry id. */
export async function foldedIndexes(
  warehouse: Warehouse,
  customerId: string,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (entryIds.length === 0) return new Map();
  const found = await warehouse.query<Place & { entryId: string; index: number }>(
    FIND_ALL,
    { customerId, entryIds: [...entryIds] },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  const isBehind = await behindPositions(warehouse);
  return new Map(found.filter(isBehind).map(({ entryId, index }) => [entryId, index]));
}

/**
 * Index of an entry that is completely stored, with its rows and its effects on others; null while it is not folded.
 */
export async function foldedIndex(
  warehouse: Warehouse,
  customerId: string,
  entryId: string,
): Promise<number | null> {
  const found = await warehouse.query<Place & { index: number }>(
    FIND,
    { customerId, entryId },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  const entry = found[0];
  if (entry === undefined) return null;
  return (await behindPositions(warehouse))(entry) ? entry.index : null;
}

/** Position of the first record of some entries, as the ids have it; null: none of them is known. */
export async function firstPosition(
  warehouse: Warehouse,
  customerId: string,
  from: number,
  to: number,
): Promise<Pick<Place, 'epoch' | 'offset'> | null> {
  const rows = await warehouse.query<Pick<Place, 'epoch' | 'offset'>>(
    `SELECT epoch, \`offset\` FROM ledger_ids
     WHERE customerId = {customerId:String} AND \`index\` >= {from:UInt64} AND \`index\` <= {to:UInt64}
     ORDER BY epoch, \`offset\` LIMIT 1`,
    { customerId, from, to },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? null;
}
