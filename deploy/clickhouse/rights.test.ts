import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { warehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrateServer } from '#platform/warehouse/client/migrate-server.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { deleteClearContent } from '#platform/warehouse/queries/evidence/erased-rows.ts';
import { grantStatements, WAREHOUSE_ROLES, type WarehouseRole } from '#schemas/tables/rights.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { SINK_TABLES } from '#services/sink/flush/store.ts';
import { type ClickhouseRoles, startClickhouseRoles } from '../../test/helpers/clickhouse-roles.ts';

/** The rights of the roles' accounts, under ClickHouse's own access control. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'rights-'));
const MIGRATIONS = path.join(packageRoot(), 'schemas/tables/migrations');
const logger = { info() {}, warn() {}, error() {} };
let server: ClickhouseRoles;
let as: Record<WarehouseRole, Warehouse>;
beforeAll(async () => {
  server = await startClickhouseRoles(folder);
  const optionsOf = (role: WarehouseRole) => ({
    ...warehouseAddress(server.addresses[role]!),
    logger,
  });
  await migrateServer(optionsOf('migrate'), MIGRATIONS);
  as = Object.fromEntries(WAREHOUSE_ROLES.map((role) => [role, openWarehouse(optionsOf(role))])) as typeof as;
}, 120_000);
afterAll(async () => {
  for (const warehouse of Object.values(as ?? {})) await warehouse.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const AT = '2026-11-01T00:00:00.000Z';
const POSITION = ['epoch', 'topic', 'partition', 'nextOffset', 'lastDigest', 'lastAt'];
const position = { epoch: 1, topic: 'audit.ledger', partition: 0, nextOffset: 7, lastDigest: '', lastAt: AT };

const ACCESS_DENIED = 497;
/** Throws any error other than a missing right, because it would prove nothing. */
const refused = (run: Promise<unknown>): Promise<boolean> =>
  run.then(
    () => false,
    (error: { code?: unknown }) => error.code === ACCESS_DENIED || Promise.reject(error),
  );
const read = (warehouse: Warehouse, table: string): Promise<unknown> =>
  warehouse.query(`SELECT count() FROM ${table}`);

describe('roles have the rights they need', () => {
  test('migrate creates the tables, can be repeated, and records an epoch', async () => {
    const options = { ...warehouseAddress(server.addresses.migrate!), logger };
    expect(await migrateServer(options, MIGRATIONS)).toEqual([]);
    await as.migrate.insert('log_epochs', ['epoch', 'setUp', 'at'], [{ epoch: 1, setUp: 'a', at: AT }]);
    await as.migrate.insert('positions', POSITION, [position]);
  });

  test('a sink stores records, fills the views and deletes content for an erasure', async () => {
    await as.sink.insert('positions', POSITION, [{ ...position, nextOffset: 8 }]);
    const closing = { customerId: 'c', index: 3, kind: 'ERASURE', core: '{"closing":true}', at: AT };
    await as.sink.insert('entries', Object.keys(closing), [closing]);
    expect(await as.sink.query('SELECT customerId, `index` FROM closings')).toEqual([
      { customerId: 'c', index: 3 },
    ]);
    const audit = { customerId: 'c', auditId: 'a', acceptedAt: AT, rank: 1, version: 1 };
    await as.sink.insert('audits', Object.keys(audit), [audit]);
    expect(await as.api.query('SELECT auditId FROM acceptances')).toEqual([{ auditId: 'a' }]);
    await deleteClearContent(as.sink, 'c');
    expect(await as.api.query('SELECT auditId FROM audits')).toEqual([]);
  });

  test.each(SINK_TABLES)('a sink may insert into %s, a table it flushes to', async (name) => {
    await as.sink.command(`INSERT INTO ${name} SELECT * FROM ${name} WHERE 0`);
  });

  test('the API reads every table that it serves', async () => {
    for (const table of [
      'signals',
      'audits',
      'ledger',
      'entries',
      'positions',
      'log_epochs',
      'contradictions',
    ])
      await read(as.api, table);
    await as.api.ping();
  });
});

test.each([null, 'main'])(
  'the grant statements for your own server parse in ClickHouse (cluster: %s)',
  async (cluster) => {
    const all = openWarehouse({ ...warehouseAddress(server.addresses.all!), logger });
    for (const statement of grantStatements('audit', cluster)) {
      const [row] = await all.query<{ text: string }>('SELECT formatQuery({statement:String}) AS text', {
        statement,
      });
      expect(row!.text).toMatch(/^GRANT[\s\S]* TO cas_\w+ WITH REPLACE OPTION$/);
    }
    await all.close();
  },
);

describe('roles are denied what they do not need', () => {
  const everywhere = [
    ["SELECT * FROM file('/etc/passwd', 'LineAsString')"],
    ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')"],
    ["SELECT * FROM remote('127.0.0.1:1', 'system', 'one')"],
    ["SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'LineAsString')"],
    ['SELECT * FROM other.secrets'],
    ['CREATE TABLE other.made (a UInt8) ENGINE = Memory'],
    ['CREATE USER somebody'],
    ['CREATE FUNCTION made AS (a) -> a'],
    ['SYSTEM SHUTDOWN'],
    ['DROP TABLE ledger'],
    ['TRUNCATE TABLE ledger'],
    ['DROP DATABASE cas'],
    ["BACKUP DATABASE cas TO File('/tmp/never')"],
  ];
  beforeAll(async () => {
    const all = openWarehouse({ ...warehouseAddress(server.addresses.all!), logger });
    await all.command('CREATE DATABASE other');
    await all.command('CREATE TABLE other.secrets (a UInt8) ENGINE = Memory');
    await all.close();
  });

  test.each(everywhere)('no role may run: %s', async (statement) => {
    for (const role of WAREHOUSE_ROLES)
      expect([role, await refused(as[role].command(statement!))]).toEqual([role, true]);
  });

  test('the API may only insert checkpoints, and may change nothing', async () => {
    for (const { name } of TABLES) {
      const insert = as.api.command(`INSERT INTO ${name} SELECT * FROM ${name}`);
      expect([name, await refused(insert)]).toEqual([name, name !== 'checkpoints']);
      const change = as.api.command(`ALTER TABLE ${name} DELETE WHERE 1`);
      expect([name, await refused(change)]).toEqual([name, true]);
    }
    expect(await refused(as.api.insert('positions', POSITION, [position]))).toBe(true);
    expect(await refused(read(as.api, 'migrations'))).toBe(true);
  });

  test('a sink may not change the ledger, its hashes, its position or a table', async () => {
    for (const name of ['ledger', 'ledger_ids', 'positions', 'skips', 'contradictions']) {
      expect([name, await refused(as.sink.command(`ALTER TABLE ${name} DELETE WHERE 1`))]).toEqual([
        name,
        true,
      ]);
    }
    for (const { name } of TABLES) {
      const change = as.sink.command(`ALTER TABLE ${name} ADD COLUMN made UInt8`);
      expect([name, await refused(change)]).toEqual([name, true]);
    }
    expect(await refused(as.sink.command("ALTER TABLE signals UPDATE riskLevel = 'LOW' WHERE 1"))).toBe(true);
    expect(
      await refused(
        as.sink.insert('log_epochs', ['epoch', 'setUp', 'at'], [{ epoch: 2, setUp: 'b', at: AT }]),
      ),
    ).toBe(true);
    expect(await refused(as.sink.command('CREATE TABLE made (a UInt8) ENGINE = Memory'))).toBe(true);
  });
});
