import { setTimeout as after } from 'node:timers/promises';
import { RequestFailed } from '../command/client.ts';
import { exportPeriods, OtherOptions, type ScheduledExport } from './export-periods.ts';
import { type PeriodLength, settledPeriods, untilNextPeriod } from './periods.ts';

interface Schedule {
  readonly every: PeriodLength;
  /** Unix ms: the first period is the one that holds it. */
  readonly since: number;
  /** What is due is exported, and no more. */
  readonly once: boolean;
  readonly now: () => number;
  /** A failure that is tried again after so many ms. */
  readonly onFailure: (error: Error, afterMs: number) => void;
  readonly wait?: (ms: number, stop: AbortSignal) => Promise<void>;
}

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 15 * 60_000;
/** Timers go wrong with machines that sleep: so often it looks at the clock again. */
const MAX_SLEEP_MS = 10 * 60_000;

/** What will not go away by waiting: a key that is none, a filter that is none, a place of another schedule. */
const isFinal = (error: unknown): boolean =>
  error instanceof OtherOptions ||
  (error instanceof RequestFailed && error.statusCode !== null && FINAL_STATUSES.includes(error.statusCode));
const FINAL_STATUSES = [400, 401, 403, 404];

/** Resolves when it was stopped. */
const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  after(ms, undefined, { signal: stop }).catch(() => undefined);

/** Exports each period soon after its end until it is stopped; `once` throws where the others try again. */
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
      // Those are done; of the last one the manifest is looked at again.
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
