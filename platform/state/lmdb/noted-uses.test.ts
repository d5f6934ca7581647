import { expect, test } from '#jest';
import { createNotedUses } from './noted-uses.ts';

test('a use is recorded once a minute, for a limited number of keys', () => {
  const uses = createNotedUses(3);
  const noted = (keys: string, minute: number): string =>
    [...keys].filter((key) => uses.isNew(key, minute)).join('');
  expect(noted('aabbcc', 1)).toBe('abc');
  expect(noted('abc', 2)).toBe('abc');
  expect(noted('d', 2)).toBe('d');
  // The oldest key was evicted, so it is written once more, which is harmless.
  expect(noted('bcd', 2)).toBe('');
  expect(noted('a', 2)).toBe('a');
  expect(uses.size()).toBe(3);
});
