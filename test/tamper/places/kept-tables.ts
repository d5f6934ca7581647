import type { Warehouse } from '#platform/warehouse/port.ts';
import { columnNames, type Table } from '#schemas/tables/table.ts';
import { TABLES } from '#schemas/tables/tables.ts';

export type AnyTable = Table<Readonly<Record<string, string>>>;
/** A row as the engine writes it, with a hash that identifies it. */
export type Row = Readonly<Record<string, unknown>> & { readonly rowHash: string };

/** Replaces a column of a row with the value of an expression. */
export interface ColumnChange {
  readonly column: string;
  readonly row: Row;
  readonly value: string;
}

const OTHER = (table: AnyTable): string => `other_${table.name}`;
const OLDER = (table: AnyTable): string => `older_${table.name}`;

/** Tables that are replaced as a whole and put back: the stored data is never written to. */
export function keptTables(warehouse: Pick<Warehouse, 'command' | 'query'>) {
  const exchange = (table: AnyTable, other: string): Promise<void> =>
    warehouse.command(`EXCHANGE TABLES ${table.name} AND ${other}`);
  return {
    /** Call once, before any change. */
    prepare: async (): Promise<void> => {
      for (const table of TABLES) await warehouse.command(`CREATE TABLE ${OTHER(table)} AS ${table.name}`);
    },
    /** Copies all current tables, as a backup does. */
    backUp: async (): Promise<void> => {
      for (const table of TABLES) {
        await warehouse.command(`CREATE TABLE ${OLDER(table)} AS ${table.name}`);
        await warehouse.command(`INSERT INTO ${OLDER(table)} SELECT * FROM ${table.name}`);
      }
    },
    /** Every row, including hidden ones. */
    rows: (table: AnyTable): Promise<Row[]> =>
      warehouse.query<Row>(
        `SELECT ${columnNames(table).map(readable(table)).join(', ')}, toString(rowHash) AS rowHash FROM ${hashed(table)}`,
      ),
    /** Replaces columns of rows, each by an expression. */
    change: async (table: AnyTable, changes: readonly ColumnChange[]): Promise<void> => {
      const changed = changes
        .map(
          ({ column, row, value }) => `if(${isOne([row.rowHash])}, ${value}, \`${column}\`) AS \`${column}\``,
        )
        .join(', ');
      await warehouse.command(`TRUNCATE TABLE ${OTHER(table)}`);
      await warehouse.command(
        `INSERT INTO ${OTHER(table)} SELECT * EXCEPT rowHash REPLACE (${changed}) FROM ${hashed(table)}`,
      );
      await exchange(table, OTHER(table));
    },
    remove: async (table: AnyTable, rows: readonly string[]): Promise<void> => {
      await warehouse.command(`TRUNCATE TABLE ${OTHER(table)}`);
      await warehouse.command(
        `INSERT INTO ${OTHER(table)} SELECT * EXCEPT rowHash FROM ${hashed(table)} WHERE NOT ${isOne(rows)}`,
      );
      await exchange(table, OTHER(table));
    },
    undo: (table: AnyTable): Promise<void> => exchange(table, OTHER(table)),
    /** Swaps the table with that of the backup; a second call swaps it back. */
    swapOlder: (table: AnyTable): Promise<void> => exchange(table, OLDER(table)),
  };
}
export type KeptTables = ReturnType<typeof keptTables>;

const hashed = (table: AnyTable): string =>
  `(SELECT *, cityHash64(toString(tuple(*))) AS rowHash FROM ${table.name})`;
const isOne = (rows: readonly string[]): string =>
  `rowHash IN (${rows.map((row) => `toUInt64('${row}')`).join(', ')})`;

/** Reads 64-bit numbers as text: versions exceed what JavaScript represents exactly. */
const readable =
  (table: AnyTable) =>
  (name: string): string =>
    table.columns[name] === 'UInt64' ? `toString(\`${name}\`) AS \`${name}\`` : `\`${name}\``;
