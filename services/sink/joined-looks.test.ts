import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { joinedLooks } from './joined-looks.ts';

/** Looks that are answered one by one, by hand. */
function looksByHand() {
  const looks: { readonly keys: readonly number[]; answer(): void; fail(): void }[] = [];
  const ask = joinedLooks<number, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        looks.push({
          keys,
          answer: () => resolve(keys.map((key) => `found ${key}`)),
          fail: () => reject(new Error(`look for ${keys.join(', ')}`)),
        });
      }),
  );
  return { looks, ask };
}

test('a look alone is made at once', async () => {
  const { looks, ask } = looksByHand();
  const found = ask(7);
  expect(looks.map(({ keys }) => keys)).toEqual([[7]]);
  looks[0]!.answer();
  expect(await found).toBe('found 7');
});

test('what is asked while a look is under way shares one that begins afterwards, and each gets its own', async () => {
  const { looks, ask } = looksByHand();
  const first = ask(0);
  const others = Array.from({ length: 59 }, (_, n) => ask(n + 1));
  expect(looks).toHaveLength(1);
  looks[0]!.answer();
  await first;
  await turn();
  expect(looks.map(({ keys }) => keys.length)).toEqual([1, 59]);
  const late = ask(60);
  looks[1]!.answer();
  expect(await Promise.all(others)).toEqual(others.map((_, n) => `found ${n + 1}`));
  await turn();
  expect(looks.at(-1)!.keys).toEqual([60]);
  looks[2]!.answer();
  expect(await late).toBe('found 60');
});

test('a look that fails is told to those who shared it, and the next is made all the same', async () => {
  const { looks, ask } = looksByHand();
  const first = ask(1);
  const others = [ask(2), ask(3)];
  looks[0]!.fail();
  await expect(first).rejects.toThrow('look for 1');
  const settled = Promise.allSettled(others);
  await turn();
  looks[1]!.fail();
  for (const one of await settled) expect(String((one as PromiseRejectedResult).reason)).toContain('2, 3');
  const next = ask(4);
  looks[2]!.answer();
  expect(await next).toBe('found 4');
});
