import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { DAY_MS, HOUR_MS } from '../state/rules.ts';
import { addTo, emptySeries, type Series } from '../state/series.ts';
import { BEGIN_MS } from '../testing/ledger.ts';
import { expectationOf, historyDays, leastMean } from './baseline.ts';

const FIRST_HOUR = BEGIN_MS / HOUR_MS;
const START = BEGIN_MS + 28 * DAY_MS;

/** 28 days of hourly counts. */
function seriesOf(countOf: (hour: number, day: number) => number): Series {
  const series = emptySeries();
  for (let hour = 0; hour < 28 * 24; hour += 1) {
    const count = countOf(hour % 24, Math.floor(hour / 24));
    if (count > 0) addTo(series, FIRST_HOUR + hour, count);
  }
  return series;
}

describe('the expected count of a window', () => {
  test('matches steady traffic, for any length of window', () => {
    const steady = seriesOf(() => 8);
    for (const [lengthMs, expected] of [
      [HOUR_MS, 8],
      [HOUR_MS / 4, 2],
      [DAY_MS, 192],
      [1.5 * HOUR_MS, 12],
    ] as const)
      expect(expectationOf(steady, START, lengthMs, 28).mean / expected).toBeCloseTo(1, 1);
    // A window that does not start on the hour takes shares of two hours.
    expect(expectationOf(steady, START + HOUR_MS / 2, HOUR_MS, 28).mean / 8).toBeCloseTo(1, 1);
  });

  test('follows the hour and the weekday', () => {
    const rhythm = seriesOf((hour, day) => (day % 7 === 0 && hour === 9 ? 40 : hour < 12 ? 10 : 2));
    const at = (hour: number, day = 0): number =>
      expectationOf(rhythm, START + day * DAY_MS + hour * HOUR_MS, HOUR_MS, 28).mean;
    expect(at(9)).toBeGreaterThan(27);
    expect(at(9, 1)).toBeLessThan(15);
    expect(at(20)).toBeLessThan(3);
  });

  test('is small but not 0 for a key never seen before', () => {
    const { mean, size } = expectationOf(emptySeries(), START, HOUR_MS, 28);
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThan(0.1);
    expect(size).toBeGreaterThan(0);
  });

  test('is less certain when days vary, and a single burst does not count as variation', () => {
    const sizeOf = (series: Series): number => expectationOf(series, START + 9 * HOUR_MS, HOUR_MS, 28).size;
    const steady = sizeOf(seriesOf(() => 20));
    const restless = sizeOf(seriesOf((_, day) => (day % 2 === 0 ? 5 : 35)));
    const once = sizeOf(seriesOf((hour, day) => (day === 12 && hour === 9 ? 500 : 20)));
    expect(restless).toBeLessThan(steady / 4);
    expect(once).toBeGreaterThan(steady / 4);
  });

  test('does not depend on signals after the start of the window, or more than 28 days before it', () => {
    const series = seriesOf(() => 3);
    const before = expectationOf(series, START, HOUR_MS, 28);
    addTo(series, START / HOUR_MS, 1_000);
    addTo(series, FIRST_HOUR - 1, 1_000);
    expect(expectationOf(series, START, HOUR_MS, 28)).toEqual(before);
  });
});

test('the least mean never exceeds the mean, for any series, window and number of days', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(28 * 24 - 1), fc.integer({ min: 1, max: 500 })), { maxLength: 300 }),
      fc.integer({ min: 5, max: 1_440 }),
      fc.nat(600),
      fc.integer({ min: 7, max: 28 }),
      (counts, minutes, windows, days) => {
        const series = emptySeries();
        for (const [hour, count] of counts) addTo(series, FIRST_HOUR + hour, count);
        const lengthMs = minutes * 60_000;
        // Windows are aligned to the epoch, not to hours.
        const start = Math.floor(START / lengthMs) * lengthMs - windows * lengthMs;
        const { mean } = expectationOf(series, start, lengthMs, days);
        expect(leastMean(series, start, lengthMs, days)).toBeLessThanOrEqual(mean);
      },
    ),
    { numRuns: 500 },
  );
  // And close to it where all weeks are alike.
  const steady = seriesOf(() => 8);
  expect(leastMean(steady, START, HOUR_MS, 28)).toBeGreaterThan(5);
});

test('a history shorter than a week does not count, and is capped at 28 days', () => {
  expect(historyDays(FIRST_HOUR, BEGIN_MS + 7 * DAY_MS - 1)).toBeNull();
  expect(historyDays(FIRST_HOUR, BEGIN_MS + 7 * DAY_MS)).toBe(7);
  expect(historyDays(FIRST_HOUR, BEGIN_MS + 90 * DAY_MS)).toBe(28);
  expect(historyDays(Number.POSITIVE_INFINITY, START)).toBeNull();
});
