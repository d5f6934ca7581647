import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '#jest';
import {
  describeWithStranger,
  STRANGER_ID,
  type Stranger,
  startStranger,
} from '#platform/data-folder/testing/stranger.ts';
import { openWarehouse } from '../client/clickhouse.ts';
import { ENGINE_SOCKET } from '../client/socket-agent.ts';
import { type Warehouse, WarehouseUnavailable } from '../port.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from './process.ts';
import { killEngine } from './testing/kill-engine.ts';

/**
 * The other user's process. It reads one command per line and answers each with a line; it counts the connections to
 * its sockets and every byte sent to them.
 */
const ATTACK = `
const fs = require('node:fs'), net = require('node:net');
const [, folder] = process.argv;
const socket = folder + '/${ENGINE_SOCKET}';
const heard = { connections: 0, bytes: 0 };
const tell = (what) => console.log(JSON.stringify(what));
const attempt = (run) => { try { run(); return 'done'; } catch (error) { return error.code; } };
const settled = (emitter, event) => new Promise((resolve) => {
  emitter.on('error', ({ code }) => resolve(code)).on(event, () => resolve('done'));
});
const bind = () => settled(net.createServer((other) => {
  heard.connections += 1;
  other.on('error', () => {}).on('data', (bytes) => { heard.bytes += bytes.length; });
}).listen(socket), 'listening');
const commands = {
  force: async () => [
    attempt(() => fs.readdirSync(folder)),
    attempt(() => fs.lstatSync(socket)),
    attempt(() => fs.unlinkSync(socket)),
    attempt(() => fs.renameSync(socket, '/tmp/taken-' + process.pid)),
    attempt(() => fs.symlinkSync('/tmp/x', socket)),
    attempt(() => fs.mkdirSync(socket)),
    await settled(net.connect(socket), 'connect'),
    await bind(),
  ],
  grab: async () => [attempt(() => fs.unlinkSync(socket)), await bind()],
  block: async () => [
    attempt(() => fs.unlinkSync(socket)),
    attempt(() => { fs.mkdirSync(socket); fs.writeFileSync(socket + '/file', ''); }),
  ],
  heard: async () => heard,
};
require('node:readline').createInterface(process.stdin).on('line', async (line) => tell(await commands[line]()));
`;

interface LogLine {
  readonly fields: { readonly reason?: string; readonly userId?: number; readonly previousMode?: string };
  readonly message: string;
}

interface World {
  readonly folder: string;
  readonly embedded: EmbeddedWarehouse;
  readonly warehouse: Warehouse;
  readonly stranger: Stranger;
  /** Resolves with the next log line that contains the text. */
  logged(text: string): Promise<LogLine>;
  /** Resolves when the engine answers again after it died. */
  up(): Promise<void>;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function makeFolder(): { folder: string; stranger: Stranger } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'warehouse-'));
  const stranger = startStranger(ATTACK, [folder]);
  cleanups.push(async () => {
    await stranger.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, stranger };
}

async function startWorld(): Promise<World> {
  const { folder, stranger } = makeFolder();
  const waiting: { text: string; resolve: (line: LogLine) => void }[] = [];
  let onUp = (): void => {};
  const write = (fields: object, message: string): void => {
    for (const one of waiting) if (message.includes(one.text)) one.resolve({ fields, message });
  };
  const logger = { info: write, warn: write, error: write };
  const embedded = await startEmbeddedWarehouse({ path: folder, logger, onUp: () => onUp() });
  const warehouse = openWarehouse({ ...embedded, logger });
  cleanups.push(async () => {
    await warehouse.close();
    await embedded.stop();
  });
  await warehouse.command('CREATE TABLE facts (text String) ENGINE = MergeTree ORDER BY text');
  await warehouse.insert('facts', ['text'], [{ text: 'what a customer wrote' }]);
  return {
    folder,
    embedded,
    warehouse,
    stranger,
    logged: (text) => new Promise((resolve) => waiting.push({ text, resolve })),
    up: () =>
      new Promise((resolve) => {
        onUp = resolve;
      }),
  };
}

const facts = (warehouse: Warehouse): Promise<object[]> => warehouse.query('SELECT text FROM facts');
const FACTS = [{ text: 'what a customer wrote' }];
const NOTHING = { connections: 0, bytes: 0 };

/** Local addresses of the process's listening TCP sockets. */
function listening(pid: number): string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[3] === '0A' && own.has(`socket:[${cells[9]}]`))
      .map((cells) => cells[1] ?? ''),
  );
}

describeWithStranger('the embedded warehouse and a process of another user', () => {
  test('opens no port, and its socket is out of reach whether the engine runs or not', async () => {
    const { embedded, warehouse, stranger, up } = await startWorld();
    expect(listening(embedded.pid() ?? 0)).toEqual([]);
    const refused = Array.from({ length: 8 }, () => 'EACCES');
    expect(await stranger.ask('force')).toEqual(refused);
    const back = up();
    await killEngine(embedded);
    await expect(facts(warehouse)).rejects.toBeInstanceOf(WarehouseUnavailable);
    expect(await stranger.ask('force')).toEqual(refused);
    await back;
    expect(await facts(warehouse)).toEqual(FACTS);
    expect(await stranger.ask('heard')).toEqual(NOTHING);
  });

  test('a socket seized in a folder open to all receives nothing, the log reports it, and the service continues', async () => {
    const { folder, embedded, stranger, logged, up } = await startWorld();
    const pid = embedded.pid() ?? 0;
    const said = [
      logged('restricted permissions of warehouse folder'),
      logged('removed another user’s file'),
    ];
    const ended = logged('exited unexpectedly');
    const back = up();
    // Pauses the engine, so that it does not repair its folder before the attack is detected.
    process.kill(pid, 'SIGSTOP');
    chmodSync(folder, 0o777);
    expect(await stranger.ask('grab')).toEqual(['done', 'done']);
    const warehouse = openWarehouse({ ...embedded, logger: { info() {}, warn() {}, error() {} } });
    cleanups.push(() => warehouse.close());
    const opened = warehouse.ping();
    await expect(opened).rejects.toBeInstanceOf(WarehouseUnavailable);
    await expect(opened).rejects.toThrow(
      `other users can access ${folder} (mode 777). Run: chmod 700 ${folder}`,
    );
    // The folder's mode is corrected, but the files in it are still the other user's.
    chmodSync(folder, 0o700);
    await expect(facts(warehouse)).rejects.toThrow(
      `the socket ${ENGINE_SOCKET} in ${folder} belongs to another user (${STRANGER_ID})`,
    );
    chmodSync(folder, 0o777);
    process.kill(pid, 'SIGCONT');
    expect((await ended).fields.reason).toBe('its socket was removed or replaced');
    expect((await said[0])?.fields.previousMode).toBe('777');
    expect((await said[1])?.fields.userId).toBe(STRANGER_ID);
    await back;
    expect(await facts(warehouse)).toEqual(FACTS);
    expect(await stranger.ask('heard')).toEqual(NOTHING);
    expect(await stranger.ask('force')).toEqual(Array.from({ length: 8 }, () => 'EACCES'));
  });

  test('a file that cannot be removed from the socket’s path is named, and the service continues once it is gone', async () => {
    const { folder, embedded, warehouse, stranger, logged, up } = await startWorld();
    chmodSync(folder, 0o777);
    expect(await stranger.ask('block')).toEqual(['done', 'done']);
    const said = logged('failed to start embedded warehouse');
    const back = up();
    await killEngine(embedded);
    expect((await said).fields.reason).toContain(
      `cannot create the socket of the warehouse: ${ENGINE_SOCKET} is a folder; remove it`,
    );
    await expect(warehouse.ping()).rejects.toBeInstanceOf(WarehouseUnavailable);
    rmSync(path.join(folder, ENGINE_SOCKET), { recursive: true });
    await back;
    expect(await facts(warehouse)).toEqual(FACTS);
  });

  test('requests waiting for a connection fail with the first one, not later', async () => {
    const { folder, stranger } = makeFolder();
    chmodSync(folder, 0o777);
    expect((await stranger.ask('grab')) as string[]).toEqual(['ENOENT', 'done']);
    const warehouse = openWarehouse({
      url: 'http://embedded-warehouse.invalid',
      username: 'default',
      password: 'secret',
      database: 'default',
      socketFolder: folder,
      maxConnections: 1,
      logger: { info() {}, warn() {}, error() {} },
    });
    cleanups.push(() => warehouse.close());
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => facts(warehouse)));
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(WarehouseUnavailable);
    }
    expect(await stranger.ask('heard')).toEqual(NOTHING);
  });
});
