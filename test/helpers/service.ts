import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataFolder } from '../../platform/runtime/data-folder.ts';
import { compiledModule } from '../../platform/runtime/package-root.ts';

export interface TestService {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  readonly internalSecret: string;
  /** Everything the process wrote to standard output and error so far. */
  output(): string;
  /** Kills the whole process tree as a power cut would; resolves when it is gone. */
  killTree(): Promise<void>;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Resolves when the process has ended by itself or otherwise. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Test control of the service process, e.g. `{refuseState: 10000}`; resolves when it was taken. */
  control(command: Record<string, number>): Promise<void>;
}

export const temporaryDataDir = (): string => mkdtempSync(path.join(os.tmpdir(), 'cas-test-'));
export const removeDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });

/** How a process of the program ended. */
export interface StartFailure {
  readonly code: number | null;
  readonly output: string;
}

const START_LIMIT_MS = 60_000;

/** The service did not start; `failure` says how it ended. */
export class StartFailed extends Error {
  readonly failure: StartFailure;
  constructor(failure: StartFailure) {
    super(`the service did not start (exit ${failure.code}):\n${failure.output}`);
    this.failure = failure;
  }
}

/** Runs a command of the compiled program to its end, e.g. `['migrate', '--new-epoch']`. */
export async function runCas(dataDir: string, args: readonly string[]): Promise<StartFailure> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_ENV: 'test' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Starts the compiled service, as a user would, on a free port; resolves when it is ready. */
export async function startService(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<TestService> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start', '--quiet'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'test',
      ...environment,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit').then(
    ([code, signal]) => ({ code, signal }) as Awaited<TestService['ended']>,
  );

  const killTree = async (): Promise<void> => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await ended;
  };
  const ready = new Promise<string>((resolve) => {
    child.on(
      'message',
      (message: { ready?: string }) => message.ready !== undefined && resolve(message.ready),
    );
  });
  const limit = setTimeout(() => void killTree(), START_LIMIT_MS);
  const url = await Promise.race([
    ready,
    ended.then(({ code }) => {
      throw new StartFailed({ code, output });
    }),
  ]).finally(() => clearTimeout(limit));

  return {
    url,
    dataDir,
    process: child,
    internalSecret: readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim(),
    output: () => output,
    killTree,
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended).code;
    },
    ended,
    control: (command) =>
      new Promise((resolve, reject) => {
        const taken = (message: { taken?: boolean }): void => {
          if (message.taken !== true) return;
          child.off('message', taken);
          resolve();
        };
        child.on('message', taken);
        child.send(command, (error) => error !== null && reject(error));
      }),
  };
}
