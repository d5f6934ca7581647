import { expect, test } from '#jest';
import { groupBy } from './group-by.ts';

test('groups items by key in order of first occurrence, and keeps their order', () => {
  const groups = groupBy([3, 1, 4, 1, 5, 9, 2], (number) => (number % 2 === 0 ? 'even' : 'odd'));
  expect([...groups]).toEqual([
    ['odd', [3, 1, 1, 5, 9]],
    ['even', [4, 2]],
  ]);
  expect(groupBy(new Set<string>(), (text) => text).size).toBe(0);
});
