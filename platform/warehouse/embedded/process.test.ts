import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { openWarehouse } from '../client/clickhouse.ts';
import { ENGINE_SOCKET } from '../client/socket-agent.ts';
import { type Warehouse, WarehouseUnavailable } from '../port.ts';
import { warehouseEpoch } from '../queries/epochs.ts';
import { askEngine } from '../testing/ask-engine.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from './process.ts';
import { killEngine } from './testing/kill-engine.ts';

const logger = { info() {}, warn() {}, error() {} };
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'warehouse-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

interface Started {
  readonly embedded: EmbeddedWarehouse;
  readonly warehouse: Warehouse;
  /** Resolves when the engine answers again after it died. */
  up(): Promise<void>;
}

async function start(folder: string): Promise<Started> {
  let onUp = (): void => {};
  const embedded = await startEmbeddedWarehouse({ path: folder, logger, onUp: () => onUp() });
  const warehouse = openWarehouse({ ...embedded, logger });
  cleanups.push(async () => {
    await warehouse.close();
    await embedded.stop();
  });
  const up = (): Promise<void> =>
    new Promise((resolve) => {
      onUp = resolve;
    });
  return { embedded, warehouse, up };
}

const count = async (warehouse: Warehouse): Promise<number> => {
  const rows = await warehouse.query<{ n: number }>('SELECT count() AS n FROM facts');
  return rows[0]?.n ?? -1;
};
const FACTS =
  'CREATE TABLE IF NOT EXISTS facts (batch UInt64, position UInt64, text String) ENGINE = MergeTree ORDER BY batch';
const batchOf = (batch: number, size: number) =>
  Array.from({ length: size }, (_, position) => ({ batch, position, text: 'x'.repeat(1_000) }));
const FACT_COLUMNS = ['batch', 'position', 'text'];

test('an engine exits if its parent exits while it starts', async () => {
  const folder = await makeFolder();
  const child = fork(compiledModule('platform/warehouse/embedded/server.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  cleanups.push(async () => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const watcher = watch(folder);
  cleanups.push(async () => watcher.close());
  const started = once(watcher, 'change');
  child.send({ type: 'start', path: folder, port: null, password: 'secret' });
  await started;
  child.disconnect();
  expect(await exited).toEqual([0, null]);
}, 20_000);

describe('the embedded warehouse process', () => {
  test('a killed engine is restarted with the same socket and data', async () => {
    const { embedded, warehouse, up } = await start(await makeFolder());
    await warehouse.command(FACTS);
    await warehouse.insert('facts', FACT_COLUMNS, batchOf(1, 10));
    const before = embedded.pid();
    const back = up();
    await killEngine(embedded);
    expect(embedded.pid()).toBeNull();
    await expect(warehouse.ping()).rejects.toBeInstanceOf(WarehouseUnavailable);
    await back;
    expect(embedded.pid()).not.toBe(before);
    expect(await count(warehouse)).toBe(10);
  });

  test('a removed socket is restored by restarting the engine', async () => {
    const folder = await makeFolder();
    const { warehouse, up } = await start(folder);
    await warehouse.command(FACTS);
    const back = up();
    await rm(path.join(folder, ENGINE_SOCKET));
    await back;
    expect(await count(warehouse)).toBe(0);
  });

  test('works in a folder whose path is longer than a socket’s may be', async () => {
    const { warehouse } = await start(path.join(await makeFolder(), 'a'.repeat(120), 'warehouse'));
    await warehouse.command(FACTS);
    expect(await count(warehouse)).toBe(0);
  });

  test('kill -9 during inserts leaves only whole inserts, including every acknowledged one', async () => {
    const { embedded, warehouse, up } = await start(await makeFolder());
    await warehouse.command(FACTS);
    const acknowledged: number[] = [];
    let batch = 0;
    for (let round = 0; round < 3; round++) {
      const back = up();
      let failure: unknown = null;
      const writers = Array.from({ length: 3 }, async () => {
        while (failure === null) {
          batch++;
          const mine = batch;
          try {
            await warehouse.insert('facts', FACT_COLUMNS, batchOf(mine, 500));
            acknowledged.push(mine);
            if (mine % 10 === 3) void killEngine(embedded);
          } catch (error) {
            failure ??= error;
            expect(error).toBeInstanceOf(WarehouseUnavailable);
          }
        }
      });
      await Promise.all(writers);
      await back;
    }
    const stored = await warehouse.query<{ batch: number; n: number }>(
      'SELECT batch, count() AS n FROM facts GROUP BY batch',
    );
    expect(stored.filter(({ n }) => n !== 500)).toEqual([]);
    const present = new Set(stored.map((row) => row.batch));
    expect(acknowledged.filter((mine) => !present.has(mine))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(3);
  });

  test('stopping lets running inserts finish, and is quick if nothing runs', async () => {
    const folder = await makeFolder();
    const { embedded, warehouse } = await start(folder);
    await warehouse.command(FACTS);
    const inserts = [1, 2, 3].map((batch) => warehouse.insert('facts', FACT_COLUMNS, batchOf(batch, 3_000)));
    const outcomes = Promise.allSettled(inserts);
    await inserts[0];
    await embedded.stop();
    const stored = (await outcomes).filter(({ status }) => status === 'fulfilled').length;
    expect(embedded.pid()).toBeNull();
    const next = await start(folder);
    expect(await count(next.warehouse)).toBe(stored * 3_000);
    await next.embedded.stop();
  });

  test('a stalled reader does not make the process buffer its rows', async () => {
    const { embedded, warehouse } = await start(await makeFolder());
    const resident = async (): Promise<number> => {
      const status = await readFile(`/proc/${embedded.pid()}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
    };
    const sql = "SELECT number, repeat('x', 1000) AS filler FROM numbers(3000000)";
    const readers = await Promise.all(
      [1, 2, 3].map(async () => {
        const reader = warehouse.stream(sql)[Symbol.asyncIterator]();
        await reader.next();
        return reader;
      }),
    );
    const before = await resident();
    for (let round = 0; round < 20; round++) await warehouse.query('SELECT sleep(0.05)');
    expect((await resident()) - before).toBeLessThan(150);
    for (const reader of readers) await reader.return?.();
  });

  test('a wrong password is refused like ClickHouse refuses it', async () => {
    const { embedded } = await start(await makeFolder());
    const stranger = openWarehouse({ ...embedded, password: 'wrong', logger });
    await expect(stranger.ping()).rejects.toMatchObject({ name: 'WarehouseUnavailable', code: 516 });
    // The first statement of every start: the program exits and says what to set.
    await expect(warehouseEpoch(stranger)).rejects.toThrow(/CLICKHOUSE_USERNAME and CLICKHOUSE_PASSWORD/);
    await stranger.close();
    for (const headers of [{}, { 'X-ClickHouse-User': 'other', 'X-ClickHouse-Key': embedded.password }]) {
      const answer = await askEngine(embedded, { body: 'SELECT 1', headers });
      expect(answer.status).toBe(403);
      expect(answer.headers['x-clickhouse-exception-code']).toBe('516');
    }
    const headers = { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': embedded.password };
    const answer = await askEngine(embedded, { body: 'SELECT 1', headers });
    expect(answer.bytes.toString()).toBe('1\n');
    expect((await askEngine(embedded, { path: '/ping' })).bytes.toString()).toBe('Ok.\n');
  });

  test('a body above the limit is refused and none of it stored', async () => {
    const { embedded, warehouse } = await start(await makeFolder());
    await warehouse.command(FACTS);
    const query = encodeURIComponent('INSERT INTO facts FORMAT JSONCompactEachRow');
    const body = `[1,1,"${'x'.repeat(65 * 1024 * 1024)}"]\n`;
    const answer = await askEngine(embedded, { path: `/?query=${query}`, body });
    expect(answer.status).toBe(413);
    expect(await count(warehouse)).toBe(0);
  });

  test('a second engine on the same data is refused with a clear error', async () => {
    const folder = await makeFolder();
    await start(folder);
    await expect(startEmbeddedWarehouse({ path: folder, logger, lockWaitMs: 300 })).rejects.toThrow(
      /in use by another process/,
    );
  });

  test('an engine exits when its parent is killed, and a new parent gets its data', async () => {
    const folder = await makeFolder();
    const program = `
      import {startEmbeddedWarehouse} from ${JSON.stringify(
        pathToFileURL(compiledModule('platform/warehouse/embedded/process.ts')).href,
      )};
      const logger = {info() {}, warn() {}, error() {}};
      const embedded = await startEmbeddedWarehouse({path: ${JSON.stringify(folder)}, logger});
      console.log(JSON.stringify(embedded));`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface(parent.stdout), 'line');
    const first = openWarehouse({ ...(JSON.parse(line as string) as EmbeddedWarehouse), logger });
    await first.command(FACTS);
    await first.insert('facts', FACT_COLUMNS, batchOf(1, 5));
    await first.close();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    // Does not wait first: the old engine may still hold the data for a moment.
    const { warehouse } = await start(folder);
    expect(await count(warehouse)).toBe(5);
  });
});
