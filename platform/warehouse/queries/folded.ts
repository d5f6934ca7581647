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

interface Position {
  readonly epoch: number;
  readonly partition: number;
  readonly offset: number;
}

/** A flush stores the id in its middle and the position at its end, so an id alone does not mean completely stored. */
async function belowPositions(warehouse: Warehouse): Promise<(entry: Position) => boolean> {
  const positions = await storedPositions(warehouse, LEDGER.name);
  return (entry) =>
    positions.some(
      ({ epoch, partition, nextOffset }) =>
        epoch > entry.epoch ||
        (epoch === entry.epoch && partition === entry.partition && nextOffset > entry.offset),
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

/** Indexes of the completely stored entries, by entry id. */
export async function foldedIndexes(
  warehouse: Warehouse,
  customerId: string,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (entryIds.length === 0) return new Map();
  const found = await warehouse.query<Position & { entryId: string; index: number }>(
    FIND_ALL,
    { customerId, entryIds: [...entryIds] },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  const isFolded = await belowPositions(warehouse);
  return new Map(found.filter(isFolded).map(({ entryId, index }) => [entryId, index]));
}

/**
 * Index of an entry that is completely stored, with its rows and its effects on others; null if it is not folded yet.
 */
export async function foldedIndex(
  warehouse: Warehouse,
  customerId: string,
  entryId: string,
): Promise<number | null> {
  const found = await warehouse.query<Position & { index: number }>(
    FIND,
    { customerId, entryId },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  const entry = found[0];
  if (entry === undefined) return null;
  return (await belowPositions(warehouse))(entry) ? entry.index : null;
}

/** The lowest log position of the entries `from` to `to`, according to the stored ids; null if none is known. */
export async function firstPosition(
  warehouse: Warehouse,
  customerId: string,
  from: number,
  to: number,
): Promise<Pick<Position, 'epoch' | 'offset'> | null> {
  const rows = await warehouse.query<Pick<Position, 'epoch' | 'offset'>>(
    `SELECT epoch, \`offset\` FROM ledger_ids
     WHERE customerId = {customerId:String} AND \`index\` >= {from:UInt64} AND \`index\` <= {to:UInt64}
     ORDER BY epoch, \`offset\` LIMIT 1`,
    { customerId, from, to },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? null;
}
