import { expect, jest, test } from '#jest';
import type { AdmittedAudits } from '#platform/state/admitted-audits.ts';
import { StateUnavailable } from '#platform/state/port.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { createAdmittedCounts } from './admitted-counts.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

function counting() {
  const calls: AdmittedAudits[][] = [];
  let outcome = async (): Promise<void> => undefined;
  const counts = createAdmittedCounts({
    admission: {
      countAdmitted: (admitted) => {
        calls.push([...admitted]);
        return outcome();
      },
    },
    epoch: 3,
    logger: createLogger('silent'),
  });
  return {
    counts,
    calls,
    answer: (next: typeof outcome) => {
      outcome = next;
    },
  };
}

test('the audits of a second are one call, with one count per customer and minute', async () => {
  jest.useFakeTimers();
  try {
    const { counts, calls } = counting();
    counts.add('a', NOON + 5, 1);
    counts.add('b', NOON, 7);
    counts.add('a', NOON, 2);
    counts.add('a', NOON + 60_000, 1);
    expect(calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(calls).toEqual([
      [
        { customerId: 'a', epoch: 3, acceptedAt: NOON, count: 3 },
        { customerId: 'b', epoch: 3, acceptedAt: NOON, count: 7 },
        { customerId: 'a', epoch: 3, acceptedAt: NOON + 60_000, count: 1 },
      ],
    ]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(calls).toHaveLength(1);
    counts.add('a', NOON, 1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(calls).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});

test('a count is never written again when the outcome of its write is unknown', async () => {
  const { counts, calls, answer } = counting();
  answer(async () => {
    throw new StateUnavailable('the answer was lost');
  });
  counts.add('a', NOON, 1);
  await counts.write();
  answer(async () => undefined);
  await counts.write();
  counts.add('a', NOON, 1);
  await counts.write();
  expect(calls.map((call) => call.map(({ count }) => count))).toEqual([[1], [1]]);
});

test('a write waits for the previous one, and new counts go into the next', async () => {
  const { counts, calls, answer } = counting();
  let release = (): void => undefined;
  answer(
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  counts.add('a', NOON, 1);
  const first = counts.write();
  await new Promise(setImmediate);
  counts.add('a', NOON, 2);
  const second = counts.write();
  await new Promise(setImmediate);
  expect(calls).toHaveLength(1);
  answer(async () => undefined);
  release();
  await Promise.all([first, second]);
  expect(calls.map((call) => call[0]?.count)).toEqual([1, 2]);
});

test('memory stays limited while the state does not answer', async () => {
  const { counts, calls, answer } = counting();
  let release = (): void => undefined;
  answer(
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  counts.add('first', NOON, 1);
  const first = counts.write();
  await new Promise(setImmediate);
  for (let n = 0; n < 20_010; n += 1) counts.add(`customer ${n}`, NOON, 1);
  counts.add('customer 0', NOON, 1);
  const second = counts.write();
  answer(async () => undefined);
  release();
  await Promise.all([first, second]);
  expect(calls.map((call) => call.length)).toEqual([1, 20_000]);
  expect(calls[1]?.[0]).toMatchObject({ customerId: 'customer 0', count: 2 });
});
