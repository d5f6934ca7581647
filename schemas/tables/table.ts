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

/** How an erasure affects a table. */
export type Erasure =
  /** Puts a blank row of a higher level above each row, and deletes the rows that it hides. */
  | {
      readonly by: 'TOMBSTONES';
      /** The table's sorting key. */
      readonly key: readonly string[];
      /** The column whose highest value wins within a key. */
      readonly level: string;
      /**
       * Rows at this level or above are tombstones if `isTombstone` agrees; rows above a tombstone hide nothing that
       * may be deleted.
       */
      readonly tombstoneFrom: number;
      /** SQL: whether the row is a tombstone. */
      readonly isTombstone: string;
      /** SQL: whether the row is not blank. An erased customer has no such rows. */
      readonly isClear: string;
    }
  /** Rows of an erased customer are deleted. */
  | { readonly by: 'DELETION' }
  | { readonly by: 'NOTHING'; readonly because: string };

export interface Table<Columns extends Readonly<Record<string, string>>> {
  readonly name: string;
  /** Column name -> ClickHouse type, in the order of the table; a test compares them with `system.columns`. */
  readonly columns: Columns;
  /** The time column by whose month (UTC) the table is partitioned; a test compares it with `system.tables`. */
  readonly monthOf?: string;
  readonly erasure: Erasure;
}

export type AnyTable = Table<Readonly<Record<string, string>>>;

export type RowOf<T> =
  T extends Table<infer Columns> ? { -readonly [Name in keyof Columns]: ValueOf<Columns[Name]> } : never;

export const columnNames = (table: AnyTable): string[] => Object.keys(table.columns);
