import { SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { allOf, OWNED_BY } from './owned-by.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

/** Reads for following a customer's ledger, in index order. */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** An entry, and the log epoch in which it was folded. */
interface StoredEntry {
  readonly epoch: number;
  readonly index: number;
}

/** Entries after one index, up to and including another. */
interface FollowedRange {
  readonly after: number;
  readonly upTo: number;
}

const OWN = 'customerId = {customerId:String}';

/** The last entry of the ledger; null if it is empty. Its content, and that of all entries before it, is stored. */
export async function lastEntry(warehouse: Warehouse, customerId: string): Promise<StoredEntry | null> {
  const [found] = await warehouse.query<StoredEntry>(
    `SELECT epoch, \`index\` FROM ledger WHERE ${OWN} ORDER BY \`index\` DESC LIMIT 1`,
    { customerId },
    LIMITS,
  );
  return found ?? null;
}

/** The epoch in which the entry was folded; null if there is no such entry. */
export async function epochOfEntry(
  warehouse: Warehouse,
  customerId: string,
  index: number,
): Promise<number | null> {
  const [found] = await warehouse.query<{ epoch: number }>(
    `SELECT epoch FROM ledger WHERE ${OWN} AND \`index\` = {index:UInt64} LIMIT 1`,
    { customerId, index },
    LIMITS,
  );
  return found?.epoch ?? null;
}

/** Whether the range has more than `than` signals, including erased ones. */
export async function hasMoreSignals(
  warehouse: Warehouse,
  customerId: string,
  { after, upTo }: FollowedRange,
  than: number,
): Promise<boolean> {
  // Repeated rows count as one entry.
  const [found] = await warehouse.query<{ signals: number }>(
    `SELECT count() AS signals FROM (
       SELECT DISTINCT \`index\` FROM ledger
       WHERE ${OWN} AND kind = 'SIGNAL' AND \`index\` >= {from:UInt64} AND \`index\` <= {upTo:UInt64}
       LIMIT {most:UInt32})`,
    { customerId, from: after + 1, upTo, most: than + 1 },
    LIMITS,
  );
  return (found?.signals ?? 0) > than;
}

/** The first `limit` signals of the range, without erased ones. */
export function signalsBetween(
  warehouse: Warehouse,
  customerId: string,
  { after, upTo }: FollowedRange,
  limit: number,
): Promise<SignalRow[]> {
  const range = '`index` >= {from:UInt64} AND `index` <= {upTo:UInt64}';
  const { sql, params } = allOf(`${OWNED_BY} AND ${range} AND erased != 'ALL'`, customerId, []);
  return warehouse.query<SignalRow>(
    `SELECT ${selectList(SIGNALS)} FROM signals FINAL WHERE ${sql} ORDER BY \`index\` LIMIT {limit:UInt32}
     SETTINGS use_skip_indexes_if_final = 1`,
    { ...params, from: after + 1, upTo, limit },
    LIMITS,
  );
}
