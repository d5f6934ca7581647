import { expect, test } from '#jest';
import { MAX_PAGES, nextPage } from './next-page.ts';

test('the list continues by the cursor, and ends at the maximum number of pages', () => {
  expect(nextPage('c', 1, false)).toBe('c');
  expect(nextPage(null, 1, true)).toBeNull();
  expect(nextPage('c', MAX_PAGES - 1, false)).toBe('c');
  expect(nextPage('c', MAX_PAGES, false)).toBeNull();
  expect(nextPage('c', MAX_PAGES, true)).toBe('c');
});
