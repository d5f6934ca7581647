import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { describeWarehouseContract } from '../contract.ts';
import { WarehouseRejected, WarehouseUnavailable } from '../port.ts';
import { warehouseAddress } from './address.ts';
import { openWarehouse, type WarehouseOptions } from './clickhouse.ts';
import { ClusterRefused } from './cluster.ts';
import { migrateServer } from './migrate-server.ts';

const logger = { info() {}, warn() {}, error() {} };

describeOn('clickhouse', 'ClickHouse at an address', (address) => {
  const optionsFor = (database: string): WarehouseOptions => ({
    ...warehouseAddress(address, { database }),
    logger,
  });
  const drop = async (database: string): Promise<void> => {
    const server = openWarehouse(optionsFor('default'));
    await server.command(`DROP DATABASE IF EXISTS ${database} SYNC`);
    await server.close();
  };
  const databaseName = (what: string): string => `cas_${what}_${process.pid}`;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
    await writeFile(
      path.join(folder, '0001_things.sql'),
      `CREATE TABLE IF NOT EXISTS things \${ON_CLUSTER} (a UInt8) ENGINE = ReplacingMergeTree ORDER BY a`,
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  describeWarehouseContract('as a warehouse, in a separate database', async () => {
    const database = databaseName('contract');
    await migrateServer(optionsFor(database), folder);
    const warehouse = openWarehouse(optionsFor(database));
    return {
      warehouse,
      async close() {
        await warehouse.close();
        await drop(database);
      },
    };
  });

  test('migrating creates the database, changes nothing the second time, and leaves other databases alone', async () => {
    const [one, other] = [databaseName('one'), databaseName('other')];
    try {
      expect(await migrateServer(optionsFor(one), folder)).toEqual([1]);
      expect(await migrateServer(optionsFor(one), folder)).toEqual([]);
      expect(await migrateServer(optionsFor(other), folder)).toEqual([1]);
      const [warehouse, empty] = [openWarehouse(optionsFor(one)), openWarehouse(optionsFor(other))];
      await warehouse.insert('things', ['a'], [{ a: 7 }]);
      expect(await warehouse.query('SELECT a FROM things')).toEqual([{ a: 7 }]);
      expect(await empty.query('SELECT a FROM things')).toEqual([]);
      await Promise.all([warehouse.close(), empty.close()]);
    } finally {
      await Promise.all([drop(one), drop(other)]);
    }
  });

  test('a missing database is a rejection, a wrong password an outage that an operator must end', async () => {
    const nowhere = openWarehouse(optionsFor('nobody_made_this'));
    await expect(nowhere.query('SELECT 1')).rejects.toBeInstanceOf(WarehouseRejected);
    await nowhere.close();
    const stranger = openWarehouse({ ...optionsFor('default'), password: 'wrong' });
    const refused = stranger.query('SELECT 1');
    await expect(refused).rejects.toBeInstanceOf(WarehouseUnavailable);
    await expect(refused).rejects.toThrow('CLICKHOUSE_PASSWORD');
    await stranger.close();
  });

  test('refuses a cluster unknown to the server before anything is created', async () => {
    const database = databaseName('nowhere');
    await expect(migrateServer({ ...optionsFor(database), cluster: 'nowhere' }, folder)).rejects.toThrow(
      ClusterRefused,
    );
    const server = openWarehouse(optionsFor('default'));
    const rows = await server.query('SELECT name FROM system.databases WHERE name = {database:String}', {
      database,
    });
    await server.close();
    expect(rows).toEqual([]);
  });
});
