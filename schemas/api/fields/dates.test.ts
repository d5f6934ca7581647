import { describe, expect, test } from '#jest';
import { isTime } from '../../time.ts';
import { parseDate } from './dates.ts';

const iso = (text: string, end = false): string | null => {
  const at = parseDate(text, end);
  return at === null ? null : new Date(at).toISOString();
};

describe('dates', () => {
  test.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2026-02-28T10:00:00Z', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['2026-02-28T10:00', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['2026-02-28T10:00:00.123456+02:00', '2026-02-28T08:00:00.123Z', '2026-02-28T08:00:00.123Z'],
    ['0001-01-01', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31', '2298-12-31T23:59:59.999Z', '2298-12-31T23:59:59.999Z'],
  ])('%s', (text, from, to) => {
    expect([iso(text), iso(text, true)]).toEqual([from, to]);
    // Requested dates are also stored in entries.
    expect([from, to].every(isTime)).toBe(true);
  });

  test.each([
    '',
    'today',
    '2026',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '2026-02-28T25:00',
    '1790000000',
    '2026-02-28 10:00',
  ])('rejects %j', (text) => {
    expect(iso(text)).toBeNull();
  });
});
