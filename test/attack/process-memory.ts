import { readdirSync, readFileSync } from 'node:fs';

const KIB_PER_MIB = 1024;
const SAMPLE_EVERY_MS = 50;

/**
 * Memory of a process that the kernel cannot reclaim, MiB (Linux). Excludes file pages: the embedded log and state are
 * memory-mapped, and pages that were read stay cached while there is room.
 */
function ownMemoryMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
  if (anonymous === undefined) throw new Error(`/proc/${pid}/status does not tell the memory of the process`);
  return Math.round(Number(anonymous) / KIB_PER_MIB);
}

/** Live child processes of a process. */
const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );

/** Peaks, MiB. */
export interface Memory {
  readonly service: number;
  /** Of the child process. */
  readonly engine: number;
}

/** Samples the memory of the service's processes; the returned function stops that and returns the peaks. */
export function watchMemory(servicePid: number): () => Memory {
  const engines = childrenOf(servicePid);
  let [service, engine] = [0, 0];
  const sample = (): void => {
    service = Math.max(service, ownMemoryMiB(servicePid));
    engine = Math.max(engine, ...engines.map(ownMemoryMiB));
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  return () => {
    clearInterval(timer);
    sample();
    return { service, engine };
  };
}
