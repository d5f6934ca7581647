import { readdirSync, readFileSync } from 'node:fs';

const KIB_PER_MIB = 1024;
const LOOK_EVERY_MS = 50;

/**
 * Memory of a process that the kernel cannot take back, MiB (Linux). Pages of files are not in it: the embedded log and
 * state are mapped, and what was read of them stays as long as there is room.
 */
function ownMemoryMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
  if (anonymous === undefined) throw new Error(`/proc/${pid}/status does not tell the memory of the process`);
  return Math.round(Number(anonymous) / KIB_PER_MIB);
}

/** Processes that a process has started and that are there. */
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
  /** Of the process that the service has started. */
  readonly engine: number;
}

/** Looks at the service's processes again and again; the returned function ends that and tells the peaks. */
export function watchMemory(servicePid: number): () => Memory {
  const engines = childrenOf(servicePid);
  let [service, engine] = [0, 0];
  const look = (): void => {
    service = Math.max(service, ownMemoryMiB(servicePid));
    engine = Math.max(engine, ...engines.map(ownMemoryMiB));
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
    return { service, engine };
  };
}
