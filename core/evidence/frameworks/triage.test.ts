import { expect, test } from '#jest';
import { triageFacts } from './triage.ts';

const HOUR_MS = 3_600_000;
const AT = 1_000 * HOUR_MS;
const judged = (afterHours: number) => ({ openedAt: 0, judgedAt: afterHours * HOUR_MS });
const waiting = (hours: number) => ({ openedAt: AT - hours * HOUR_MS, judgedAt: null });

test('an incident is late when it was judged after three days, or has waited for longer', () => {
  expect(triageFacts([judged(72), judged(73), waiting(72), waiting(73)], AT)).toEqual({
    judged: 2,
    late: 2,
    medianMs: 72 * HOUR_MS,
  });
});

test('the median is that of the judged incidents, in any order', () => {
  expect(triageFacts([judged(9), judged(2), judged(4), waiting(1)], AT).medianMs).toBe(4 * HOUR_MS);
  expect(triageFacts([waiting(1)], AT)).toEqual({ judged: 0, late: 0, medianMs: null });
  expect(triageFacts([], AT)).toEqual({ judged: 0, late: 0, medianMs: null });
});
