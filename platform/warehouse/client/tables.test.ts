import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../embedded/process.ts';
import type { Warehouse } from '../port.ts';
import { BITS_OF_CODES, CODES_AS_BITS } from '../queries/code-bits.ts';
import { openWarehouse } from './clickhouse.ts';
import { describeTables, migrate } from './migrations.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tables-'));
const logger = createLogger('silent');
/** Tables that receive rows with every flush of the sink. */
const WRITTEN_WITH_SIGNALS = [
  'acceptances',
  'audits',
  'entries',
  'ledger',
  'ledger_ids',
  'positions',
  'signals',
];
/**
 * After 60 single-row inserts: three or four merges of twenty parts, not one with each insert from the twentieth on.
 */
const [MAX_PARTS, MAX_LEVEL] = [25, 8];
let engine: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

test('after all migrations every table has the columns of its definition, in order', async () => {
  const tables = await describeTables(warehouse);
  for (const table of TABLES) {
    const defined = Object.entries(table.columns).map(([name, type]) => ({ name, type }));
    expect({ table: table.name, columns: tables.get(table.name) }).toEqual({
      table: table.name,
      columns: defined,
    });
  }
  expect([...tables.keys()].filter((name) => name !== 'migrations').sort()).toEqual(
    TABLES.map(({ name }) => name).sort(),
  );
});

test('a signal’s violations have the bits that queries read', async () => {
  const codes = VIOLATION_CODES.map((code) => `'${code}'`).join(', ');
  const rows = await warehouse.query<{ code: string; bit: number }>(
    `SELECT code, ${await defaultOf('signals', CODES_AS_BITS)} AS bit
     FROM (SELECT [code] AS violations, code FROM (SELECT arrayJoin([${codes}, 'NONE_OF_THEM']) AS code))`,
  );
  const bits = JSON.parse(BITS_OF_CODES) as number[];
  expect(new Map(rows.map(({ code, bit }) => [code, bit]))).toEqual(
    new Map([...VIOLATION_CODES.map((code, index) => [code, bits[index]] as const), ['NONE_OF_THEM', 0]]),
  );
});

/** The expression that computes a column. */
async function defaultOf(table: string, column: string): Promise<string> {
  const [found] = await warehouse.query<{ expression: string }>(
    `SELECT default_expression AS expression FROM system.columns
     WHERE database = currentDatabase() AND table = {table:String} AND name = {column:String}
       AND default_kind = 'MATERIALIZED'`,
    { table, column },
  );
  return found!.expression;
}

test('a table is partitioned by month of the column in its definition, or not at all', async () => {
  const found = await warehouse.query<{ name: string; key: string }>(
    'SELECT name, partition_key AS key FROM system.tables WHERE database = currentDatabase()',
  );
  for (const { name, monthOf } of TABLES) {
    const key = monthOf === undefined ? '' : `toYYYYMM(${monthOf})`;
    expect(found).toContainEqual({ name, key });
  }
});

test('a table that soon removes merged parts flushes their result to disk first', async () => {
  const found = await warehouse.query<{ name: string; full: string }>(
    'SELECT name, engine_full AS full FROM system.tables WHERE database = currentDatabase()',
  );
  const soon = found.filter(({ full }) => /old_parts_lifetime = \d/.test(full));
  expect(soon.map(({ name }) => name).sort()).toEqual([...WRITTEN_WITH_SIGNALS, 'correlations'].sort());
  for (const { full } of soon) {
    expect(full).toContain('min_rows_to_fsync_after_merge = 1');
    expect(full).toContain('fsync_part_directory = 1');
  }
});

test('merges combine small parts, and do not rewrite the whole table with every flush', async () => {
  const row = (index: number) => ({
    customerId: 'c',
    entryId: `SIGNAL:${index}`,
    index,
    epoch: 1,
    partition: 0,
    offset: index,
  });
  const columns = Object.keys(row(0));
  const insert = (rows: readonly ReturnType<typeof row>[]) => warehouse.insert('ledger_ids', columns, rows);
  const parts = async () =>
    (
      await warehouse.query<{ count: number; level: number; merging: number }>(
        `SELECT count() AS count, max(level) AS level,
           (SELECT count() FROM system.merges WHERE database = currentDatabase() AND table = 'ledger_ids') AS merging
         FROM system.parts WHERE active AND database = currentDatabase() AND table = 'ledger_ids'`,
      )
    )[0]!;
  await insert(Array.from({ length: 30_000 }, (_, index) => row(index)));
  for (let n = 0; n < 60; n += 1) {
    await insert([row(30_000 + n)]);
    while ((await parts()).merging > 0);
  }
  while ((await parts()).count > MAX_PARTS);
  expect((await parts()).level).toBeLessThan(MAX_LEVEL);
  const settings = await warehouse.query<{ name: string; full: string }>(
    'SELECT name, engine_full AS full FROM system.tables WHERE database = currentDatabase()',
  );
  for (const name of [...WRITTEN_WITH_SIGNALS, 'correlations'])
    expect(settings.find((table) => table.name === name)!.full).toContain(
      'merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0',
    );
}, 60_000);
