import { expect, test } from '#jest';
import { cachedCheck } from './cached-check.ts';

test('one result serves all callers within its lifetime, and while it is being computed', async () => {
  let at = 1_000;
  let reads = 0;
  const ask = cachedCheck(
    1_000,
    () => at,
    async () => ++reads,
  );
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  at += 999;
  expect(await ask()).toBe(1);
  at += 1;
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
  at -= 3_600_000;
  expect(await ask()).toBe(3);
});

test('a failure rejects the waiting callers, and the next caller retries', async () => {
  let fails = true;
  const ask = cachedCheck(
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
