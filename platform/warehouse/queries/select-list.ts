import type { Table } from '#schemas/tables/table.ts';
import { columnNames } from '#schemas/tables/table.ts';

/** All columns of a table except the given ones, in order, quoted because some names are SQL keywords. */
export const selectList = (
  table: Table<Readonly<Record<string, string>>>,
  except: readonly string[] = [],
): string =>
  columnNames(table)
    .filter((name) => !except.includes(name))
    .map((name) => `\`${name}\``)
    .join(', ');

/** Time limit in seconds of a query that serves a request. */
export const REQUEST_SECONDS = 10;
