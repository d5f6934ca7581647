import { describe, expect, test } from '#jest';
import { periodIn } from './period.ts';

const NOW = Date.parse('2026-11-22T14:03:21.987Z');
const of = (text: string) => periodIn(new URLSearchParams(text), NOW, '24h');

describe('the period of an address', () => {
  test('moves with the clock, by whole minutes', () => {
    expect(of('range=1h')).toEqual({ range: '1h', from: '2026-11-22T13:03:00.000Z', to: undefined });
  });

  test('is fixed when from and to are given, whatever the range says', () => {
    expect(of('from=2026-11-01&range=1h')).toEqual({
      range: null,
      from: '2026-11-01T00:00:00.000Z',
      to: undefined,
    });
  });

  test('ends at the last millisecond of a day, as in the API', () => {
    const day = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-01T23:59:59.999Z' };
    expect(of('from=2026-11-01&to=2026-11-01')).toMatchObject(day);
    expect(of('to=2026-11-01T10:30Z')).toMatchObject({ to: '2026-11-01T10:30:00.000Z' });
  });

  test.each(['', 'range=2y', 'range=__proto__', 'from=soon', 'range='])('%j is the default', (text) =>
    expect(of(text).range).toBe('24h'),
  );

  test('is all time if a page has no default', () =>
    expect(periodIn(new URLSearchParams(), NOW, null)).toEqual({
      range: null,
      from: undefined,
      to: undefined,
    }));
});
