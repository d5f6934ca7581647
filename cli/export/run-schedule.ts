import { setTimeout as after } from 'node:timers/promises';
import { RequestFailed } from '../command/client.ts';
import { exportPeriods, OtherOptions, type ScheduledExport } from './export-periods.ts';
import { type PeriodLength, settledPeriods, untilNextPeriod } from './periods.ts';

interface Schedule {
  readonly every: PeriodLength;
  /** Unix ms: the first period is the one that includes it. */
  readonly since: number;
  /** Exports what is due, and then stops. */
  readonly once: boolean;
  readonly now: () => number;
  /** Called with a failure that is retried after this many ms. */
  readonly onFailure: (error: Error, afterMs: number) => void;
  readonly wait?: (ms: number, stop: AbortSignal) => Promise<void>;
}

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 15 * 60_000;
/** Timers are unreliable on machines that sleep: the clock is checked again after at most this long. */
const MAX_SLEEP_MS = 10 * 60_000;

/** Failures that waiting does not fix: an invalid key, an invalid filter, another schedule's destination. */
const isFinal = (error: unknown): boolean =>
  error instanceof OtherOptions ||
  (error instanceof RequestFailed && error.statusCode !== null && FINAL_STATUSES.includes(error.statusCode));
const FINAL_STATUSES = [400, 401, 403, 404];

/** Resolves early when stopped. */
const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  after(ms, undefined, { signal: stop }).catch(() => undefined);

/** Exports each period soon after its end until it is stopped; `once` throws where it would otherwise retry. */
export async function runSchedule(job: ScheduledExport, schedule: Schedule): Promise<void> {
  const { every, since, once, now, onFailure, wait = pause } = schedule;
  const { stop } = job;
  let from = since;
  let failures = 0;
  while (!stop.aborted) {
    const periods = settledPeriods(every, from, now());
    try {
      await exportPeriods(job, periods);
      failures = 0;
      // These are done; only the manifest of the last one is read again.
      from = periods.at(-1)?.to ?? from;
    } catch (error) {
      if (once || stop.aborted || isFinal(error)) throw error;
      const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20));
      failures += 1;
      onFailure(error as Error, pauseMs);
      await wait(pauseMs, stop);
      continue;
    }
    if (once) return;
    await wait(Math.min(MAX_SLEEP_MS, untilNextPeriod(every, now())), stop);
  }
}
