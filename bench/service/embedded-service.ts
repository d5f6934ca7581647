import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiledModule } from '#platform/config/package-root.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { childrenOf, threadSeconds, usageOf } from '../load/process-usage.ts';
import { makeTarget, type Target } from '../load/triplets.ts';

const PROFILE_INTERVAL_US = '500';

interface EmbeddedOptions {
  /** Folder for a CPU profile of every JavaScript thread, written at exit. */
  readonly profiles?: string | undefined;
  /** Folder of another checkout whose build is started instead of this one. */
  readonly build?: string | undefined;
}

/** A running process of the service. */
interface EmbeddedProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the service on a data folder. */
export async function startOn(
  dataDir: string,
  { profiles, build }: EmbeddedOptions = {},
): Promise<EmbeddedProcess> {
  const profiling =
    profiles === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${PROFILE_INTERVAL_US}`];
  const program =
    build === undefined ? compiledModule('cli/main.ts') : path.join(build, 'dist/bundles/cli/main.js');
  if (!existsSync(program))
    throw new Error(`no build at ${program}: run "npm ci && npm run build" in its checkout`);
  const child = spawn(process.execPath, [...profiling, program, 'start', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
  });
  const exited = once(child, 'exit');
  const end = (): boolean => child.kill('SIGTERM');
  // A failed benchmark must not leave a service running: its idle work would distort all later figures.
  process.once('exit', end);
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [{ ready?: string } | null];
  if (typeof message?.ready !== 'string')
    throw new Error('the service did not start; its messages stand above');
  return {
    url: message.ready,
    pid: child.pid ?? 0,
    stop: async () => {
      end();
      await exited;
      process.removeListener('exit', end);
    },
  };
}

export const secretOf = (dataDir: string): string =>
  readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim();

export interface EmbeddedService {
  readonly pid: number;
  readonly target: Target;
  readonly internalSecret: string;
  readonly dataDir: string;
  /** Stops the service and removes its data. */
  stop(): Promise<void>;
}

/** Starts the service on its own folder, with customers. */
export async function startEmbeddedService(
  customers: number,
  options: EmbeddedOptions = {},
): Promise<EmbeddedService> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cas-bench-'));
  const { url, pid, stop } = await startOn(dataDir, options);
  const internalSecret = secretOf(dataDir);
  return {
    pid,
    target: await makeTarget(url, internalSecret, customers),
    internalSecret,
    dataDir,
    stop: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** CPU seconds by consumer. */
export interface Cost {
  readonly main: number;
  /** The busiest other thread of the service's process: analyzer and sink. */
  readonly pipeline: number;
  /** Garbage collection, LMDB's writers, file system calls. */
  readonly otherThreads: number;
  readonly engine: number;
  readonly generator: number;
}

/** Starts counting; the returned function returns the usage since then. */
export function measureCost(servicePid: number): () => Cost {
  const engineSeconds = (): number =>
    childrenOf(servicePid).reduce((sum, pid) => sum + usageOf(pid).cpuSeconds, 0);
  const ownSeconds = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const [threads, engine, own] = [threadSeconds(servicePid), engineSeconds(), ownSeconds()];
  return () => {
    const used = [...threadSeconds(servicePid)].map(
      ([thread, seconds]) => [thread, seconds - (threads.get(thread) ?? 0)] as const,
    );
    const others = used.filter(([thread]) => thread !== servicePid).map(([, seconds]) => seconds);
    const pipeline = Math.max(0, ...others);
    return {
      main: used.find(([thread]) => thread === servicePid)?.[1] ?? 0,
      pipeline,
      otherThreads: others.reduce((sum, seconds) => sum + seconds, 0) - pipeline,
      engine: engineSeconds() - engine,
      generator: ownSeconds() - own,
    };
  };
}

export const COST_HEAD = ['main', 'pipeline', 'other threads', 'engine', 'generator', 'all, us per audit'];

/** Costs per audit in microseconds, in the order of `COST_HEAD`. */
export function costCells(cost: Cost, audits: number): string[] {
  const parts = [cost.main, cost.pipeline, cost.otherThreads, cost.engine, cost.generator];
  const all = parts.reduce((sum, seconds) => sum + seconds, 0);
  return [...parts, all].map((seconds) => ((seconds / Math.max(1, audits)) * 1e6).toFixed(0));
}
