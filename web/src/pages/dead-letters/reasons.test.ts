import { expect, test } from '#jest';
import { byReason } from './reasons.ts';

test('rows of one reason become one card, with the oldest time and the sandboxes by count', () => {
  const cards = byReason([
    { reason: 'CRASHED', sandboxSlug: 'a', count: 3, oldestAt: '2026-11-02T00:00:00.000Z' },
    { reason: 'LOST', sandboxSlug: 'a', count: 2, oldestAt: '2026-11-03T00:00:00.000Z' },
    { reason: 'LOST', sandboxSlug: 'b', count: 4, oldestAt: '2026-11-01T00:00:00.000Z' },
  ]);
  expect(cards).toEqual([
    {
      reason: 'LOST',
      count: 6,
      oldestAt: '2026-11-01T00:00:00.000Z',
      sandboxes: [
        { slug: 'b', count: 4 },
        { slug: 'a', count: 2 },
      ],
    },
    {
      reason: 'CRASHED',
      count: 3,
      oldestAt: '2026-11-02T00:00:00.000Z',
      sandboxes: [{ slug: 'a', count: 3 }],
    },
  ]);
});

test('no failures make no card', () => expect(byReason([])).toEqual([]));
