import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { WarehouseUnavailable } from '../port.ts';
import { ClusterRefused } from './cluster.ts';
import { migrateServer } from './migrate-server.ts';

const logger = { info() {}, warn() {}, error() {} };

interface Statement {
  readonly database: string | null;
  readonly sql: string;
}

let folder: string;
let server: Server;
let statements: Statement[];
let shards: number;
/** Number of requests left unanswered before the server is awake. */
let asleepFor: number;

const answerTo = (sql: string): object[] => {
  if (sql.includes('system.clusters')) return [{ cluster: 'main', shards }];
  if (sql.includes('system.macros')) return [{ macro: 'shard' }, { macro: 'replica' }];
  return [];
};

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  writeFileSync(
    path.join(folder, '0001_things.sql'),
    `CREATE TABLE things \${ON_CLUSTER} (a UInt8) ENGINE = MergeTree ORDER BY a`,
  );
  statements = [];
  shards = 1;
  asleepFor = 0;
  server = createServer(async (request, response) => {
    asleepFor -= 1;
    if (asleepFor >= 0) return;
    const address = new URL(request.url ?? '/', 'http://localhost').searchParams;
    let body = '';
    for await (const chunk of request) body += chunk;
    const sql = address.get('query') ?? body;
    statements.push({ database: address.get('database'), sql });
    response.end(
      answerTo(sql)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const options = (cluster?: string) => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  username: 'default',
  password: 'x',
  database: 'audit',
  logger,
  ...(cluster === undefined ? {} : { cluster }),
});
const changes = (): Statement[] => statements.filter(({ sql }) => !sql.startsWith('SELECT'));

test('a cluster is checked, then gets the database and every table on all replicas', async () => {
  expect(await migrateServer(options('main'), folder)).toEqual([1]);
  expect(statements.slice(0, 2).map(({ sql }) => /FROM (\S+)/.exec(sql)?.[1])).toEqual([
    'system.clusters',
    'system.macros',
  ]);
  const [database, bookkeeping, table, record] = changes();
  expect(database?.database).not.toBe('audit');
  expect(database?.sql).toMatch(/^CREATE DATABASE IF NOT EXISTS `audit` ON CLUSTER `main`/);
  expect(bookkeeping?.database).toBe('audit');
  expect(bookkeeping?.sql).toMatch(/^CREATE TABLE IF NOT EXISTS migrations ON CLUSTER `main`/);
  expect(table?.sql).toMatch(
    /^CREATE TABLE things ON CLUSTER `main` \(a UInt8\) ENGINE = ReplicatedMergeTree\(/,
  );
  expect(record?.sql).toMatch(/^INSERT INTO migrations/);
});

test('a single server gets no cluster clauses or replicas', async () => {
  expect(await migrateServer(options(), folder)).toEqual([1]);
  expect(changes()).toHaveLength(4);
  for (const { sql } of changes()) expect(sql).not.toMatch(/CLUSTER|Replicated/);
});

test('several shards are refused before anything is created', async () => {
  shards = 2;
  await expect(migrateServer(options('main'), folder)).rejects.toThrow(ClusterRefused);
  expect(changes()).toEqual([]);
});

test('an unreachable server is an outage', async () => {
  const gone = options();
  server.close();
  await once(server, 'close');
  await expect(migrateServer(gone, folder)).rejects.toThrow(WarehouseUnavailable);
});

test('waits for a sleeping server, and creates everything once', async () => {
  asleepFor = 1;
  const logged: string[] = [];
  const warn = (_fields: object, message: string): void => void logged.push(message);
  const waking = { ...options(), requestTimeoutMs: 200, logger: { ...logger, warn } };
  expect(await migrateServer(waking, folder, { waitMs: 60_000 })).toEqual([1]);
  expect(logged).toEqual(['warehouse not ready; retrying']);
  expect(changes().filter(({ sql }) => sql.startsWith('CREATE TABLE things'))).toHaveLength(1);
});

test('without a wait, a sleeping server is an outage', async () => {
  asleepFor = 1;
  const waking = { ...options('main'), requestTimeoutMs: 200 };
  await expect(migrateServer(waking, folder)).rejects.toThrow(WarehouseUnavailable);
  expect(changes()).toEqual([]);
});
