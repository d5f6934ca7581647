import { groupBy } from '#schemas/group-by.ts';
import { TABLES } from '#schemas/tables/tables.ts';

/**
 * Maximum number of months per insert. Each becomes a separate part, and the engine refuses an insert into more
 * partitions than `max_partitions_per_insert_block` however often it is retried.
 */
export const MONTHS_PER_INSERT = 50;

type Row = Readonly<Record<string, unknown>>;

const MONTH_COLUMNS: ReadonlyMap<string, string> = new Map(
  TABLES.flatMap(({ name, monthOf }) => (monthOf === undefined ? [] : [[name, monthOf] as const])),
);

/** Splits the rows by month into several inserts if they span more months than the engine accepts in one. */
export function insertChunks(table: string, rows: readonly Row[]): (readonly Row[])[] {
  const column = MONTH_COLUMNS.get(table);
  if (column === undefined || rows.length <= MONTHS_PER_INSERT) return [rows];
  // Groups by year and month of an ISO time.
  const months = groupBy(rows, (row) => String(row[column]).slice(0, 'YYYY-MM'.length));
  if (months.size <= MONTHS_PER_INSERT) return [rows];
  const each = [...months.values()];
  const chunks: Row[][] = [];
  for (let from = 0; from < each.length; from += MONTHS_PER_INSERT) {
    chunks.push(each.slice(from, from + MONTHS_PER_INSERT).flat());
  }
  return chunks;
}
