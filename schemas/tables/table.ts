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

/** What an erasure takes of a table. */
export type Erasure =
  /** A row of a higher level, with nothing in it, is put above each: what it hides is deleted. */
  | {
      readonly by: 'TOMBSTONES';
      /** The table's sorting key. */
      readonly key: readonly string[];
      /** The column by which the highest row of a key wins. */
      readonly level: string;
      /** Rows from this level on are tombstones, if they say so too: what was put above one hides nothing that may go. */
      readonly tombstoneFrom: number;
      /** SQL: the row says that it is one. */
      readonly isTombstone: string;
      /** SQL: the row is not blank. No such row of an erased customer is left. */
      readonly isClear: string;
    }
  /** Rows of an erased customer are deleted. */
  | { readonly by: 'DELETION' }
  | { readonly by: 'NOTHING'; readonly because: string };

export interface Table<Columns extends Readonly<Record<string, string>>> {
  readonly name: string;
  /** Column name -> ClickHouse type, in the order of the table; a test compares them with `system.columns`. */
  readonly columns: Columns;
  /** The time column by whose month, in UTC, the table is partitioned; a test compares it with `system.tables`. */
  readonly monthOf?: string;
  readonly erasure: Erasure;
}

export type AnyTable = Table<Readonly<Record<string, string>>>;

export type RowOf<T> =
  T extends Table<infer Columns> ? { -readonly [Name in keyof Columns]: ValueOf<Columns[Name]> } : never;

export const columnNames = (table: AnyTable): string[] => Object.keys(table.columns);
