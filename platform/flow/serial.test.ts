import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '#jest';
import { createSerialQueue } from './serial-queue.ts';
import { singleFlight } from './single-flight.ts';

test('a queue does one piece of work at a time, in order, and continues after one that fails', async () => {
  const queue = createSerialQueue();
  const events: string[] = [];
  const work =
    (name: string, fails = false) =>
    async (): Promise<string> => {
      events.push(`${name} begins`);
      await turn();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const failing = queue.run(work('a', true));
  const next = queue.run(work('b'));
  await expect(failing).rejects.toThrow('a');
  expect(await next).toBe('b');
  await queue.idle();
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('idle waits for all queued work, and never rejects', async () => {
  const queue = createSerialQueue();
  let ended = false;
  queue
    .run(async () => {
      await turn();
      ended = true;
      throw new Error('away');
    })
    .catch(() => undefined);
  await queue.idle();
  expect(ended).toBe(true);
});

test('a single flight gives all concurrent callers its result or failure, and starts another afterwards', async () => {
  let runs = 0;
  const fly = singleFlight(async () => {
    runs += 1;
    const run = runs;
    await turn();
    if (run === 2) throw new Error('second');
    return run;
  });
  expect(await Promise.all([fly(), fly(), fly()])).toEqual([1, 1, 1]);
  const failed = await Promise.allSettled([fly(), fly()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await fly()).toBe(3);
});
