import { LEDGER, SUBTREES } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** An entry's links: what chain and tree are made of. Hashes in lower-case hex. */
export interface LinkRow {
  readonly index: number;
  readonly leafHash: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Links of the entries from `from` up to, and without, `to`, in index order; identical copies of a row are one. */
export const ledgerLinks = (
  warehouse: Warehouse,
  customerId: string,
  from: number,
  to: number,
): Promise<LinkRow[]> =>
  warehouse.query<LinkRow>(
    `SELECT DISTINCT \`index\`, leafHash, previousHash, hash FROM ${LEDGER.name}
     WHERE customerId = {customerId:String} AND \`index\` >= {from:UInt64} AND \`index\` < {to:UInt64}
     ORDER BY \`index\``,
    { customerId, from, to },
    LIMITS,
  );

/** Roots of the complete subtrees of a height, in index order, from `from` up to, and without, `to`. */
export async function subtreeRoots(
  warehouse: Warehouse,
  customerId: string,
  height: number,
  from: number,
  to: number,
): Promise<{ index: number; hash: string }[]> {
  return warehouse.query<{ index: number; hash: string }>(
    `SELECT DISTINCT \`index\`, hash FROM ${SUBTREES.name}
     WHERE customerId = {customerId:String} AND height = {height:UInt8}
       AND \`index\` >= {from:UInt64} AND \`index\` < {to:UInt64}
     ORDER BY \`index\``,
    { customerId, height, from, to },
    LIMITS,
  );
}

/** How many subtrees of a height are stored for a customer; they are stored in order and without gaps. */
export async function storedSubtrees(
  warehouse: Warehouse,
  customerId: string,
  height: number,
): Promise<number> {
  const [last] = await warehouse.query<{ index: number }>(
    `SELECT \`index\` FROM ${SUBTREES.name} WHERE customerId = {customerId:String} AND height = {height:UInt8}
     ORDER BY customerId DESC, height DESC, \`index\` DESC LIMIT 1`,
    { customerId, height },
    LIMITS,
  );
  return last === undefined ? 0 : last.index + 1;
}

/** Up to where the sink has stored the ledger's partitions: of an earlier epoch everything counts. */
export interface FoldedBelow {
  readonly epoch: number;
  /** Next offset by partition, 0 where nothing is stored. */
  readonly nextOffsets: readonly number[];
}

/** Customers behind `after` by id, with the number of their stored entries, at most `limit`. */
export const ledgerSizes = (
  warehouse: Warehouse,
  { epoch, nextOffsets }: FoldedBelow,
  after: string,
  limit: number,
): Promise<{ customerId: string; size: number }[]> =>
  warehouse.query(
    `SELECT customerId, max(\`index\`) + 1 AS size FROM ${LEDGER.name}
     WHERE customerId > {after:String}
       AND (epoch < {epoch:UInt32}
         OR (epoch = {epoch:UInt32} AND \`offset\` < arrayElement({nextOffsets:Array(UInt64)}, \`partition\` + 1)))
     GROUP BY customerId ORDER BY customerId LIMIT {limit:UInt32}
     SETTINGS optimize_aggregation_in_order = 1`,
    { epoch, nextOffsets, after, limit },
    LIMITS,
  );
