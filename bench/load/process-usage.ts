import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TICKS_PER_SECOND = 100;

interface Usage {
  readonly pid: number;
  readonly command: string;
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** CPU time of a `stat` file of a process or thread, in seconds. */
function cpuSecondsOf(statFile: string): number {
  const stat = readFileSync(statFile, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** CPU and memory of one process, from /proc (Linux). */
export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const residentKiB = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, 3).join(' ');
  const cpuSeconds = cpuSecondsOf(`/proc/${pid}/stat`);
  return { pid, command, cpuSeconds, residentMiB: Math.round(residentKiB / 1024) };
}

/** Anonymous memory of one process (not backed by a file), MiB: heaps, buffers, stacks (Linux). */
export function anonymousMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** CPU seconds of each thread of a process by its id; the main thread has the id of the process. */
export function threadSeconds(pid: number): Map<number, number> {
  const folder = `/proc/${pid}/task`;
  const seconds = new Map<number, number>();
  for (const thread of readdirSync(folder)) {
    const stat = path.join(folder, thread, 'stat');
    if (existsSync(stat)) seconds.set(Number(thread), cpuSecondsOf(stat));
  }
  return seconds;
}

export function childrenOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).flatMap((thread) => {
    const file = path.join(folder, thread, 'children');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  });
}

/** Usage of each process in `after` since `before`. */
export interface ProcessUse {
  readonly name: string;
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** `names`: by process id. */
export const usageBetween = (
  before: readonly Usage[],
  after: readonly Usage[],
  names: ReadonlyMap<number, string>,
): ProcessUse[] =>
  after.map(({ pid, command, cpuSeconds, residentMiB }) => ({
    name: names.get(pid) ?? path.basename(command.split(' ')[0] ?? ''),
    cpuSeconds: cpuSeconds - (before.find((one) => one.pid === pid)?.cpuSeconds ?? 0),
    residentMiB,
  }));
