import { appendFileSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the service's process by a benchmark (`node --import`): writes to the file named by `STALLS_FILE` each
 * time during which the event loop was blocked, and each garbage collection pause, in ms of the machine's monotonic
 * clock. Idle time does not count: it is subtracted as the runtime measures it. Each block also has the time for which
 * the thread was waiting for a core, because on a shared machine that may be most of it.
 */
export type StallLine = readonly ['stall' | 'gc', from: number, to: number, coreless: number];

const LEAST_MS = 3;
const WRITE_EVERY_MS = 100;

/** Offset to add to `performance.now()`, for the same clock in all processes. */
export const clockOrigin = (): number => Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds that this thread has waited for a core since it began (Linux; elsewhere 0). */
function corelessClock(): () => number {
  if (process.platform !== 'linux') return () => 0;
  const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(128);
  return () => {
    const length = readSync(schedstat, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  };
}

function sample(file: string): void {
  const origin = clockOrigin();
  const lines: StallLine[] = [];
  const coreless = corelessClock();
  let before = performance.eventLoopUtilization();
  let corelessBefore = coreless();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const busyMs = now.active - before.active;
    const corelessNow = coreless();
    if (busyMs >= LEAST_MS) {
      const at = origin + performance.now();
      lines.push(['stall', at - busyMs, at, Math.min(busyMs, corelessNow - corelessBefore)]);
    }
    before = now;
    corelessBefore = corelessNow;
    // Unreferenced, it runs once per turn without keeping the loop alive.
    setImmediate(look).unref();
  };
  look();
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      lines.push(['gc', origin + startTime, origin + startTime + duration, 0]);
  }).observe({ entryTypes: ['gc'] });
  const write = (): void => {
    if (lines.length === 0) return;
    appendFileSync(
      file,
      lines
        .splice(0)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
  };
  setInterval(write, WRITE_EVERY_MS).unref();
  process.once('exit', write);
}

const { STALLS_FILE } = process.env;
const isService = isMainThread && process.argv[2] === 'start';
if (STALLS_FILE !== undefined && isService) sample(STALLS_FILE);
