import { threadSeconds, usageOf } from '../load/process-usage.ts';

const SAMPLE_MS = 1_000;

interface Peak {
  /** Largest resident memory. */
  readonly residentMiB: number;
  /** CPU seconds of the thread that used most. */
  readonly busiestThreadSeconds: number;
}

/** Looks at processes once a second until the returned function is called. */
export function watchProcesses(pids: readonly number[]): () => ReadonlyMap<number, Peak> {
  const before = new Map(pids.map((pid) => [pid, threadSeconds(pid)]));
  const resident = new Map<number, number>();
  const look = (): void => {
    for (const pid of pids) resident.set(pid, Math.max(resident.get(pid) ?? 0, usageOf(pid).residentMiB));
  };
  look();
  const timer = setInterval(look, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    look();
    return new Map(
      pids.map((pid) => {
        const used = [...threadSeconds(pid)].map(
          ([thread, seconds]) => seconds - (before.get(pid)?.get(thread) ?? 0),
        );
        return [pid, { residentMiB: resident.get(pid)!, busiestThreadSeconds: Math.max(0, ...used) }];
      }),
    );
  };
}
