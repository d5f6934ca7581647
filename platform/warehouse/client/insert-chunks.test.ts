import { expect, test } from '#jest';
import { AUDITS, LEDGER, SIGNALS } from '#schemas/tables/tables.ts';
import { insertChunks, MONTHS_PER_INSERT } from './insert-chunks.ts';

const times = (count: number, column: string) =>
  Array.from({ length: count }, (_, n) => ({
    n,
    [column]: new Date(Date.UTC(1990, n % 130, 3)).toISOString(),
  }));
const monthsOf = (rows: readonly object[], column: string) =>
  new Set(rows.map((row) => String((row as Record<string, unknown>)[column]).slice(0, 7)));

test.each([
  [SIGNALS.name, 'createdAt'],
  [AUDITS.name, 'acceptedAt'],
])(
  'rows of %s that span more months than one insert may touch are split without loss or duplicates',
  (table, column) => {
    const rows = times(1_000, column);
    const chunks = insertChunks(table, rows);
    expect(chunks).toHaveLength(3);
    for (const chunk of chunks) expect(monthsOf(chunk, column).size).toBeLessThanOrEqual(MONTHS_PER_INSERT);
    const kept = chunks.flat().map((row) => row.n);
    expect(kept).toHaveLength(rows.length);
    expect(new Set(kept).size).toBe(rows.length);
  },
);

test('rows of few months, and of tables without months, stay one insert', () => {
  const few = times(MONTHS_PER_INSERT, 'createdAt');
  expect(insertChunks(SIGNALS.name, few)).toEqual([few]);
  const many = times(1_000, 'createdAt');
  expect(insertChunks(LEDGER.name, many)).toEqual([many]);
  expect(insertChunks(SIGNALS.name, [])).toEqual([[]]);
});
