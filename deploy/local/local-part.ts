import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPassword, type PartMemory, readPartMemory, writePartMemory } from './part-file.ts';
import { freePort, isFree } from './ports.ts';
import { isRunning, killProcess, launch, type Program, stopProcess } from './processes.ts';

/** A running Kafka, schema registry, Redis or ClickHouse of this machine. */
export interface LocalPart {
  readonly name: string;
  /** Value of the part's setting: KAFKA_BROKERS, SCHEMA_REGISTRY_URL, REDIS_URL or CLICKHOUSE_URL. */
  readonly address: string;
  /** Process id; another one after a restart. */
  readonly pid: number;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** After `kill` or `stop`: the same address and data; resolves when it answers. */
  restart(): Promise<void>;
  /** SIGTERM, and SIGKILL when that takes too long; resolves when the process is gone. */
  stop(): Promise<void>;
}

export interface PartOptions {
  /** Of this part alone: data, configuration and what `part.json` remembers. Made when absent. */
  readonly folder: string;
  /** For the part's address; by default the one of the last time, else any that is free. */
  readonly port?: number;
  /** Default: `log` in the folder. */
  readonly logFile?: string;
  /** Default false: the part dies with this process, however that ends. */
  readonly outlivesParent?: boolean;
  /** Told what takes long, e.g. a download. */
  readonly report?: (line: string) => void;
}

/** What is particular to one kind of part. */
export interface PartKind {
  readonly name: string;
  /** How many ports it listens on. */
  readonly portCount: number;
  /** Those that others count on already; without them any that are free. */
  readonly ports?: readonly number[];
  readonly startLimitMs: number;
  readonly stopLimitMs: number;
  /** Gets what it needs, e.g. by download; rejects with what to install. */
  provide(report: (line: string) => void): Promise<void>;
  address(memory: Pick<PartMemory, 'ports' | 'password'>): string;
  /** Writes its configuration and makes its data ready; idempotent. */
  prepare(folder: string, memory: PartMemory): Promise<void>;
  program(folder: string, memory: PartMemory): Program;
  /** Rejects while the part does not answer yet. */
  ask(memory: PartMemory): Promise<void>;
}

const POLL_MS = 100;
const LOG_TAIL_CHARACTERS = 2_000;

/** Starts a part in its folder, or takes over the one that runs there; resolves when it answers. */
export async function startLocalPart(kind: PartKind, options: PartOptions): Promise<LocalPart> {
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
    writePartMemory(folder, memory);
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

/** The part's memory; of a new part, or one that moves to another port, written first. */
async function remember(kind: PartKind, folder: string, port: number | undefined): Promise<PartMemory> {
  const known = readPartMemory(folder);
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
  writePartMemory(folder, memory);
  return memory;
}

/** A part keeps its address, so another program on it is an error; and it may be the part, out of our sight. */
async function expectFree(kind: PartKind, memory: PartMemory, folder: string): Promise<void> {
  for (const port of memory.ports) {
    if (await isFree(port)) continue;
    const otherwise =
      kind.ports === undefined
        ? `remove ${path.join(folder, 'part.json')}, and ${kind.name} gets another port`
        : 'delete the data of the stack, and all brokers get other ports';
    throw new Error(
      `port ${port} of ${kind.name} is taken by another process. End that one, or ${otherwise}`,
    );
  }
}

async function answers(
  kind: PartKind,
  memory: PartMemory,
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

/** The end of what was written since the start. */
const logTail = (logFile: string, from: number): string =>
  readFileSync(logFile).subarray(from).toString('utf8').slice(-LOG_TAIL_CHARACTERS).trim() || '(nothing)';
