import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../embedded/process.ts';
import type { Warehouse } from '../port.ts';
import { openWarehouse } from './clickhouse.ts';
import { checkCluster, clusterSubstitutions } from './cluster.ts';
import { migrate, SINGLE_SERVER, substitute } from './migrations.ts';
import { splitStatements } from './sql-text.ts';

const MIGRATIONS = path.join(packageRoot(), 'schemas', 'tables', 'migrations');
const logger = { info() {}, warn() {}, error() {} };

/** Rows that a migration moves are written by one replica and replicated to the others. */
const isDefinition = (sql: string): boolean => !/^\s*INSERT INTO/m.test(sql);

/** Records the statements it receives; no migration is applied yet. */
function recordingWarehouse(answers: (sql: string) => object[] = () => []) {
  const statements: string[] = [];
  const warehouse = {
    command: async (sql: string) => {
      statements.push(sql);
    },
    query: async (sql: string) => answers(sql),
    insert: async () => {},
  } as unknown as Warehouse;
  return { warehouse, statements };
}

async function statementsOn(substitutions: typeof SINGLE_SERVER): Promise<string[]> {
  const { warehouse, statements } = recordingWarehouse();
  await migrate(warehouse, MIGRATIONS, { substitutions });
  return statements;
}

describe('migrations on a cluster', () => {
  test('run on all servers; every table, including the migrations table, is replicated under a path of names', async () => {
    const statements = await statementsOn(clusterSubstitutions('audit-1'));
    const tables = statements.filter((sql) => /CREATE TABLE/.test(sql));
    expect(tables).toHaveLength(TABLES.length + 1);
    for (const sql of statements.filter(isDefinition)) expect(sql).toContain(' ON CLUSTER `audit-1`');
    for (const sql of tables) {
      expect(sql).toMatch(
        /ENGINE = ReplicatedReplacingMergeTree\('\/clickhouse\/tables\/\{shard\}\/\{database\}\/\{table\}', '\{replica\}'(, \w+)?\)/,
      );
    }
    expect(statements[0]).toContain('CREATE TABLE IF NOT EXISTS migrations ON CLUSTER');
    const signals = tables.find((sql) => sql.includes('EXISTS signals')) ?? '';
    expect(signals).toContain("'{replica}', revision)\nPARTITION BY");
  });

  test('disable block deduplication in every table, and flush each table to disk', async () => {
    const statements = await statementsOn(clusterSubstitutions('main'));
    const created = statements.flatMap((sql) => /CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql)?.[1] ?? []);
    const without = (table: string): boolean =>
      statements.some((sql) =>
        new RegExp(`TABLE (IF NOT EXISTS )?${table} [\\s\\S]*replicated_deduplication_window = 0`).test(
          sql.replaceAll('non_replicated_deduplication_window', ''),
        ),
      );
    for (const table of created) expect({ table, without: without(table) }).toEqual({ table, without: true });
    for (const sql of statements.filter((one) => /CREATE TABLE/.test(one) && !one.includes('migrations')))
      expect(sql).toContain('fsync_after_insert = 1, fsync_part_directory = 1');
  });

  test('have no cluster clauses on a single server', async () => {
    for (const sql of await statementsOn(SINGLE_SERVER))
      expect(sql).not.toMatch(/CLUSTER|ENGINE = Replicated/);
  });

  test('recognise engines only outside quotes and comments', () => {
    const cluster = clusterSubstitutions('main');
    const change = (sql: string): string => substitute(sql, cluster, 'test');
    const replica = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
    expect(change('CREATE TABLE t (a UInt8) engine=MergeTree() ORDER BY a')).toBe(
      `CREATE TABLE t (a UInt8) ENGINE = ReplicatedMergeTree(${replica}) ORDER BY a`,
    );
    expect(change('CREATE TABLE t (a UInt8) ENGINE = ReplacingMergeTree(`a`, b) ORDER BY a')).toBe(
      `CREATE TABLE t (a UInt8) ENGINE = ReplicatedReplacingMergeTree(${replica}, \`a\`, b) ORDER BY a`,
    );
    const quoted = "INSERT INTO t VALUES ('ENGINE = MergeTree') -- ENGINE = MergeTree";
    expect(change(quoted)).toBe(quoted);
    expect(change('CREATE TABLE t (a UInt8) ENGINE = Memory')).toBe(
      'CREATE TABLE t (a UInt8) ENGINE = Memory',
    );
  });

  test('refuse a cluster name that could inject SQL', () => {
    for (const name of ['', 'a b', 'main` SYNC', "x'y", '1a'])
      expect(() => clusterSubstitutions(name)).toThrow(/only letters, digits, _ and -/);
  });
});

describe('ClickHouse itself', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cluster-'));
  let engine: EmbeddedWarehouse;
  let warehouse: Warehouse;
  beforeAll(async () => {
    engine = await startEmbeddedWarehouse({ path: folder, logger });
    warehouse = openWarehouse({ ...engine, logger });
  }, 60_000);
  afterAll(async () => {
    await warehouse.close();
    await engine.stop();
    rmSync(folder, { recursive: true });
  });

  test('parses every cluster statement as intended', async () => {
    for (const sql of await statementsOn(clusterSubstitutions('main'))) {
      const [row] = await warehouse.query<{ text: string }>('SELECT formatQuery({sql:String}) AS text', {
        sql,
      });
      if (isDefinition(sql)) expect(row?.text).toContain('ON CLUSTER main');
      if (/CREATE TABLE/.test(sql)) expect(row?.text).toContain('ENGINE = ReplicatedReplacingMergeTree(');
    }
  });

  test('accepts columns, keys, engine and settings of every replicated table, up to the missing Keeper', async () => {
    const cluster = clusterSubstitutions('main');
    const files = readdirSync(MIGRATIONS).map((name) => readFileSync(path.join(MIGRATIONS, name), 'utf8'));
    const tables = files.flatMap(splitStatements).filter((sql) => /CREATE TABLE/.test(sql));
    expect(tables).toHaveLength(TABLES.length);
    for (const table of tables) {
      // The engine here has neither macros nor a cluster.
      const sql = substitute(table, { ...cluster, ON_CLUSTER: '' }, 'test')
        .replace('{shard}', '1')
        .replace("'{replica}'", "'a'");
      await expect(warehouse.command(sql)).rejects.toMatchObject({ name: 'WarehouseUnavailable', code: 225 });
      await expect(
        warehouse.command(sql.replace('fsync_after_insert', 'no_such_setting')),
      ).rejects.toMatchObject({
        name: 'WarehouseRejected',
        code: 115,
      });
    }
  });

  test('knows the settings of a cluster’s requests', async () => {
    const member = openWarehouse({ ...engine, logger, cluster: 'main' });
    expect(
      await member.query(
        `SELECT name, value FROM system.settings WHERE name IN
           ('insert_quorum', 'insert_quorum_parallel', 'insert_quorum_timeout', 'select_sequential_consistency')
         ORDER BY name`,
      ),
    ).toEqual([
      { name: 'insert_quorum', value: 'auto' },
      { name: 'insert_quorum_parallel', value: '0' },
      { name: 'insert_quorum_timeout', value: '20000' },
      { name: 'select_sequential_consistency', value: '1' },
    ]);
    await member.close();
  });

  test('has the tables that the check reads, and no cluster', async () => {
    await expect(checkCluster(warehouse, 'main')).rejects.toThrow(
      /has no cluster "main" \(configured: none\)/,
    );
    expect(await warehouse.query('SELECT macro FROM system.macros')).toEqual([]);
  });
});

describe('checkCluster', () => {
  const check = (shards: number, macros: readonly string[]): Promise<void> => {
    const { warehouse } = recordingWarehouse((sql) =>
      sql.includes('system.clusters')
        ? [
            { cluster: 'default', shards: 1 },
            { cluster: 'main', shards },
          ]
        : macros.map((macro) => ({ macro })),
    );
    return checkCluster(warehouse, 'main');
  };

  test('accepts one shard with both macros', () =>
    expect(check(1, ['replica', 'shard', 'other'])).resolves.toBeUndefined());
  test('refuses several shards', () =>
    expect(check(2, ['replica', 'shard'])).rejects.toThrow(/"main" has 2 shards; use one shard/));
  test('names missing macros', async () => {
    await expect(check(1, ['shard'])).rejects.toThrow(/lacks replica;/);
    await expect(check(1, [])).rejects.toThrow(/lacks shard and replica;/);
  });
  test('lists the known clusters for an unknown name', () => {
    const { warehouse } = recordingWarehouse(() => [{ cluster: 'main', shards: 1 }]);
    return expect(checkCluster(warehouse, 'mian')).rejects.toThrow(
      /no cluster "mian" .*\(configured: main\)/,
    );
  });
});
