import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { compiledModule } from '#platform/config/package-root.ts';
import { isInjected } from '../programs/injected.ts';

/** A running process of the compiled program. */
export interface CasProcess {
  /** URL printed when it became ready. */
  readonly url: string;
  /** Base URL of /internal, /metrics and /health/ready: the same URL unless they have a separate listener. */
  readonly adminUrl: string;
  readonly process: ChildProcess;
  /** All standard output and error so far. */
  output(): string;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Kills it and its child processes, as a power failure would; resolves when they are gone. */
  killTree(): Promise<void>;
  /** Sends SIGTERM; resolves to the exit code. Rejects when Node printed a warning about the process. */
  stop(): Promise<number | null>;
}

/** How a process of the program ended. */
export interface StartFailure {
  readonly code: number | null;
  readonly output: string;
}

/** The process did not become ready; `failure` says how it ended. */
export class StartFailed extends Error {
  readonly failure: StartFailure;
  constructor(failure: StartFailure) {
    super(`the service did not start (exit ${failure.code}):\n${failure.output}`);
    this.failure = failure;
  }
}

type Environment = Readonly<Record<string, string>>;

const START_LIMIT_MS = 60_000;
/** In Node's format of `DeprecationWarning`, `TimeoutNegativeWarning` and the like. */
const NODE_WARNING = /^\(node:\d+\) .*Warning: .*$/m;

const environmentOf = (environment: Environment): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  LOG_LEVEL: 'warn',
  // Tests start hundreds of processes, each for less than a minute.
  DETECTION_WARM_UP: 'false',
  ...(process.env.ANALYSIS_THREADS === undefined ? {} : { ANALYSIS_THREADS: process.env.ANALYSIS_THREADS }),
  ...environment,
});

function collect(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return () => output;
}

/** Runs a command of the compiled program to its end, e.g. `['migrate', '--new-epoch']`; `input`: its standard input. */
export async function runCas(
  args: readonly string[],
  environment: Environment,
  input?: Readable,
): Promise<StartFailure> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), ...args], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: environmentOf(environment),
  });
  const output = collect(child);
  if (child.stdin !== null) {
    // A failed command stops reading its input.
    child.stdin.on('error', () => undefined);
    input?.pipe(child.stdin);
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

/**
 * Starts a long-running command of the compiled program; resolves when it is ready, rejects with `StartFailed`. If
 * `environment` injects something, it runs the tests' own program, which composes the same service.
 */
export async function startCas(args: readonly string[], environment: Environment): Promise<CasProcess> {
  const program = isInjected(environment) ? 'test/programs/service-under-test.ts' : 'cli/main.ts';
  const child = spawn(process.execPath, [compiledModule(program), ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environmentOf(environment),
  });
  const output = collect(child);
  const ended = once(child, 'exit').then(
    ([code, signal]) => ({ code, signal }) as Awaited<CasProcess['ended']>,
  );
  const killTree = async (): Promise<void> => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await ended;
  };
  const ready = new Promise<Pick<CasProcess, 'url' | 'adminUrl'>>((resolve) => {
    child.on('message', ({ ready: url, admin = url }: { ready?: string; admin?: string }) => {
      if (url !== undefined && admin !== undefined) resolve({ url, adminUrl: admin });
    });
  });
  let isTooLate = false;
  const limit = setTimeout(() => {
    isTooLate = true;
    void killTree();
  }, START_LIMIT_MS);
  const addresses = await Promise.race([
    ready,
    ended.then(async ({ code }) => {
      await killTree();
      if (isTooLate) throw new Error(`not ready within ${START_LIMIT_MS} ms:\n${output()}`);
      throw new StartFailed({ code, output: output() });
    }),
  ]).finally(() => clearTimeout(limit));
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    const { code } = await ended;
    const warning = NODE_WARNING.exec(output())?.[0];
    if (warning !== undefined) throw new Error(`Node warned of what the process does: ${warning}`);
    return code;
  };
  return { ...addresses, process: child, output, ended, killTree, stop };
}
