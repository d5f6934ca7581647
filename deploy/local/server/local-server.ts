import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isFree } from './ports.ts';
import { isRunning, killProcess, launch, type Program, stopProcess } from './processes.ts';
import { newPassword, readServerMemory, type ServerMemory, writeServerMemory } from './server-file.ts';

/** A running Kafka, schema registry, Redis or ClickHouse on this machine. */
export interface LocalServer {
  readonly name: string;
  /** Value of the server's setting: KAFKA_BROKERS, SCHEMA_REGISTRY_URL, REDIS_URL or CLICKHOUSE_URL. */
  readonly address: string;
  /** Process id; changes with a restart. */
  readonly pid: number;
  /** SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>;
  /** After `kill` or `stop`: the same address and data; resolves when it answers. */
  restart(): Promise<void>;
  /** SIGTERM, and SIGKILL when that takes too long; resolves when the process has exited. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Folder of this server only: data, configuration and `server.json`. Created when missing. */
  readonly folder: string;
  /** Port of the server's address; defaults to the last one used, or any free one. */
  readonly port?: number;
  /** Default: `log` in the folder. */
  readonly logFile?: string;
  /** Default false: the server dies with this process, even if that is killed. */
  readonly outlivesParent?: boolean;
  /** Called with slow steps, e.g. a download. */
  readonly report?: (line: string) => void;
}

/** The parts that differ between kinds of servers. */
export interface ServerKind {
  readonly name: string;
  /** Number of ports it listens on. */
  readonly portCount: number;
  /** Ports that others already rely on; defaults to free ones. */
  readonly ports?: readonly number[];
  readonly startLimitMs: number;
  readonly stopLimitMs: number;
  /** Provides what the server needs, e.g. by download; rejects with what to install. */
  provide(report: (line: string) => void): Promise<void>;
  address(memory: Pick<ServerMemory, 'ports' | 'password'>): string;
  /** Writes its configuration and prepares its data; idempotent. */
  prepare(folder: string, memory: ServerMemory): Promise<void>;
  program(folder: string, memory: ServerMemory): Program;
  /** Rejects while the server does not answer yet. */
  ask(memory: ServerMemory): Promise<void>;
}

const POLL_MS = 100;
const LOG_TAIL_CHARACTERS = 2_000;

/** Starts a server in its folder, or adopts the running one; resolves when it answers. */
export async function startLocalServer(kind: ServerKind, options: ServerOptions): Promise<LocalServer> {
  const folder = path.resolve(options.folder);
  const logFile = options.logFile ?? path.join(folder, 'log');
  let memory = await remember(kind, folder, options.port);

  const runs = (): boolean => memory.process !== null && isRunning(memory.process);
  const start = async (): Promise<void> => {
    await expectFree(kind, memory, folder);
    await kind.prepare(folder, memory);
    mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
    const logStart = existsSync(logFile) ? readFileSync(logFile).length : 0;
    const started = await launch(kind.program(folder, memory), {
      folder,
      logFile,
      outlivesParent: options.outlivesParent ?? false,
    });
    memory = { ...memory, process: started };
    writeServerMemory(folder, memory);
    await answers(kind, memory, runs, () => logTail(logFile, logStart)).catch(async (error: Error) => {
      await killProcess(started);
      throw error;
    });
  };
  const stop = async (): Promise<void> => {
    if (memory.process !== null) await stopProcess(memory.process, kind.stopLimitMs);
  };

  if (runs()) {
    await answers(kind, memory, runs, () => logTail(logFile, 0));
  } else {
    await kind.provide(options.report ?? (() => {}));
    await start();
  }
  return {
    name: kind.name,
    address: memory.address,
    get pid() {
      return memory.process?.pid ?? 0;
    },
    kill: async () => {
      if (memory.process !== null) await killProcess(memory.process);
    },
    restart: async () => {
      await stop();
      await start();
    },
    stop,
  };
}

/** The server's `server.json`, written first for a new server or one that moves to another port. */
async function remember(kind: ServerKind, folder: string, port: number | undefined): Promise<ServerMemory> {
  const known = readServerMemory(folder);
  if (known !== null && (port === undefined || port === known.ports[0])) return known;
  if (known?.process && isRunning(known.process)) {
    throw new Error(
      `${kind.name} runs on port ${known.ports[0]}; stop it before it can move to port ${port}`,
    );
  }
  const ports: number[] = [...(kind.ports ?? (port === undefined ? [] : [port]))];
  while (ports.length < kind.portCount) ports.push(await freePort());
  const password = known?.password ?? newPassword();
  const memory = {
    name: kind.name,
    address: kind.address({ ports, password }),
    ports,
    password,
    process: null,
  };
  writeServerMemory(folder, memory);
  return memory;
}

/** A server keeps its address, so another program on that port is an error; it may be the server itself, untracked. */
async function expectFree(kind: ServerKind, memory: ServerMemory, folder: string): Promise<void> {
  for (const port of memory.ports) {
    if (await isFree(port)) continue;
    const otherwise =
      kind.ports === undefined
        ? `remove ${path.join(folder, 'server.json')}, and ${kind.name} gets another port`
        : 'delete the data of the stack, and all brokers get other ports';
    throw new Error(
      `port ${port} of ${kind.name} is in use by another process. Stop that process, or ${otherwise}`,
    );
  }
}

async function answers(
  kind: ServerKind,
  memory: ServerMemory,
  runs: () => boolean,
  output: () => string,
): Promise<void> {
  const deadline = Date.now() + kind.startLimitMs;
  for (;;) {
    try {
      await kind.ask(memory);
      return;
    } catch (error) {
      if (!runs()) throw new Error(`${kind.name} did not start; it said:\n${output()}`);
      if (Date.now() > deadline) {
        throw new Error(
          `${kind.name} does not answer within ${kind.startLimitMs} ms; it said:\n${output()}`,
          {
            cause: error,
          },
        );
      }
      await sleep(POLL_MS);
    }
  }
}

/** The tail of the log since the start. */
const logTail = (logFile: string, from: number): string =>
  readFileSync(logFile).subarray(from).toString('utf8').slice(-LOG_TAIL_CHARACTERS).trim() || '(nothing)';
