import { expect, test } from '#jest';
import { runSteps, runStepsInBackground, timeSlice } from './time-slice.ts';

const nextTurn = () => new Promise((next) => setImmediate(next));

test('work yields only after its slice is used up; then all that share it wait for the next turn', async () => {
  let time = 0;
  const yieldTurn = timeSlice(() => time);
  expect(yieldTurn()).toBeNull();
  time = 1.9;
  expect(yieldTurn()).toBeNull();
  time = 2;
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  const [one, other] = [yieldTurn(), yieldTurn()];
  expect([one, other]).not.toContain(null);
  await Promise.all([one, other]);
  expect(hasTurned).toBe(true);
  expect(yieldTurn()).toBeNull();
});

test('steps yield where requested', async () => {
  const waits = [null, nextTurn(), null];
  const steps = (function* (): Generator<void, string> {
    yield;
    yield;
    yield;
    return 'done';
  })();
  expect(await runSteps(steps, () => waits.shift()!)).toBe('done');
  expect(waits).toEqual([]);
});

test('background work finishes, and yields while it runs', async () => {
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

test('no further step runs after a stop', async () => {
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
  const stepsAtStop = steps;
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(steps).toBeLessThanOrEqual(stepsAtStop + 1);
});
