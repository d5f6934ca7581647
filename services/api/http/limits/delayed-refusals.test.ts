import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '#jest';
import { type Harness, startHarness } from '../../testing/harness.ts';
import { delayRefusals } from './delayed-refusals.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

test('a refusal is delayed, unless too many are', async () => {
  const ends: (() => void)[] = [];
  const delay = delayRefusals(() => new Promise<void>((resolve) => ends.push(resolve)), 2);
  const answered: number[] = [];
  const ask = (number: number): void => void delay().then(() => answered.push(number));
  for (const number of [1, 2, 3]) ask(number);
  await turn();
  expect(answered).toEqual([3]);
  ends[0]!();
  await turn();
  expect(answered).toEqual([3, 1]);
  ask(4);
  await turn();
  expect([answered, ends.length]).toEqual([[3, 1], 3]);
});

test('a client beyond its rate is refused after others are answered', async () => {
  const first = await startHarness();
  await first.close();
  const settings = { ...first.dependencies.settings, refusalPauseMs: 200 };
  // The clock is fixed, so no bucket refills.
  const started = await startHarness({ dependencies: { settings, now: () => 0 } });
  harness = started;
  const order: number[] = [];
  const ask = async (url: string, remoteAddress = '192.0.2.1'): Promise<void> => {
    order.push((await started.call({ url, remoteAddress })).status);
  };
  const asked = Array.from({ length: 210 }, () => ask('/'));
  await Promise.all([...asked, ask('/health/live'), ask('/nowhere', '192.0.2.2')]);
  expect(order.filter((status) => status === 429)).toHaveLength(10);
  expect(order.slice(-11).filter((status) => status === 429)).toHaveLength(10);
});
