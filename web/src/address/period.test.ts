import { describe, expect, test } from '@jest/globals';
import { intervalOf, periodIn, RANGE_NAMES } from './period.ts';

const NOW = Date.parse('2026-11-22T14:03:21.987Z');
const of = (text: string) => periodIn(new URLSearchParams(text), NOW, '24h');

describe('the period of an address', () => {
  test('moves with the clock, by whole minutes', () => {
    expect(of('range=1h')).toEqual({ range: '1h', from: '2026-11-22T13:03:00.000Z', to: undefined });
  });

  test('stands still where its ends are given, whatever range is beside them', () => {
    expect(of('from=2026-11-01&range=1h')).toEqual({
      range: null,
      from: '2026-11-01T00:00:00.000Z',
      to: undefined,
    });
  });

  test.each(['', 'range=2y', 'range=__proto__', 'from=soon', 'range='])('%j is the default', (text) =>
    expect(of(text).range).toBe('24h'),
  );

  test('is all time where a page has no default', () =>
    expect(periodIn(new URLSearchParams(), NOW, null)).toEqual({
      range: null,
      from: undefined,
      to: undefined,
    }));
});

describe('the interval of a series', () => {
  test('is as fine as bars can be told apart', () => {
    const names = RANGE_NAMES.map((range) => intervalOf(of(`range=${range}`), NOW).interval);
    expect(names).toEqual(['minute', 'minute', 'hour', 'hour', 'day', 'day']);
  });

  test('of years is a day, and of all time too', () => {
    expect(intervalOf(of('from=2020-01-01'), NOW).interval).toBe('day');
    expect(intervalOf({ range: null, from: undefined, to: undefined }, NOW).interval).toBe('day');
  });
});
