/** ClickHouse column type -> the TypeScript type of its value in JSONEachRow, for the types that our tables use. */
type ValueOf<Type extends string> = Type extends `Nullable(${infer Inner})`
  ? ValueOf<Inner> | null
  : Type extends `LowCardinality(${infer Inner})`
    ? ValueOf<Inner>
    : Type extends `Array(${infer Inner})`
      ? ValueOf<Inner>[]
      : Type extends `UInt${string}` | `Float${string}`
        ? number
        : Type extends 'Bool'
          ? boolean
          : string;

export interface Table<Columns extends Readonly<Record<string, string>>> {
  readonly name: string;
  /** Column name -> ClickHouse type, in the order of the table; a test compares them with `system.columns`. */
  readonly columns: Columns;
  /** The time column by whose month, in UTC, the table is partitioned; a test compares it with `system.tables`. */
  readonly monthOf?: string;
}

export type RowOf<T> =
  T extends Table<infer Columns> ? { -readonly [Name in keyof Columns]: ValueOf<Columns[Name]> } : never;

export const columnNames = (table: Table<Readonly<Record<string, string>>>): string[] =>
  Object.keys(table.columns);
