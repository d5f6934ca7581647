import { describe, expect, test } from '#jest';
import { daysOfPage } from './signal-pages.ts';

const COUNTS = [
  { day: '2026-03-04', signals: 3 },
  { day: '2026-03-02', signals: 5 },
  { day: '2026-03-01', signals: 1 },
  { day: '2025-01-01', signals: 9 },
];
const DAYS = COUNTS.map(({ day }) => day);

describe('pages by number', () => {
  test.each([
    [0, 1, ['2026-03-04'], 0],
    [0, 3, ['2026-03-04'], 0],
    [0, 4, ['2026-03-04', '2026-03-02'], 0],
    [2, 2, ['2026-03-04', '2026-03-02'], 2],
    [3, 5, ['2026-03-02'], 0],
    [7, 1, ['2026-03-02'], 4],
    [8, 2, ['2026-03-01', '2025-01-01'], 0],
    [17, 20, ['2025-01-01'], 8],
    [18, 20, [], 0],
    [400, 20, [], 382],
  ])('skip %i rows, and read %i from these days', (offset, limit, days, inner) => {
    const older = DAYS.slice(days.length === 0 ? DAYS.length : DAYS.indexOf(days.at(-1)!) + 1);
    expect(daysOfPage(COUNTS, { offset, limit, after: null })).toEqual({ days, offset: inner, older });
  });
});

describe('pages after a cursor', () => {
  const pageAfter = (time: string, limit: number) =>
    daysOfPage(COUNTS, { offset: 0, limit, after: { createdAt: Date.parse(time), auditId: 'x' } });

  test('start with its day, whose rows may all lie before it', () => {
    expect(pageAfter('2026-03-02T00:00:00.000Z', 1)).toEqual({
      days: ['2026-03-02', '2026-03-01'],
      offset: 0,
      older: ['2025-01-01'],
    });
  });

  test('start with the next older day if its day has no rows', () => {
    expect(pageAfter('2026-03-03T23:59:59.999Z', 5)).toEqual({
      days: ['2026-03-02'],
      offset: 0,
      older: ['2026-03-01', '2025-01-01'],
    });
  });

  test('end when there is nothing older', () => {
    expect(pageAfter('2024-12-31T00:00:00.000Z', 5)).toEqual({ days: [], offset: 0, older: [] });
  });
});
