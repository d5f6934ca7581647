import { expect, test } from '#jest';
import { axisTime, clockTime, duration, fullTime, relativeTime, span } from './times.ts';

const AT = '2026-11-22T14:03:21.987Z';

test('a time is in UTC and says so', () => {
  expect(fullTime(AT)).toBe('2026-11-22 14:03:21 UTC');
  expect(clockTime(AT)).toBe('14:03:21 UTC');
});

test('an axis names the day where it starts', () =>
  expect([AT, '2026-11-23T00:00:00.000Z'].map(axisTime)).toEqual(['14:03', '11-23']));

test('invalid times are shown unchanged', () => expect(fullTime('<b>soon</b>')).toBe('<b>soon</b>'));

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [7_199, '1 h'],
  [200_000, '2 d'],
  [-3, '0 s'],
])('%d seconds are %s', (seconds, shown) => expect(duration(seconds)).toBe(shown));

test('says how long ago a time was, or how soon it is', () => {
  const now = new Date(AT).getTime();
  expect(relativeTime(AT, now + 7_000)).toBe('7 s ago');
  expect(relativeTime(AT, now - 3_600_000)).toBe('in 1 h');
  expect(relativeTime('soon', now)).toBe('');
});

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [3_456, '3.4 s'],
  [59_999, '59.9 s'],
  [61_000, '1 min'],
])('%d ms are %s', (ms, shown) => expect(span(ms)).toBe(shown));
