import { columnNames } from '#schemas/tables/table.ts';
import { CHECKPOINTS, type CheckpointRow, LEDGER, SUBTREES } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** An entry's links, which form the chain and the tree. Hashes in lower-case hex. */
export interface LinkRow {
  readonly index: number;
  readonly leafHash: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Entries of one customer's ledger, from `from` (inclusive) to `to` (exclusive). */
export interface LedgerSpan {
  readonly customerId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Links of the entries from `from` (inclusive) to `to` (exclusive), in index order; identical copies of a row are one.
 */
export const ledgerLinks = async (
  warehouse: Warehouse,
  customerId: string,
  from: number,
  to: number,
): Promise<LinkRow[]> => (await linksOfLedgers(warehouse, [{ customerId, from, to }])).get(customerId) ?? [];

/**
 * Links of several customers' entries with one statement, by customer and in index order; identical copies of a row are
 * one. Small ledgers share the engine's granules, which are then read once instead of once per customer.
 */
export async function linksOfLedgers(
  warehouse: Warehouse,
  spans: readonly LedgerSpan[],
): Promise<Map<string, LinkRow[]>> {
  const parameters: Record<string, string | number> = {};
  const within = spans.map(({ customerId, from, to }, n) => {
    Object.assign(parameters, { [`customer${n}`]: customerId, [`from${n}`]: from, [`to${n}`]: to });
    return `customerId = {customer${n}:String} AND \`index\` >= {from${n}:UInt64} AND \`index\` < {to${n}:UInt64}`;
  });
  const rows = await warehouse.query<LinkRow & { readonly customerId: string }>(
    `SELECT DISTINCT customerId, \`index\`, leafHash, previousHash, hash FROM ${LEDGER.name}
     WHERE ${within.join(' OR ')} ORDER BY customerId, \`index\``,
    parameters,
    LIMITS,
  );
  const links = new Map<string, LinkRow[]>();
  for (const { customerId, ...link } of rows) {
    const some = links.get(customerId);
    if (some === undefined) links.set(customerId, [link]);
    else some.push(link);
  }
  return links;
}

/** Leaf hashes of the entries of a range, in index order; identical copies of a row are one. */
export const ledgerLeaves = (
  warehouse: Warehouse,
  { customerId, from, to }: LedgerSpan,
): Promise<Pick<LinkRow, 'index' | 'leafHash'>[]> =>
  warehouse.query(
    `SELECT DISTINCT \`index\`, leafHash FROM ${LEDGER.name}
     WHERE customerId = {customerId:String} AND \`index\` >= {from:UInt64} AND \`index\` < {to:UInt64}
     ORDER BY \`index\``,
    { customerId, from, to },
    LIMITS,
  );

/** Complete subtrees of one height, from index `from` (inclusive) to `to` (exclusive). */
interface SubtreeRun {
  readonly height: number;
  readonly from: number;
  readonly to: number;
}

/** Roots of the complete subtrees of these runs, by height and in index order, with one statement. */
export async function subtreeRoots(
  warehouse: Warehouse,
  customerId: string,
  runs: readonly SubtreeRun[],
): Promise<{ height: number; index: number; hash: string }[]> {
  if (runs.length === 0) return [];
  const parameters: Record<string, string | number> = { customerId };
  const within = runs.map(({ height, from, to }, n) => {
    Object.assign(parameters, { [`height${n}`]: height, [`from${n}`]: from, [`to${n}`]: to });
    return `height = {height${n}:UInt8} AND \`index\` >= {from${n}:UInt64} AND \`index\` < {to${n}:UInt64}`;
  });
  return warehouse.query(
    `SELECT DISTINCT height, \`index\`, hash FROM ${SUBTREES.name}
     WHERE customerId = {customerId:String} AND (${within.join(' OR ')})
     ORDER BY height, \`index\``,
    parameters,
    LIMITS,
  );
}

/** Stored subtrees of 256 and 65,536 leaves that end after leaf `from`, and at or before leaf `to`. */
export const subtreesWithin = (
  warehouse: Warehouse,
  customerId: string,
  from: number,
  to: number,
): Promise<{ height: number; index: number; hash: string }[]> =>
  subtreeRoots(
    warehouse,
    customerId,
    [8, 16].map((height) => ({
      height,
      from: Math.floor(from / 2 ** height),
      to: Math.floor(to / 2 ** height),
    })),
  );

/** Number of a customer's stored entries, and the number expected from the last one's index. */
export async function storedEntries(
  warehouse: Warehouse,
  customerId: string,
): Promise<{ readonly stored: number; readonly size: number }> {
  const [found] = await warehouse.query<{ stored: number; size: number }>(
    `SELECT uniqExact(\`index\`) AS stored, if(count() = 0, 0, max(\`index\`) + 1) AS size FROM ${LEDGER.name}
     WHERE customerId = {customerId:String}`,
    { customerId },
    LIMITS,
  );
  return found ?? { stored: 0, size: 0 };
}

/** Number of subtrees of a height stored for a customer, counted from the first. */
export const storedSubtrees = async (
  warehouse: Warehouse,
  customerId: string,
  height: number,
): Promise<number> => (await storedSubtreesOf(warehouse, [customerId], height)).get(customerId) ?? 0;

/**
 * Number of subtrees of a height stored for some customers, counted from the first. They are stored in order, so a gap
 * means that a row was lost: the result is then 0, so that all are stored again.
 */
export async function storedSubtreesOf(
  warehouse: Warehouse,
  customerIds: readonly string[],
  height: number,
): Promise<Map<string, number>> {
  const found = await warehouse.query<{ customerId: string; stored: number; next: number }>(
    `SELECT customerId, uniqExact(\`index\`) AS stored, max(\`index\`) + 1 AS next FROM ${SUBTREES.name}
     WHERE customerId IN {customerIds:Array(String)} AND height = {height:UInt8} GROUP BY customerId`,
    { customerIds: [...customerIds], height },
    LIMITS,
  );
  const whole = new Map(
    found.map(({ customerId, stored, next }) => [customerId, stored === next ? next : 0]),
  );
  return new Map(customerIds.map((customerId) => [customerId, whole.get(customerId) ?? 0]));
}

/** Index after the last stored subtree of a height for a customer. */
export async function nextSubtree(warehouse: Warehouse, customerId: string, height: number): Promise<number> {
  const [last] = await warehouse.query<{ index: number }>(
    `SELECT \`index\` FROM ${SUBTREES.name} WHERE customerId = {customerId:String} AND height = {height:UInt8}
     ORDER BY customerId DESC, height DESC, \`index\` DESC LIMIT 1`,
    { customerId, height },
    LIMITS,
  );
  return last === undefined ? 0 : last.index + 1;
}

/** How far the sink has stored the ledger's partitions; everything from earlier epochs counts. */
export interface FoldedBelow {
  readonly epoch: number;
  /** Next offset by partition, 0 where nothing is stored. */
  readonly nextOffsets: readonly number[];
}

/** At most `limit` customers with ids after `after`, with the number of their stored entries. */
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

/** The next customer with entries and an id after `after`; ids sort by creation. Null if there is none. */
export async function nextCustomer(warehouse: Warehouse, after: string): Promise<string | null> {
  const rows = await warehouse.query<{ customerId: string }>(
    `SELECT customerId FROM ${LEDGER.name} WHERE customerId > {after:String} ORDER BY customerId LIMIT 1`,
    { after },
    LIMITS,
  );
  return rows[0]?.customerId ?? null;
}

/**
 * The customer's last entry below the stored position of its partition; null if there is none. One statement, because
 * the caller has to wait for it. A partition without a record of the newest epoch has no entry.
 */
export async function foldedTip(
  warehouse: Warehouse,
  customerId: string,
  { topic, partition }: { readonly topic: string; readonly partition: number },
): Promise<LinkRow | null> {
  const [tip] = await warehouse.query<LinkRow>(
    `WITH (
       SELECT (max(epoch), maxIf((epoch, nextOffset), \`partition\` = {partition:UInt16})) FROM positions
       WHERE topic = {topic:String}
     ) AS stored
     SELECT \`index\`, leafHash, previousHash, hash FROM ${LEDGER.name}
     WHERE customerId = {customerId:String} AND stored.1 = stored.2.1
       AND (epoch < stored.1 OR (epoch = stored.1 AND \`offset\` < stored.2.2))
     ORDER BY customerId DESC, \`index\` DESC LIMIT 1`,
    { customerId, topic, partition },
    LIMITS,
  );
  return tip ?? null;
}

/**
 * The customer's largest recorded checkpoint of the highest epoch. Of several with the same size any may be returned:
 * one of them will not match.
 */
export async function lastCheckpoint(
  warehouse: Warehouse,
  customerId: string,
): Promise<CheckpointRow | null> {
  const rows = await warehouse.query<CheckpointRow>(
    `SELECT ${selectList(CHECKPOINTS)} FROM ${CHECKPOINTS.name} WHERE customerId = {customerId:String}
     ORDER BY customerId DESC, epoch DESC, size DESC LIMIT 1`,
    { customerId },
    LIMITS,
  );
  return rows[0] ?? null;
}

export const storeCheckpoint = (warehouse: Warehouse, row: CheckpointRow): Promise<void> =>
  warehouse.insert(CHECKPOINTS.name, columnNames(CHECKPOINTS), [row]);
