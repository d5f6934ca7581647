import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiledModule } from '#platform/config/package-root.ts';
import type { ChildMessage, StartMessage } from './messages.ts';

const LOCK_RETRY_MS = 100;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
/** Each running statement occupies a thread of this pool; with the default of 4, queries would stall file access. */
const THREADS = '16';
const START_OUTPUT_LIMIT = 2_000;

/** A running engine that answers. */
interface Running {
  readonly child: ChildProcess;
  /** The user who owned a file at the engine's socket path. */
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

interface Launch {
  readonly folder: string;
  readonly password: string;
  /** How long to wait for another engine that has the data open. */
  readonly lockWaitMs: number;
}

/** Starts an engine once and resolves when it answers. Rejects, saying what to do, if it cannot open the folder. */
export async function launchEngine({ folder, password, lockWaitMs }: Launch): Promise<Running> {
  const start: StartMessage = { type: 'start', path: folder, port: null, password };
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
  const child = fork(compiledModule('platform/warehouse/embedded/server.ts'), [], {
    execArgv: [],
    // Passes nothing from this process's environment: it contains secrets that the engine does not need.
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
    // From here on the engine's output may quote statements and data, so it is discarded.
    child.stderr?.off('data', listen).resume();
  }
}

/** Only the engine's standard error says why it cannot open a folder. */
function startFailure(start: StartMessage, said: string): StartFailure {
  if (/Cannot lock file/.test(said)) {
    const message = `the data in ${start.path} is in use by another process; stop it first`;
    return new StartFailure(message, true);
  }
  if (/Cannot find package '@?chdb/.test(said)) {
    const message =
      'this installation has no embedded ClickHouse (container images do not include it); set KAFKA_BROKERS, REDIS_URL, SCHEMA_REGISTRY_URL and CLICKHOUSE_URL and run the services separately, or install the package "chdb"';
    return new StartFailure(message, false);
  }
  return new StartFailure(`the embedded warehouse cannot open ${start.path}: ${said.trim()}`, false);
}

/** Stops an engine cleanly, or by force if that takes too long. */
export async function endEngine(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await gone;
  clearTimeout(timer);
}
