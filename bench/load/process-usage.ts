import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TICKS_PER_SECOND = 100;

export interface Usage {
  readonly pid: number;
  readonly command: string;
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** CPU and memory of one process, from /proc (Linux). */
export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const residentKiB = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, 3).join(' ');
  return { pid, command, cpuSeconds: ticks / TICKS_PER_SECOND, residentMiB: Math.round(residentKiB / 1024) };
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
}

/** CPU and memory of a process and its children, from /proc (Linux). */
export function processUsage(pid: number): Usage[] {
  return [usageOf(pid), ...childrenOf(pid).flatMap(processUsage)];
}

/** What each process of `after` used since `before`, a line each; `names` by process id. */
export const usageBetween = (
  before: readonly Usage[],
  after: readonly Usage[],
  seconds: number,
  names: ReadonlyMap<number, string> = new Map(),
): string[] =>
  after.map((usage) => {
    const cpu = (usage.cpuSeconds - (before.find(({ pid }) => pid === usage.pid)?.cpuSeconds ?? 0)) / seconds;
    const name = names.get(usage.pid) ?? path.basename(usage.command.split(' ')[0] ?? '');
    return `${name}: ${(cpu * 100).toFixed(0)} % of a core, ${usage.residentMiB} MiB`;
  });
