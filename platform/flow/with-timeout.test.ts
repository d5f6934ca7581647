import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '#jest';
import { withTimeout } from './with-timeout.ts';

const LONG_MS = 3_600_000;
const never = new Promise<string>(() => undefined);

test('settles like the work, and leaves no timer', async () => {
  expect(await withTimeout(Promise.resolve('done'), LONG_MS, () => 'late')).toBe('done');
  await expect(withTimeout(Promise.reject(new Error('away')), LONG_MS, () => 'late')).rejects.toThrow('away');
});

test('settles with the alternative if the work takes too long, whatever its later result', async () => {
  expect(await withTimeout(never, 1, () => 'late')).toBe('late');
  const failing = sleep(5).then(() => Promise.reject(new Error('nobody hears of it')));
  expect(await withTimeout(failing, 1, () => 'late')).toBe('late');
  await failing.catch(() => undefined);
});
