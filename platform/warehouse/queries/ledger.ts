import {
  ENTRIES,
  type EntryRow,
  LEDGER,
  LEDGER_IDS,
  type LedgerRow,
  SIGNALS,
  type SignalRow,
} from '#schemas/tables/tables.ts';
import { type Warehouse, WarehouseDamaged } from '../port.ts';
import { selectList } from './select-list.ts';

/**
 * Rows of the chain exactly as stored: never FINAL, so that a merge cannot hide anything. Returns all identical copies,
 * revisions and unexpected rows.
 */

/** Time limit for one chunk of a verification, in seconds. */
const CHUNK_SECONDS = 30;

const LIMITS = { maxExecutionSeconds: CHUNK_SECONDS } as const;

/** Indexes of a chunk, both inclusive; `to` null: no upper bound. */
interface IndexRange {
  readonly from: number;
  readonly to: number | null;
  /** Maximum number of rows, in index order, so that a read is bounded whatever was inserted; undefined: all rows. */
  readonly limit?: number;
}

/**
 * Highest index of the customer's ledger, or null without an entry. If the ledger is damaged, determined from the ids
 * of its entries.
 */
export const ledgerHead = (warehouse: Warehouse, customerId: string): Promise<number | null> =>
  headIn(warehouse, LEDGER.name, customerId).catch((error: unknown) => {
    if (error instanceof WarehouseDamaged) return headIn(warehouse, LEDGER_IDS.name, customerId);
    throw error;
  });

async function headIn(warehouse: Warehouse, table: string, customerId: string): Promise<number | null> {
  const rows = await warehouse.query<{ entries: number; head: number }>(
    `SELECT count() AS entries, max(\`index\`) AS head FROM ${table} WHERE customerId = {customerId:String}`,
    { customerId },
    LIMITS,
  );
  const found = rows[0];
  return found === undefined || found.entries === 0 ? null : found.head;
}

/** Number of rows of all ledgers from the engine's metadata, without reading them; repeated rows may count twice. */
export async function ledgerRowCount(warehouse: Warehouse): Promise<number> {
  const rows = await warehouse.query<{ rows: number }>(
    `SELECT count() AS rows FROM ${LEDGER.name}`,
    {},
    LIMITS,
  );
  return rows[0]?.rows ?? 0;
}

/** Row of an entry by its entry id; null if it is not stored. */
export async function ledgerEntry(
  warehouse: Warehouse,
  customerId: string,
  entryId: string,
): Promise<LedgerRow | null> {
  const rows = await warehouse.query<LedgerRow>(
    `SELECT ${selectList(LEDGER)} FROM ${LEDGER.name}
     WHERE customerId = {customerId:String} AND \`index\` IN
       (SELECT \`index\` FROM ${LEDGER_IDS.name} WHERE customerId = {customerId:String} AND entryId = {entryId:String})
       AND entryId = {entryId:String}
     ORDER BY \`index\` LIMIT 1`,
    { customerId, entryId },
    LIMITS,
  );
  return rows[0] ?? null;
}

/** In index order, so that copies of a row are adjacent. */
export const ledgerRows = (
  warehouse: Warehouse,
  customerId: string,
  range: IndexRange,
): Promise<LedgerRow[]> => rowsOf<LedgerRow>(warehouse, LEDGER.name, selectList(LEDGER), customerId, range);

export const signalRows = (
  warehouse: Warehouse,
  customerId: string,
  range: IndexRange,
): Promise<SignalRow[]> => rowsOf<SignalRow>(warehouse, SIGNALS.name, selectList(SIGNALS), customerId, range);

export const entryRows = (warehouse: Warehouse, customerId: string, range: IndexRange): Promise<EntryRow[]> =>
  rowsOf<EntryRow>(warehouse, ENTRIES.name, selectList(ENTRIES), customerId, range);

function rowsOf<Row>(
  warehouse: Warehouse,
  table: string,
  columns: string,
  customerId: string,
  { from, to, limit }: IndexRange,
): Promise<Row[]> {
  const upTo = to === null ? '' : 'AND `index` <= {to:UInt64}';
  const atMost = limit === undefined ? '' : 'LIMIT {limit:UInt32}';
  return warehouse.query<Row>(
    `SELECT ${columns} FROM ${table} WHERE customerId = {customerId:String} AND \`index\` >= {from:UInt64} ${upTo}
     ORDER BY \`index\`, epoch, \`offset\` ${atMost}`,
    { customerId, from, ...(to === null ? {} : { to }), ...(limit === undefined ? {} : { limit }) },
    LIMITS,
  );
}

/**
 * Rows of ERASURE entries, skeleton and content, and the index at which the next page starts; null on the last page.
 */
interface ErasurePage {
  readonly ledger: LedgerRow[];
  readonly entries: EntryRow[];
  readonly next: number | null;
}

/** ERASUREs that name entries between `first` and `last`, lie among them, or closed the customer. */
const REACHING = `AND \`index\` IN (
  SELECT \`index\` FROM ${ENTRIES.name}
  WHERE customerId = {customerId:String} AND kind = 'ERASURE' AND core IS NOT NULL
    AND ((\`index\` >= {first:UInt64} AND \`index\` <= {last:UInt64})
      OR JSONExtractBool(assumeNotNull(core), 'closing')
      OR arrayExists(one -> one[1] <= {last:UInt64} AND one[2] >= {first:UInt64},
        JSONExtract(assumeNotNull(core), 'ranges', 'Array(Array(UInt64))'))))`;

/**
 * Up to `limit` rows of the customer's ERASURE entries from an index; `reaching`: only those that concern these
 * entries. The skeleton is read first, because the sink writes it last. Rows at the index where a page breaks off are
 * repeated on the next page.
 */
export async function erasureRows(
  warehouse: Warehouse,
  customerId: string,
  {
    from,
    to = null,
    limit,
    reaching,
  }: {
    readonly from: number;
    readonly to?: number | null;
    readonly limit: number;
    readonly reaching?: { readonly first: number; readonly last: number };
  },
): Promise<ErasurePage> {
  const upTo = to === null ? '' : 'AND `index` <= {to:UInt64}';
  const of = <Row>(table: string, columns: string): Promise<Row[]> =>
    warehouse.query<Row>(
      `SELECT ${columns} FROM ${table}
       WHERE customerId = {customerId:String} AND kind = 'ERASURE' AND \`index\` >= {from:UInt64} ${upTo}
         ${reaching === undefined ? '' : REACHING}
       ORDER BY \`index\` LIMIT {limit:UInt32}`,
      { customerId, from, limit, ...(to === null ? {} : { to }), ...reaching },
      LIMITS,
    );
  const ledger = await of<LedgerRow>(LEDGER.name, selectList(LEDGER));
  const entries = ledger.length === 0 ? [] : await of<EntryRow>(ENTRIES.name, selectList(ENTRIES));
  const breaks = [ledger, entries].flatMap((rows) => (rows.length < limit ? [] : rows.at(-1)!.index));
  // If one index fills a page, its remaining rows are left out.
  const next = Math.max(from + 1, Math.min(...breaks));
  // Stops at an index too large to be incremented.
  return { ledger, entries, next: breaks.length === 0 || next === from ? null : next };
}
