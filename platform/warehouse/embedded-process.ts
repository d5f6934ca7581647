import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiledModule } from '../runtime/package-root.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';
import { type ChildMessage, SOCKET_LOST_EXIT_CODE, type StartMessage } from './embedded-messages.ts';
import type { WarehouseLogger } from './port.ts';

export interface EmbeddedWarehouseOptions {
  /** Folder of the data; made when absent, closed to others. One process has it open at a time. */
  readonly path: string;
  readonly logger: WarehouseLogger;
  /** How long to wait for another engine that has the data open and is on its way out (default 10,000 ms). */
  readonly lockWaitMs?: number;
  /** The engine's process ended by itself; it is being restarted. */
  readonly onDown?: () => void;
  /** It answers again. */
  readonly onUp?: () => void;
}

export interface EmbeddedWarehouse {
  /** A mere name: the engine listens on a socket in `socketFolder` alone. */
  readonly url: string;
  /** Stays the same over restarts, as the credentials do. */
  readonly socketFolder: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** Process id of the engine, or null while it is down. */
  pid(): number | null;
  /** Kills the engine's process and resolves when it is gone; it is then restarted. For tests. */
  kill(): Promise<void>;
  /** As `kill`, and keeps it down for so long. For tests. */
  holdDown(milliseconds: number): Promise<void>;
  /** Ends the engine's process cleanly and restarts it no more. */
  stop(): Promise<void>;
}

/** After the death of its parent an engine may live a moment longer and hold the lock on the data. */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 100;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
const FIRST_BACKOFF_MS = 50;
const LAST_BACKOFF_MS = 5_000;
/** Each running statement holds a thread of this pool; the default of 4 would stall file access behind queries. */
const THREADS = '16';
const START_OUTPUT_LIMIT = 2_000;

/** No name that is ever resolved, should somebody forget the socket. */
const NAME = 'http://embedded-warehouse.invalid';

interface Running {
  readonly child: ChildProcess;
  readonly strangerId: number | null;
}

class StartFailure extends Error {
  readonly isLocked: boolean;
  constructor(message: string, isLocked: boolean) {
    super(message);
    this.name = 'StartFailure';
    this.isLocked = isLocked;
  }
}

/**
 * Starts the embedded ClickHouse in a process of its own and keeps it running. Rejects when the data cannot be
 * opened, among others because another process has them open for longer than `lockWaitMs`.
 */
export async function startEmbeddedWarehouse(options: EmbeddedWarehouseOptions): Promise<EmbeddedWarehouse> {
  const { logger } = options;
  const folder = path.resolve(options.path);
  const password = randomBytes(24).toString('base64url');
  let running: Running | null = null;
  let stopping = false;
  let notBefore = 0;

  const launch = async (): Promise<Running> => {
    const mended = makePrivateFolder(folder);
    if (mended !== null) {
      logger.warn(
        { path: folder, mode: mended.toString(8) },
        'others could enter the folder of the embedded warehouse; it is closed to them now',
      );
    }
    const start: StartMessage = { type: 'start', path: folder, port: null, password };
    const started = await launchPatiently(start, options.lockWaitMs ?? LOCK_WAIT_MS);
    if (started.strangerId !== null) {
      logger.error(
        { path: folder, user: started.strangerId },
        'another user had put a file in the place of the embedded warehouse’s socket; it is removed, and nothing was sent there',
      );
    }
    return started;
  };
  const adopt = (started: Running): void => {
    running = started;
    started.child.once('exit', (code, signal) => {
      running = null;
      if (stopping) return;
      const reason = code === SOCKET_LOST_EXIT_CODE ? 'its socket was taken away or replaced' : undefined;
      logger.error({ code, signal, reason }, 'the embedded warehouse ended by itself; it is started again');
      options.onDown?.();
      void restart();
    });
  };
  const restart = async (): Promise<void> => {
    for (let backoff = FIRST_BACKOFF_MS; !stopping; backoff = Math.min(backoff * 2, LAST_BACKOFF_MS)) {
      await sleep(Math.max(backoff, notBefore - performance.now()));
      if (stopping) return;
      try {
        const started = await launch();
        if (stopping) {
          await end(started.child);
          return;
        }
        adopt(started);
        logger.info({ pid: started.child.pid }, 'the embedded warehouse answers again');
        options.onUp?.();
        return;
      } catch (error) {
        logger.error(
          { reason: (error as Error).message },
          'the embedded warehouse did not start; trying again',
        );
      }
    }
  };
  const kill = async (): Promise<void> => {
    const child = running?.child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };

  const first = await launch();
  adopt(first);
  logger.info({ pid: first.child.pid, path: folder }, 'the embedded warehouse is ready');
  return {
    url: NAME,
    socketFolder: folder,
    username: 'default',
    password,
    database: 'default',
    pid: () => running?.child.pid ?? null,
    kill,
    async holdDown(milliseconds) {
      notBefore = performance.now() + milliseconds;
      await kill();
    },
    async stop() {
      stopping = true;
      if (running) await end(running.child);
    },
  };
}

async function launchPatiently(start: StartMessage, lockWaitMs: number): Promise<Running> {
  const deadline = performance.now() + lockWaitMs;
  for (;;) {
    try {
      return await launchOnce(start);
    } catch (error) {
      if (!(error instanceof StartFailure) || !error.isLocked || performance.now() > deadline) throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
}

async function launchOnce(start: StartMessage): Promise<Running> {
  const child = fork(compiledModule('platform/warehouse/embedded-server.ts'), [], {
    execArgv: [],
    // Nothing of this process's environment: it holds secrets that the engine has no use for.
    env: { UV_THREADPOOL_SIZE: THREADS, TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  const listen = (chunk: Buffer): void => {
    said = `${said}${chunk.toString('utf8')}`.slice(0, START_OUTPUT_LIMIT);
  };
  child.stderr?.on('data', listen);
  const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  try {
    return await new Promise<Running>((resolve, reject) => {
      child.on('error', reject);
      child.once('close', (code, signal) => {
        if (said === '') said = `it ended with code ${code}, signal ${signal}`;
        reject(startFailure(start, said));
      });
      child.once('message', (message: ChildMessage) => {
        if (message.type === 'failed') said += message.message;
        else resolve({ child, strangerId: message.strangerId });
      });
      child.send(start, () => {});
    });
  } finally {
    clearTimeout(timer);
    // From here on the engine's output may quote statements and data, so nobody reads it.
    child.stderr?.off('data', listen).resume();
  }
}

/** The engine tells only its error output why it cannot open a folder. */
function startFailure(start: StartMessage, said: string): StartFailure {
  if (/Cannot lock file/.test(said)) {
    const message = `the data in ${start.path} are in use by another process; stop that one first`;
    return new StartFailure(message, true);
  }
  if (/Cannot find package '@?chdb/.test(said)) {
    const message =
      'this installation has no embedded ClickHouse (images of the service leave it out); set CLICKHOUSE_URL, or install the package "chdb"';
    return new StartFailure(message, false);
  }
  return new StartFailure(`the embedded warehouse cannot open ${start.path}: ${said.trim()}`, false);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await gone;
  clearTimeout(timer);
}
