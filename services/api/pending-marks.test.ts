import { PLAN_LIMITS } from '#core/plans/plans.ts';
import { expect, test } from '#jest';
import { PENDING_MARK_MS } from '#platform/state/port.ts';
import { LARGEST_MARK_BYTES, MAX_PENDING_MARKS } from '#platform/state/redis/pending-marks.ts';
import { ITEMS_PER_RATE_TOKEN } from '#schemas/api/audit-batch.ts';
import { PLANS, type Plan } from '#schemas/vocabulary.ts';

const MAX_BYTES = 256 * 2 ** 20;

/**
 * Marks that a customer may set while none is removed, by its rate and its quota (of two months, at the turn of a
 * month).
 */
function byRateAndTime(plan: Plan): number {
  const { ratePerSecond, burst, auditQuota } = PLAN_LIMITS[plan];
  const byRate = (burst + (ratePerSecond * PENDING_MARK_MS) / 1000) * ITEMS_PER_RATE_TOKEN;
  return Math.min(byRate, 2 * (auditQuota ?? Number.POSITIVE_INFINITY));
}

test.each(PLANS.map((plan) => [plan] as const))(
  'a customer of %s takes no more than 256 MiB of Redis with its pending marks',
  (plan) => {
    const marks = Math.min(byRateAndTime(plan), MAX_PENDING_MARKS);
    expect(marks * LARGEST_MARK_BYTES).toBeLessThanOrEqual(MAX_BYTES);
  },
);

test('rate and time alone would allow pending marks more memory', () => {
  expect(byRateAndTime('DEV')).toBe(2_000);
  expect(byRateAndTime('PRO') * LARGEST_MARK_BYTES).toBeGreaterThan(MAX_BYTES);
});
