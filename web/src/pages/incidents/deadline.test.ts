import { expect, test } from '#jest';
import { byDeadline, deadlineOf } from './deadline.ts';

const [EARLY, LATE] = ['2026-11-03T00:00:00.000Z', '2026-11-09T00:00:00.000Z'];

test('the earlier date counts, and an ended incident has none', () => {
  const of = (notifyBy: string | null, dueAt: string | null, status: 'OPEN' | 'CLOSED' = 'OPEN') =>
    deadlineOf({ status, notifyBy, dueAt });
  expect(of(EARLY, LATE)).toEqual({ at: EARLY, kind: 'tell' });
  expect(of(LATE, EARLY)).toEqual({ at: EARLY, kind: 'due' });
  expect(of(EARLY, EARLY)).toEqual({ at: EARLY, kind: 'tell' });
  expect(of(null, LATE)).toEqual({ at: LATE, kind: 'due' });
  expect([of(null, null), of(EARLY, EARLY, 'CLOSED')]).toEqual([null, null]);
});

test('the nearest deadline comes first', () => {
  const rows = [
    { status: 'OPEN', notifyBy: LATE, dueAt: null },
    { status: 'DISMISSED', notifyBy: EARLY, dueAt: null },
    { status: 'RESOLVED', notifyBy: null, dueAt: EARLY },
  ] as const;
  expect(byDeadline(rows).map(({ row }) => row.status)).toEqual(['RESOLVED', 'OPEN']);
});
