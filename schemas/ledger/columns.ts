import type { z } from 'zod';
import type { FieldType } from './field-types.ts';

/** Values of an erased signal's row; `KEPT`: never erased, because rows are sorted by it. */
export const KEPT = Symbol('kept');

/** A field of a signal and its column in the table `signals`. */
interface Column<
  Value = unknown,
  Sql extends string = string,
  Api extends z.ZodType = z.ZodType,
  Exported extends number | null = number | null,
> extends FieldType<Value> {
  /** ClickHouse type. In older rows, a column added by a later version has its type's default. */
  readonly sql: Sql;
  readonly blank: unknown;
  /** `JSON`: the column holds the canonical JSON of the value. */
  readonly storedAs: 'VALUE' | 'JSON';
  /** Schema of the field in the API. */
  readonly api: Api;
  /** Position among the columns of an export; null if it is not exported. */
  readonly exported: Exported;
}

export type Columns = Readonly<Record<string, Column>>;

interface ColumnInput<Sql extends string, Api extends z.ZodType, Exported extends number | null> {
  readonly sql: Sql;
  /** Value of the column after an erasure: the default of its type. */
  readonly blank: typeof KEPT | string | number | boolean | null | readonly never[];
  readonly api: Api;
  readonly storedAs?: 'JSON';
  readonly exported?: Exported;
}

export const column = <
  Value,
  const Sql extends string,
  Api extends z.ZodType,
  const Exported extends number | null = null,
>(
  { form, holds }: FieldType<Value>,
  { sql, blank, api, storedAs, exported }: ColumnInput<Sql, Api, Exported>,
): Column<Value, Sql, Api, Exported> => ({
  form,
  holds,
  sql,
  blank,
  api,
  storedAs: storedAs ?? 'VALUE',
  exported: (exported ?? null) as Exported,
});

/** API schemas of the columns. */
export const shownAs = <const Of extends Columns>(columns: Of) =>
  Object.fromEntries(Object.entries(columns).map(([name, { api }]) => [name, api])) as {
    readonly [Name in keyof Of]: Of[Name]['api'];
  };

/** ClickHouse types of the columns. */
export const typesOf = <const Of extends Columns>(columns: Of) =>
  Object.fromEntries(Object.entries(columns).map(([name, { sql }]) => [name, sql])) as {
    readonly [Name in keyof Of]: Of[Name]['sql'];
  };

/** Names of the exported columns. */
export type ExportedOf<Of extends Columns> = {
  [Name in keyof Of]: Of[Name]['exported'] extends number ? Name : never;
}[keyof Of];

/** The exported columns' names in export order. */
export const exportedOf = <const Of extends Columns>(columns: Of): ExportedOf<Of>[] =>
  Object.entries(columns)
    .flatMap(([name, { exported }]) => (exported === null ? [] : [{ name, exported }]))
    .sort((a, b) => a.exported - b.exported)
    .map(({ name }) => name as ExportedOf<Of>);
