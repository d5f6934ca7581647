/**
 * Main module of the embedded warehouse: owns ClickHouse's engine (one data folder per process, main thread only) and
 * serves ClickHouse's HTTP interface on a socket in that folder. Its parent starts it and sends it what to open; it
 * exits when that channel closes, however the parent ended. Started by hand, it reads CLICKHOUSE_PATH, CLICKHOUSE_PORT
 * (default: any) and CLICKHOUSE_PASSWORD, listens on loopback, and prints its address.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { drainPending, Session } from 'chdb';
import { packageRoot } from '#platform/config/package-root.ts';
import { makePrivateFolder } from '#platform/data-folder/private-folder.ts';
import { lowerPriority } from '#platform/threads/lower-priority.ts';
import { createEngineHttp } from './http.ts';
import { type ChildMessage, SOCKET_LOST_EXIT_CODE, type StartMessage } from './messages.ts';
import { SessionPool } from './sessions.ts';
import { listenInFolder } from './socket.ts';

/** Many, because each open stream holds a session while its reader is slow; an idle session costs almost nothing. */
const READERS = { size: 32, waiting: 256 };
const WRITERS = { size: 4, waiting: 64 };
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_HELD_BYTES = 256 * 1024 * 1024;
/** What a statement may do. The engine ignores a missing file and would apply no rules. */
const RIGHTS = path.join(packageRoot(), 'platform/warehouse/embedded/rights.xml');
const ENGINE_ARGUMENTS = [
  `--config-file=${RIGHTS}`,
  // The engine's defaults are sized for a dedicated machine.
  '--mark_cache_size=134217728',
  '--uncompressed_cache_size=0',
];
const SHUTDOWN_LIMIT_MS = 3_000;

async function main(): Promise<void> {
  process.umask(0o077);
  if (!existsSync(RIGHTS)) throw new Error(`${RIGHTS} is missing; reinstall the service`);
  lowerPriority();
  const start = await startMessage();
  const server = await openServer(start);
  const socket = start.port === null ? await listenInFolder(server, start.path) : null;
  if (start.port !== null) await once(server.listen(start.port, '127.0.0.1'), 'listening');
  process.once('SIGTERM', () => {
    socket?.leave();
    finish(server);
  });
  // The parent may have gone while the engine opened its tables; no event reports that later.
  if (process.connected === false) abandon();
  process.once('disconnect', abandon);
  // Ctrl-C reaches the whole process group; the parent still needs its warehouse to finish, then stops it.
  if (process.send) process.on('SIGINT', () => {});
  // The engine cannot be reached without its socket; a restart recreates it.
  socket?.onLost(() => process.exit(SOCKET_LOST_EXIT_CODE));
  if (process.send) sendToParent({ type: 'ready', strangerId: socket?.strangerId ?? null });
  else process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
}

/** Accepts no new requests, finishes the running ones, then exits. */
function finish(server: Server): void {
  setTimeout(abandon, SHUTDOWN_LIMIT_MS).unref();
  setInterval(() => server.closeIdleConnections(), 20).unref();
  server.close(abandon);
}

/** No client awaits a response: exits as soon as the engine is idle, so that a successor can open the data. */
function abandon(): void {
  setTimeout(() => process.exit(0), SHUTDOWN_LIMIT_MS).unref();
  void drainPending().then(() => process.exit(0));
}

async function openServer(start: StartMessage): Promise<Server> {
  makePrivateFolder(start.path);
  const open = (label: string): Session =>
    new Session(start.path, { connectionArgs: [...ENGINE_ARGUMENTS, `--log_comment=${label}`] });
  // Reserved for stopping statements whose reader has gone.
  const control = open('control');
  await control.queryAsync('SELECT 1');
  const stop = async (label: string): Promise<void> => {
    const sql = `KILL QUERY WHERE Settings['log_comment'] = '${label}' ASYNC`;
    await control.queryAsync(sql).catch(() => {});
  };
  return createEngineHttp({
    readers: new SessionPool('reader', { open, stop }, READERS),
    writers: new SessionPool('writer', { open, stop }, WRITERS),
    password: start.password,
    maxBodyBytes: MAX_BODY_BYTES,
    maxHeldBytes: MAX_HELD_BYTES,
  });
}

async function startMessage(): Promise<StartMessage> {
  if (process.send) {
    const [message] = (await once(process, 'message')) as [StartMessage];
    return message;
  }
  const { CLICKHOUSE_PATH: path, CLICKHOUSE_PORT: port = '0', CLICKHOUSE_PASSWORD: password } = process.env;
  if (!path || !password) throw new Error('set CLICKHOUSE_PATH and CLICKHOUSE_PASSWORD');
  return { type: 'start', path, port: Number(port), password };
}

/** Prints why the engine did not start, and exits; the message comes first. */
function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  sendToParent({ type: 'failed', message: message.slice(0, 500) }, () => process.exit(1));
}

function sendToParent(message: ChildMessage, then: () => void = () => {}): void {
  if (process.send) process.send(message, undefined, undefined, then);
  else process.stderr.write(`${JSON.stringify(message)}\n`, then);
}

await main().catch(fail);
