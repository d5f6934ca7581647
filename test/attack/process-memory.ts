import { readdirSync, readFileSync } from 'node:fs';

const KIB_PER_MIB = 1024;

/** The most memory that a process ever had resident, MiB (Linux). */
export function peakMemoryMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (peak === undefined) throw new Error(`/proc/${pid}/status does not tell the peak of the memory`);
  return Math.round(Number(peak) / KIB_PER_MIB);
}

/** Processes that a process has started and that are there. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
