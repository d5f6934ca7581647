import { describe, expect, test } from '#jest';
import { lastSettled, MAX_PERIODS, SETTLED_AFTER_MS, settledPeriods, untilNextPeriod } from './periods.ts';

const NOON = Date.UTC(2026, 10, 25, 12);
const HOUR_MS = 3_600_000;

describe('periods', () => {
  test('range from the one that includes a time to the last settled one', () => {
    const since = NOON - 26 * HOUR_MS;
    expect(settledPeriods('day', since, NOON).map(({ name }) => name)).toEqual(['2026-11-24']);
    const hours = settledPeriods('hour', NOON - 2 * HOUR_MS + 1, NOON + SETTLED_AFTER_MS);
    expect(hours).toEqual([
      { name: '2026-11-25T10', from: NOON - 2 * HOUR_MS, to: NOON - HOUR_MS - 1 },
      { name: '2026-11-25T11', from: NOON - HOUR_MS, to: NOON - 1 },
    ]);
  });

  test('settle a while after their end, and never in the future', () => {
    expect(settledPeriods('hour', NOON - 1, NOON + SETTLED_AFTER_MS - 1)).toEqual([]);
    expect(settledPeriods('hour', NOON - 1, NOON + SETTLED_AFTER_MS)).toHaveLength(1);
    expect(settledPeriods('day', NOON + 99 * HOUR_MS, NOON)).toEqual([]);
    expect(untilNextPeriod('hour', NOON + SETTLED_AFTER_MS - 1)).toBe(1);
    expect(untilNextPeriod('hour', NOON + SETTLED_AFTER_MS)).toBe(HOUR_MS);
    expect(settledPeriods('day', lastSettled('day', NOON), NOON)).toHaveLength(1);
  });

  test('are limited in number', () => {
    const end = NOON + SETTLED_AFTER_MS;
    expect(settledPeriods('hour', end - SETTLED_AFTER_MS - MAX_PERIODS * HOUR_MS, end)).toHaveLength(
      MAX_PERIODS,
    );
    expect(() => settledPeriods('hour', 0, NOON)).toThrow(/Give a later --since/);
  });
});
