import { beforeEach, describe, expect, jest, test } from '#jest';
import type { PendingMark } from '#platform/state/pending-mark.ts';
import { awaitAudit } from '../operations/read-audit.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const NOW = Date.parse('2026-01-01T00:00:10.000Z');
const markOf = (acceptedAt: number): PendingMark => ({
  acceptedAt,
  sandboxId: 'sandbox',
  sandboxSlug: 'support',
  provider: 'openai',
  model: 'm',
});

describe('a waiting answer', () => {
  let mark: PendingMark | null;
  let status: string | null;
  let reads: number;
  let notify: () => void;
  let readMark: () => PendingMark | null;
  beforeEach(() => {
    [mark, status, reads] = [markOf(NOW - 500), null, 0];
    readMark = () => mark;
  });

  const held = (notified: boolean, seconds: number) => {
    const row = () => ({
      auditId: ID,
      status,
      violations: [],
      steps: '',
      acceptedAt: '2026-01-01T00:00:00.000Z',
    });
    const warehouse = {
      query: async () => {
        reads += 1;
        return status === null ? [] : [row()];
      },
    };
    const onStored = (_id: string, listener: () => void) => {
      notify = listener;
      return () => undefined;
    };
    return awaitAudit(
      {
        state: { admission: { pendingMark: async () => readMark() } },
        warehouse,
        log: {},
        now: () => NOW,
        ...(notified ? { onStored } : {}),
      } as never,
      'customer',
      ID,
      seconds,
      new AbortController().signal,
    );
  };
  /** Lets reads in progress end. */
  const turns = () => new Promise((resolve) => setImmediate(resolve));

  test('reads the warehouse once when the final state is reported as stored, even if the mark remains', async () => {
    const answer = held(true, 30);
    await turns();
    expect(reads).toBe(0);
    status = 'COMPLETED';
    notify();
    expect(await answer).toMatchObject({ status: 'COMPLETED' });
    expect(reads).toBe(1);
  });

  test('reads the warehouse once the mark is gone', async () => {
    const answer = held(false, 30);
    await turns();
    expect(reads).toBe(0);
    [status, mark] = ['COMPLETED', null];
    expect(await answer).toMatchObject({ status: 'COMPLETED' });
    expect(reads).toBe(1);
  });

  test('reads the warehouse when the time is up', async () => {
    status = 'COMPLETED';
    expect(await held(true, 0)).toMatchObject({ status: 'COMPLETED' });
  });

  test('never waits for a negative time when the deadline passes during a read', async () => {
    jest.useFakeTimers();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      readMark = () => {
        jest.advanceTimersByTime(2_000);
        return mark;
      };
      const answer = held(false, 1);
      await jest.advanceTimersByTimeAsync(100);
      expect(await answer).toMatchObject({ status: 'QUEUED' });
      expect(timers.mock.calls.length).toBeGreaterThan(0);
      for (const [, delayMs] of timers.mock.calls) expect(delayMs).toBeGreaterThanOrEqual(0);
    } finally {
      timers.mockRestore();
      jest.useRealTimers();
    }
  });

  test.each([-3_600_000, 3_600_000])('reads at once if the mark is from another hour (%d ms)', async (by) => {
    [mark, status] = [markOf(NOW + by), 'COMPLETED'];
    expect(await held(true, 30)).toMatchObject({ status: 'COMPLETED' });
  });

  test.each([
    { notified: false, atMost: 8 },
    { notified: true, atMost: 5 },
  ])('polls less and less often for a slow audit, $notified', async ({ notified, atMost }) => {
    jest.useFakeTimers();
    try {
      mark = markOf(NOW - 60_000);
      const answer = held(notified, 30);
      await jest.advanceTimersByTimeAsync(29_000);
      expect(reads).toBeGreaterThan(1);
      expect(reads).toBeLessThanOrEqual(atMost);
      status = 'COMPLETED';
      await jest.advanceTimersByTimeAsync(1_000);
      expect(await answer).toMatchObject({ status: 'COMPLETED' });
    } finally {
      jest.useRealTimers();
    }
  });
});
