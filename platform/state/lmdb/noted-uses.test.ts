import { expect, test } from '#jest';
import { createNotedUses } from './noted-uses.ts';

test('a use is noted once a minute, and however many keys are used, so many are remembered', () => {
  const uses = createNotedUses(3);
  const noted = (keys: string, minute: number): string =>
    [...keys].filter((key) => uses.isNew(key, minute)).join('');
  expect(noted('aabbcc', 1)).toBe('abc');
  expect(noted('abc', 2)).toBe('abc');
  expect(noted('d', 2)).toBe('d');
  // The oldest one was evicted: it is written once more, which does no harm.
  expect(noted('bcd', 2)).toBe('');
  expect(noted('a', 2)).toBe('a');
  expect(uses.size()).toBe(3);
});
