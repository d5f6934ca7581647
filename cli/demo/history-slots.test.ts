import { expect, test } from '#jest';
import { HISTORY_DAYS, historySlots } from './history-slots.ts';

const DAY_MS = 86_400_000;
/** Monday to Sunday of one week, at noon. */
const WEEK = Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 10, 23 + day, 12));
const CUSTOMER = '01a22dd4-9be8-7213-b4d1-6741670c6222';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

test('a history is the same for the same customer and time, and differs for another customer', () => {
  const [until] = WEEK;
  expect(historySlots(CUSTOMER, until!)).toEqual(historySlots(CUSTOMER, until!));
  const own = new Set(historySlots(CUSTOMER, until!).map(({ auditId }) => auditId));
  const others = historySlots('another', until!).filter(({ auditId }) => own.has(auditId));
  expect(others).toEqual([]);
});

test.each(WEEK)('ending on any day (%d), it covers the 30 days before and has one burst', (until) => {
  const slots = historySlots(CUSTOMER, until);
  expect(slots.length).toBeGreaterThan(1_000);
  expect(slots.length).toBeLessThan(2_500);
  expect(new Set(slots.map(({ auditId }) => auditId)).size).toBe(slots.length);
  for (const { auditId, at } of slots) {
    expect(auditId).toMatch(UUID);
    expect(at).toBeLessThan(until);
    expect(at).toBeGreaterThan(until - (HISTORY_DAYS + 1) * DAY_MS);
  }
  const secrets = new Map<number, number>();
  for (const { content, at } of slots) {
    if (content !== 'SECRET') continue;
    const hour = Math.floor(at / 3_600_000);
    secrets.set(hour, (secrets.get(hour) ?? 0) + 1);
  }
  const [[burst, count]] = [...secrets].sort(([, one], [, other]) => other - one) as [[number, number]];
  expect(count).toBeGreaterThanOrEqual(36);
  expect([0, 6]).not.toContain(new Date(burst * 3_600_000).getUTCDay());
});
