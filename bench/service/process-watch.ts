import { diskBytes } from '../load/disk-usage.ts';
import { anonymousMiB, threadSeconds, usageOf } from '../load/process-usage.ts';

const SAMPLE_MS = 1_000;

interface Peak {
  /** Largest resident memory, and largest memory that no file stands behind. */
  readonly residentMiB: number;
  readonly anonymousMiB: number;
  /** CPU seconds of the thread that used most. */
  readonly busiestThreadSeconds: number;
}

/** Reads processes once a second until the returned function is called. */
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

/** Bytes by which each folder has grown when the returned function is called, by name. */
export function watchFolders(folders: ReadonlyMap<string, string>): () => ReadonlyMap<string, number> {
  const before = new Map([...folders].map(([name, folder]) => [name, diskBytes(folder)]));
  return () => new Map([...folders].map(([name, folder]) => [name, diskBytes(folder) - before.get(name)!]));
}
