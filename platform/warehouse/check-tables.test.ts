import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { demandTables, tablesCheck } from './check-tables.ts';
import { openWarehouse } from './client/clickhouse.ts';
import { migrate } from './client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from './embedded/process.ts';
import { type Warehouse, WarehouseUnavailable } from './port.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'check-tables-'));
const logger = { info() {}, warn() {}, error() {} };
let engine: EmbeddedWarehouse;
let warehouse: Warehouse;
let now = 0;

beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

test('missing, changed, emptied or dropped tables are refused by name, with what to do', async () => {
  await expect(demandTables(warehouse, TABLES)).rejects.toThrow(
    /all tables are missing.*Run "cas migrate" once/,
  );
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  await demandTables(warehouse, TABLES);
  const check = tablesCheck(warehouse, TABLES, () => now);
  expect(await check()).toEqual({ ok: true, serves: true });

  // A ledger emptied although its positions say that rows were stored.
  await warehouse.command(
    "INSERT INTO positions (epoch, topic, `partition`, nextOffset) VALUES (1, 'audit.ledger', 0, 7)",
  );
  await expect(demandTables(warehouse, TABLES)).rejects.toThrow(
    /the table ledger is empty, although the sink stored entries\. .*Restore the whole warehouse/,
  );
  await warehouse.command("INSERT INTO ledger (customerId, `index`) VALUES ('c', 0)");
  await expect(demandTables(warehouse, TABLES)).rejects.toThrow(/the table ledger_ids is empty/);
  await warehouse.command("INSERT INTO ledger_ids (customerId, entryId) VALUES ('c', 'e')");
  await demandTables(warehouse, TABLES);

  await warehouse.command('ALTER TABLE signals DROP COLUMN region');
  await warehouse.command('ALTER TABLE audits MODIFY COLUMN model Nullable(String)');
  await warehouse.command('DROP TABLE checkpoints');
  await expect(demandTables(warehouse, TABLES)).rejects.toMatchObject({
    name: 'TablesRefused',
    message: expect.stringMatching(
      /lacks the column region; .*the column model of the table audits has type Nullable\(String\) instead of .*; the table checkpoints is missing\./,
    ),
  });
  // Checked at most once a minute.
  expect(await check()).toEqual({ ok: true, serves: true });
  now += 60_000;
  expect(await check()).toMatchObject({
    ok: false,
    serves: true,
    message: expect.stringContaining('the table checkpoints is missing'),
  });
}, 180_000);

test.each(TABLES.map(({ name }) => name))('a dropped table %s is refused by name', async (name) => {
  await warehouse.command(`DROP TABLE IF EXISTS ${name}`);
  await expect(demandTables(warehouse, TABLES)).rejects.toThrow(
    name === TABLES.at(-1)!.name ? /all tables are missing/ : `the table ${name} is missing`,
  );
});

test.each([
  ['refuses', () => Promise.reject(new WarehouseUnavailable('it is away', null))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('a warehouse that %s keeps the previous result', async (_, query) => {
  let now = 0;
  let columns: unknown = [];
  const away = { query: () => columns } as unknown as Warehouse;
  const check = tablesCheck(away, TABLES, () => now);
  const missing = { ok: false, message: expect.stringContaining('is missing') };
  columns = Promise.resolve([]);
  expect(await check()).toMatchObject(missing);
  columns = query();
  now += 60_000;
  expect(await check()).toMatchObject(missing);
});
