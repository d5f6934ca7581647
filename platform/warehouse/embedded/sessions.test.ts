import { expect, test } from '@jest/globals';
import { SessionPool, type SessionSource } from './sessions.ts';

const sessions = (): SessionSource => ({
  open: () => ({ queryAsync: async () => '', close: () => undefined }) as never,
  stop: async () => undefined,
});

test('statements wait for a session in order, and beyond so many are refused as by a server that is busy', async () => {
  const pool = new SessionPool('reader', sessions(), { size: 2, waiting: 3 });
  const ended: number[] = [];
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const use = (n: number) =>
    pool.use(new Map(), async () => {
      await held;
      ended.push(n);
    });
  const taken = [1, 2, 3, 4, 5].map(use);
  await expect(use(6)).rejects.toMatchObject({ code: 202 });
  finish();
  await Promise.all(taken);
  expect(ended).toEqual([1, 2, 3, 4, 5]);
  await use(7);
});
