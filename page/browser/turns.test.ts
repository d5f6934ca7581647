import { expect, test } from '#jest';
import { messageTurn, turns } from './turns.ts';

test('yields only after twelve milliseconds of work', async () => {
  let [now, given] = [0, 0];
  const giveWay = turns(
    () => now,
    async () => {
      given += 1;
      now += 100;
    },
  );
  for (const [at, expected] of [
    [11, 0],
    [12, 1],
    [123, 1],
    [124, 2],
  ] as const) {
    now = at;
    await giveWay();
    expect(given).toBe(expected);
  }
});

test('a turn lets pending work run', async () => {
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  while (!ran) await messageTurn();
  expect(ran).toBe(true);
});
