import { expect, test } from '#jest';
import { orAborted } from './or-aborted.ts';

test('comes to what the promise does while nothing fires', async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(orAborted(Promise.reject(new Error('away')), signal)).rejects.toThrow('away');
});

test('rejects with the reason as soon as the signal fires, whatever the promise comes to later', async () => {
  const ending = new AbortController();
  let fail = (_error: Error): void => undefined;
  const promise = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const outcome = orAborted(promise, ending.signal).catch((error: unknown) => error);
  const reason = new Error('lost');
  ending.abort(reason);
  expect(await outcome).toBe(reason);
  const already = orAborted(promise, ending.signal).catch((error: unknown) => error);
  expect(await already).toBe(reason);
  // Nothing awaits it any more, and that is fine.
  fail(new Error('late'));
  await new Promise(setImmediate);
});
