import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'limits-'));
const logger = { info() {}, warn() {}, error() {} };
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

/** Names and values of the settings in a file: elements that contain only text. */
function settingsIn(file: string): Map<string, string> {
  const text = readFileSync(path.join(packageRoot(), 'deploy', 'clickhouse', file), 'utf8');
  const found = text.replace(/<!--[\s\S]*?-->/g, '').matchAll(/<(\w+)>([^<>]+)<\/\1>/g);
  return new Map([...found].map(([, name = '', value = '']) => [name, value]));
}

async function unknownTo(table: string, names: readonly string[]): Promise<string[]> {
  const rows = await warehouse.query<{ name: string }>(
    `SELECT name FROM system.${table} WHERE name IN {names:Array(String)}`,
    { names },
  );
  return names.filter((name) => !rows.some((row) => row.name === name));
}

test('ClickHouse knows every statement limit and accepts its value', async () => {
  const limits = settingsIn('users.d/limits.xml');
  expect(limits.size).toBeGreaterThan(5);
  expect(await unknownTo('settings', [...limits.keys()])).toEqual([]);
  const assignments = [...limits].map(([name, value]) => `${name} = '${value}'`).join(', ');
  expect(await warehouse.query(`SELECT 1 AS one SETTINGS ${assignments}`)).toEqual([{ one: 1 }]);
});

test('ClickHouse knows every server setting', async () => {
  const settings = settingsIn('config.d/server.xml');
  const listening = ['listen_host', 'listen_try'];
  const others = [...settings.keys()].filter((name) => !listening.includes(name));
  expect(others.length).toBeGreaterThan(4);
  expect(await unknownTo('server_settings', others)).toEqual([]);
});
