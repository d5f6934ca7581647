import type { AnyTable, Erasure } from '#schemas/tables/table.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { TIME } from '#schemas/time.ts';
import type { Warehouse } from '../../port.ts';

type Tombstones = Extract<Erasure, { readonly by: 'TOMBSTONES' }>;

/** A table with tombstones. */
interface ScrubbedTable extends Pick<Tombstones, 'level' | 'tombstoneFrom' | 'isTombstone' | 'isClear'> {
  readonly name: string;
  /** The table's sorting key: the columns, with the SQL and type of their values. */
  readonly key: readonly { readonly column: string; readonly sql: string; readonly type: string }[];
}

const keyColumn = (name: string, type: string | undefined): ScrubbedTable['key'][number] => {
  if (type === undefined) throw new Error(`a table is sorted by ${name}, which is not one of its columns`);
  const column = `\`${name}\``;
  return type === TIME
    ? { column, sql: `toUnixTimestamp64Milli(${column})`, type: 'Int64' }
    : { column, sql: column, type };
};
export const SCRUBBED_TABLES: readonly ScrubbedTable[] = (TABLES as readonly AnyTable[]).flatMap(
  ({ name, columns, erasure }) =>
    erasure.by === 'TOMBSTONES'
      ? [{ ...erasure, name, key: erasure.key.map((column) => keyColumn(column, columns[column])) }]
      : [],
);

/** A key that has a tombstone, with all its stored levels. */
interface HiddenRows {
  readonly key: readonly (string | number)[];
  readonly levels: readonly number[];
}

/**
 * Up to `limit` keys that have a tombstone and other rows; of one customer, or of all (null). Grouped in the table's
 * order, so that memory does not grow with everything ever erased.
 */
export function hiddenRows(
  warehouse: Warehouse,
  { name, key, level, tombstoneFrom, isTombstone }: ScrubbedTable,
  limit: number,
  customerId: string | null,
): Promise<HiddenRows[]> {
  const columns = key.map(({ column }) => column).join(', ');
  const keySql = key.map(({ sql }) => sql).join(', ');
  const own =
    customerId === null
      ? `customerId IN (SELECT DISTINCT customerId FROM ${name} WHERE ${level} >= ${tombstoneFrom})`
      : 'customerId = {customerId:String}';
  return warehouse.query(
    `SELECT tuple(${keySql}) AS key, groupUniqArray(${level}) AS levels FROM ${name}
     WHERE ${own}
     GROUP BY ${columns}
     HAVING max(${level}) >= ${tombstoneFrom} AND length(levels) > 1 AND argMax(${isTombstone}, ${level}) LIMIT ${limit}
     SETTINGS optimize_aggregation_in_order = 1`,
    customerId === null ? {} : { customerId },
  );
}

/** Deletes rows, each given by its key and level, and waits until they are gone: a mutation, which takes seconds. */
export async function deleteRows(
  warehouse: Warehouse,
  table: ScrubbedTable,
  rows: readonly (readonly (string | number)[])[],
): Promise<void> {
  const columns = [...table.key, { sql: table.level, type: 'UInt64' }];
  const params = Object.fromEntries(columns.map((_, i) => [`part${i}`, rows.map((row) => row[i])]));
  const tuple = columns.map(({ sql }) => sql).join(', ');
  const arrays = columns.map(({ type }, i) => `{part${i}:Array(${type})}`).join(', ');
  await warehouse.command(
    `ALTER TABLE ${table.name} DELETE WHERE (${tuple}) IN arrayZip(${arrays}) SETTINGS mutations_sync = 2`,
    params,
  );
}

/** Tables of findings: they name signals, and are useless without them. */
const OF_SIGNALS = TABLES.filter(({ erasure }) => erasure.by === 'DELETION').map(({ name }) => name);

/** Customers with a closing ERASURE that still have rows in these tables. */
export async function closedWithFindings(warehouse: Warehouse): Promise<string[]> {
  const found = await Promise.all(
    OF_SIGNALS.map((table) =>
      warehouse.query<{ customerId: string }>(
        `SELECT DISTINCT customerId FROM ${table} WHERE customerId IN (SELECT customerId FROM closings)`,
      ),
    ),
  );
  return [...new Set(found.flat().map(({ customerId }) => customerId))];
}

/** Deletes a customer's findings and the record of how far its signals are folded, and waits until they are gone. */
export async function deleteFindings(warehouse: Warehouse, customerId: string): Promise<void> {
  for (const table of OF_SIGNALS) {
    await warehouse.command(
      `ALTER TABLE ${table} DELETE WHERE customerId = {customerId:String} SETTINGS mutations_sync = 2`,
      { customerId },
    );
  }
}

/**
 * Deletes all content that is not blank of a customer whose ERASUREs are folded, and waits until it is gone: one
 * mutation per table.
 */
export async function deleteClearContent(warehouse: Warehouse, customerId: string): Promise<void> {
  for (const { name, isClear } of SCRUBBED_TABLES) {
    await warehouse.command(
      `ALTER TABLE ${name} DELETE WHERE customerId = {customerId:String} AND ${isClear}
       SETTINGS mutations_sync = 2`,
      { customerId },
    );
  }
  await deleteFindings(warehouse, customerId);
}
