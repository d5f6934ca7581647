import { SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { allOf, OWNED_BY } from './owned-by.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

/** What following a customer's ledger reads, in the order of the indexes. */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** An entry, and the log's epoch in which it was folded. */
interface StoredPlace {
  readonly epoch: number;
  readonly index: number;
}

/** Entries behind one index, up to another one. */
interface FollowedRange {
  readonly after: number;
  readonly upTo: number;
}

const OWN = 'customerId = {customerId:String}';

/** The last entry of the ledger; null: it has none. Its content, and that of all before it, is stored. */
export async function lastEntry(warehouse: Warehouse, customerId: string): Promise<StoredPlace | null> {
  const [found] = await warehouse.query<StoredPlace>(
    `SELECT epoch, \`index\` FROM ledger WHERE ${OWN} ORDER BY \`index\` DESC LIMIT 1`,
    { customerId },
    LIMITS,
  );
  return found ?? null;
}

/** In which epoch the entry was folded; null: there is none. */
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

/** Whether the range has more signals than this, erased ones too. */
export async function hasMoreSignals(
  warehouse: Warehouse,
  customerId: string,
  { after, upTo }: FollowedRange,
  than: number,
): Promise<boolean> {
  // A row that was written twice is one entry.
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
