import type { Table } from '../../../schemas/tables/table.ts';
import { columnNames } from '../../../schemas/tables/table.ts';

/** Every column of a table but the given ones, quoted, in its order: some names are words of SQL. */
export const selectList = (
  table: Table<Readonly<Record<string, string>>>,
  except: readonly string[] = [],
): string =>
  columnNames(table)
    .filter((name) => !except.includes(name))
    .map((name) => `\`${name}\``)
    .join(', ');

/** Seconds of work that a query behind one request may take. */
export const REQUEST_SECONDS = 10;
