import { diskBytes } from '../load/disk-usage.ts';
import { anonymousMiB, threadSeconds, usageOf } from '../load/process-usage.ts';

const SAMPLE_MS = 1_000;

interface Peak {
  /** Peak resident memory, and peak anonymous memory (not backed by a file). */
  readonly residentMiB: number;
  readonly anonymousMiB: number;
  /** CPU seconds of the busiest thread. */
  readonly busiestThreadSeconds: number;
}

/** Samples processes once a second until the returned function is called. */
export function watchProcesses(pids: readonly number[]): () => ReadonlyMap<number, Peak> {
  const before = new Map(pids.map((pid) => [pid, threadSeconds(pid)]));
  const resident = new Map<number, number>();
  const anonymous = new Map<number, number>();
  const read = (): void => {
    for (const pid of pids) {
      resident.set(pid, Math.max(resident.get(pid) ?? 0, usageOf(pid).residentMiB));
      anonymous.set(pid, Math.max(anonymous.get(pid) ?? 0, anonymousMiB(pid)));
    }
  };
  read();
  const timer = setInterval(read, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    read();
    const busiest = (pid: number): number =>
      Math.max(
        0,
        ...[...threadSeconds(pid)].map(([thread, seconds]) => seconds - (before.get(pid)?.get(thread) ?? 0)),
      );
    return new Map(
      pids.map((pid) => [
        pid,
        {
          residentMiB: resident.get(pid)!,
          anonymousMiB: anonymous.get(pid)!,
          busiestThreadSeconds: busiest(pid),
        },
      ]),
    );
  };
}

/** The returned function returns the growth of each folder in bytes, by name. */
export function watchFolders(folders: ReadonlyMap<string, string>): () => ReadonlyMap<string, number> {
  const before = new Map([...folders].map(([name, folder]) => [name, diskBytes(folder)]));
  return () => new Map([...folders].map(([name, folder]) => [name, diskBytes(folder) - before.get(name)!]));
}
