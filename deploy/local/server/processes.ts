import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a server's process is started. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
}

/** Identifies a process, even if its id is reused later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as the system reports it. */
  readonly startedAt: string;
}

interface Launch {
  readonly folder: string;
  readonly logFile: string;
  /** Whether it keeps running when this process ends. */
  readonly outlivesParent: boolean;
}

const POLL_MS = 20;

/**
 * Starts a guard in the server's process group, then becomes the server. The guard reads a pipe that is never written
 * to. The pipe closes when this process ends, even if it is killed, and the guard then kills the group.
 */
const GUARDED = '(read _ <&3; kill -s KILL -- -$$) & exec "$@" 3<&-';

/** Starts a program in a new process group, with its output appended to the log. */
export async function launch(program: Program, options: Launch): Promise<ProcessIdentity> {
  const log = openSync(options.logFile, 'a', 0o600);
  const command = options.outlivesParent
    ? [program.file, ...program.args]
    : ['/bin/sh', '-c', GUARDED, 'server', program.file, ...program.args];
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: options.folder,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TZ: 'UTC', ...program.env },
    detached: true,
    stdio: ['ignore', log, log, options.outlivesParent ? 'ignore' : 'pipe'],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    throw error;
  }
  // The guard outlives an exited server; until the guard is killed the process group's id is not reused.
  if (!options.outlivesParent) child.once('exit', () => signalGroup(pid));
  child.unref();
  (child.stdio[3] as unknown as { unref(): void } | null)?.unref();
  // No await since the spawn: until the caller has recorded the process, nothing could stop it.
  return { pid, startedAt: readProcess(pid)?.startedAt ?? '' };
}

/** Whether any of its threads still runs; a later process with the same id does not count. */
export function isRunning(known: ProcessIdentity): boolean {
  const seen = readProcess(known.pid);
  return seen !== null && seen.startedAt === known.startedAt && !seen.isOver;
}

/** Kills a process and its group (SIGKILL) and resolves when it has exited. */
export async function killProcess(known: ProcessIdentity): Promise<void> {
  if (isRunning(known)) signalGroup(known.pid);
  await exited(known, Number.POSITIVE_INFINITY);
}

/** Asks a process to end (SIGTERM) and kills it when it has not exited within the limit. */
export async function stopProcess(known: ProcessIdentity, limitMs: number): Promise<void> {
  if (isRunning(known)) process.kill(known.pid, 'SIGTERM');
  if (!(await exited(known, limitMs))) await killProcess(known);
}

async function exited(known: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isRunning(known)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface SeenProcess {
  readonly startedAt: string;
  /** A zombie: it exited but its parent has not reaped it. Until then threads may still hold files and ports. */
  readonly isOver: boolean;
}

/** Null when there is no such process. */
function readProcess(pid: number): SeenProcess | null {
  try {
    if (!existsSync('/proc/self/stat')) {
      const [state = '', ...startedAt] = ps(pid, 'state,lstart').split(/\s+/);
      return { startedAt: startedAt.join(' '), isOver: state.startsWith('Z') };
    }
    // Fields after the name, which is in parentheses and may contain anything: state, ..., threads (18th), ..., start
    // (20th).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { startedAt: fields[19] ?? '', isOver: /[ZX]/.test(fields[0] ?? '') && Number(fields[17]) <= 1 };
  } catch {
    return null;
  }
}

/** Resident memory in bytes; 0 when the process is gone. */
export function memoryOf(pid: number): number {
  try {
    if (!existsSync('/proc/self/status')) return Number(ps(pid, 'rss')) * 1024;
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** For systems without /proc. */
const ps = (pid: number, fields: string): string =>
  execFileSync('ps', ['-o', fields.replace(/(,|$)/g, '=$1'), '-p', String(pid)], { encoding: 'utf8' }).trim();

/** Whether any process currently has this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
