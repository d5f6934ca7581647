import { expect, test } from '#jest';
import { orAborted } from './or-aborted.ts';

test('settles like the promise while the signal is not aborted', async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(orAborted(Promise.reject(new Error('away')), signal)).rejects.toThrow('away');
});

test('rejects with the reason as soon as the signal is aborted, whatever the promise’s later result', async () => {
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
  // Nothing awaits it any more, which is fine.
  fail(new Error('late'));
  await new Promise(setImmediate);
});
