import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { startBackgroundJob } from './background-job.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A job whose runs end as in `outcomes`, repeating the last one forever. */
function start(outcomes: readonly (boolean | Error)[], takesMs = 0) {
  const startedAt: number[] = [];
  const failures: unknown[] = [];
  const signals: AbortSignal[] = [];
  const job = startBackgroundJob({
    firstAfterMs: 10,
    everyMs: 100,
    maxPauseMs: 400,
    onFailure: (error) => failures.push(error),
    run: async (stopping) => {
      const outcome = outcomes[Math.min(startedAt.length, outcomes.length - 1)]!;
      startedAt.push(performance.now());
      signals.push(stopping);
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  return { job, startedAt, failures, signals };
}

test('runs are sequential, with a pause after the end of each', async () => {
  const { startedAt, job } = start([true], 30);
  await jest.advanceTimersByTimeAsync(300);
  expect(startedAt).toEqual([10, 140, 270]);
  await Promise.all([job.stop(), jest.advanceTimersByTimeAsync(100)]);
});

test('pauses grow while runs fail, whether they say so or reject, and shrink after a success', async () => {
  const fault = new Error('away');
  const { startedAt, failures, job } = start([fault, false, false, true, true]);
  await jest.advanceTimersByTimeAsync(1_300);
  expect(startedAt).toEqual([10, 210, 610, 1_010, 1_110, 1_210]);
  expect(failures).toEqual([fault]);
  await job.stop();
});

test('a stop aborts the run in progress, waits for it, and starts no other', async () => {
  const { startedAt, job, signals } = start([true], 50);
  await jest.advanceTimersByTimeAsync(20);
  let stopped = false;
  const stopping = job.stop().then(() => {
    stopped = true;
  });
  expect(signals[0]!.aborted).toBe(true);
  await jest.advanceTimersByTimeAsync(30);
  expect(stopped).toBe(false);
  await jest.advanceTimersByTimeAsync(1_000);
  await stopping;
  expect(startedAt).toHaveLength(1);
});

test('a job that is stopped before its first run never starts', async () => {
  const { startedAt, job } = start([true]);
  await job.stop();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(startedAt).toEqual([]);
});
