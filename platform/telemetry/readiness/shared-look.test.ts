import { expect, test } from '#jest';
import { sharedLook } from './shared-look.ts';

test('one look serves everybody who asks within its time, also while it is made', async () => {
  let at = 1_000;
  let looks = 0;
  const ask = sharedLook(
    1_000,
    () => at,
    async () => ++looks,
  );
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  at += 999;
  expect(await ask()).toBe(1);
  at += 1;
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
  at -= 3_600_000;
  expect(await ask()).toBe(3);
});

test('a look that failed is told to those who waited for it, and made again for the next one', async () => {
  let fails = true;
  const ask = sharedLook(
    1_000,
    () => 0,
    async () => {
      if (fails) throw new Error('boom');
      return 'found';
    },
  );
  const both = await Promise.allSettled([ask(), ask()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await ask()).toBe('found');
});
