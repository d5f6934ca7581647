import { expect, test } from '@jest/globals';
import { runStepsInBackground } from './time-slice.ts';

const nextTurn = () => new Promise((next) => setImmediate(next));

test('work beside everything else is done to its end, and gives way on the way', async () => {
  let done = 0;
  const ended = new Promise<void>((resolve) => {
    runStepsInBackground(
      (function* () {
        for (; done < 50; done++) yield;
        resolve();
      })(),
      nextTurn,
    );
  });
  expect(done).toBeLessThan(50);
  await ended;
  expect(done).toBe(50);
});

test('once it is stopped, no further step is taken', async () => {
  let steps = 0;
  const stop = runStepsInBackground(
    (function* () {
      for (;;) {
        steps++;
        yield;
      }
    })(),
    nextTurn,
  );
  await nextTurn();
  stop();
  const taken = steps;
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(steps).toBeLessThanOrEqual(taken + 1);
});
