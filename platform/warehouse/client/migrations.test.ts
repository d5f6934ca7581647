import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../embedded/process.ts';
import type { Warehouse } from '../port.ts';
import { openWarehouse } from './clickhouse.ts';
import { describeTables, migrate } from './migrations.ts';

const logger = { info() {}, warn() {}, error() {} };

describe('migrations', () => {
  let root: string;
  let embedded: EmbeddedWarehouse;
  let warehouse: Warehouse;
  let folder: string;
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
  const FIRST = `-- The first table; its comment holds a semicolon;
CREATE TABLE IF NOT EXISTS things \${ON_CLUSTER} (
  id String, -- with; marks
  at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree ORDER BY id;
INSERT INTO things VALUES ('a;
b', '2026-01-02 03:04:05.678');
`;

  beforeAll(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'warehouse-'));
    embedded = await startEmbeddedWarehouse({ path: path.join(root, 'data'), logger });
    warehouse = openWarehouse({ ...embedded, logger });
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(root, 'migrations-'));
    for (const table of ['things', 'migrations', 'others'])
      await warehouse.command(`DROP TABLE IF EXISTS ${table} SYNC`);
    await write('0001_things.sql', FIRST);
  });
  afterAll(async () => {
    await warehouse.close();
    await embedded.stop();
    await rm(root, { recursive: true });
  });

  test('run once, in order, and are recorded', async () => {
    expect(await migrate(warehouse, folder, { now: () => 0 })).toEqual([1]);
    await write(
      '0002_others.sql',
      'CREATE TABLE others (a UInt8) ENGINE = Memory;\nALTER TABLE things ADD COLUMN n UInt8',
    );
    expect(await migrate(warehouse, folder, { now: () => 1_000 })).toEqual([2]);
    expect(await migrate(warehouse, folder)).toEqual([]);
    expect(await warehouse.query('SELECT * FROM things')).toEqual([
      { id: 'a;\nb', at: '2026-01-02T03:04:05.678Z', n: 0 },
    ]);
    expect(
      await warehouse.query(
        'SELECT number, name, length(sha256) AS size, at FROM migrations ORDER BY number',
      ),
    ).toEqual([
      { number: 1, name: '0001_things.sql', size: 64, at: '1970-01-01T00:00:00.000Z' },
      { number: 2, name: '0002_others.sql', size: 64, at: '1970-01-01T00:00:01.000Z' },
    ]);
    const tables = await describeTables(warehouse);
    expect([...tables.keys()]).toEqual(['migrations', 'others', 'things']);
    expect(tables.get('things')).toEqual([
      { name: 'id', type: 'String' },
      { name: 'at', type: "DateTime64(3, 'UTC')" },
      { name: 'n', type: 'UInt8' },
    ]);
  });

  test('refuse a file that changed after it was applied', async () => {
    await migrate(warehouse, folder);
    await write('0001_things.sql', `${FIRST}\n-- an afterthought`);
    await expect(migrate(warehouse, folder)).rejects.toThrow(/0001_things\.sql differs from the applied/);
  });

  test('refuse a warehouse of a newer release', async () => {
    await write('0002_others.sql', 'CREATE TABLE others (a UInt8) ENGINE = Memory');
    await migrate(warehouse, folder);
    await rm(path.join(folder, '0002_others.sql'));
    await expect(migrate(warehouse, folder)).rejects.toThrow(
      /0002_others\.sql, so a newer release created it/,
    );
  });

  describe('squashed into one', () => {
    const joined = async (): Promise<void> => {
      for (const name of ['0001_things.sql', '0002_others.sql']) await rm(path.join(folder, name));
      await write(
        '0003_all.sql',
        `${FIRST.slice(0, FIRST.indexOf('INSERT'))}
CREATE TABLE IF NOT EXISTS others (a UInt8) ENGINE = Memory;`,
      );
    };
    beforeEach(() => write('0002_others.sql', 'CREATE TABLE others (a UInt8) ENGINE = Memory'));

    test('create the same tables in an empty warehouse', async () => {
      await joined();
      expect(await migrate(warehouse, folder)).toEqual([3]);
      expect(await migrate(warehouse, folder)).toEqual([]);
      expect([...(await describeTables(warehouse)).keys()]).toEqual(['migrations', 'others', 'things']);
    });

    test('change nothing if all of them have run', async () => {
      await migrate(warehouse, folder);
      await joined();
      await write('0004_more.sql', 'ALTER TABLE things ADD COLUMN n UInt8');
      expect(await migrate(warehouse, folder)).toEqual([3, 4]);
      expect(await warehouse.query('SELECT id, n FROM things')).toEqual([{ id: 'a;\nb', n: 0 }]);
      await write('0003_all.sql', 'SELECT 1');
      await expect(migrate(warehouse, folder)).rejects.toThrow(/0003_all\.sql differs/);
    });

    test('refuse a warehouse on which only some of them ran, before anything changes', async () => {
      await rm(path.join(folder, '0002_others.sql'));
      await migrate(warehouse, folder);
      await write('0002_others.sql', '');
      await joined();
      await expect(migrate(warehouse, folder)).rejects.toThrow(
        /last migration: 0001_things\.sql.*"cas export"/,
      );
      expect((await describeTables(warehouse)).has('others')).toBe(false);
    });
  });

  test('refuse gaps, duplicates and malformed names before anything runs', async () => {
    for (const name of ['0003_gap.sql', '0001_again.sql', 'notes.sql']) {
      await write(name, 'SELECT 1');
      await expect(migrate(warehouse, folder)).rejects.toThrow(/numbered without gaps/);
      await rm(path.join(folder, name));
    }
    expect((await describeTables(warehouse)).has('migrations')).toBe(false);
  });

  test('do not record a failed file, and run it again', async () => {
    await write('0002_others.sql', 'CREATE TABLE others (a Nonsense) ENGINE = Memory');
    await expect(migrate(warehouse, folder)).rejects.toMatchObject({ name: 'WarehouseRejected', code: 50 });
    await write('0002_others.sql', 'CREATE TABLE others (a UInt8) ENGINE = Memory');
    expect(await migrate(warehouse, folder)).toEqual([2]);
  });

  test('refuse a placeholder without a value', async () => {
    await write('0001_things.sql', `CREATE TABLE things (a UInt8) ENGINE = \${NO_SUCH}MergeTree ORDER BY a`);
    await expect(migrate(warehouse, folder)).rejects.toThrow(
      /0001_things\.sql: unknown placeholder \$\{NO_SUCH\}/,
    );
  });
});
