import { expect, test } from '#jest';
import { SessionPool, type SessionSource } from './sessions.ts';

const sessions = (): SessionSource => ({
  open: () => ({ queryAsync: async () => '', close: () => undefined }) as never,
  stop: async () => undefined,
});

test('a statement gets a session that already has its settings', async () => {
  const changes: string[] = [];
  const open = () =>
    ({ queryAsync: async (sql: string) => changes.push(sql), close: () => undefined }) as never;
  const pool = new SessionPool('reader', { open, stop: async () => undefined }, { size: 2, waiting: 1 });
  const short = new Map([['max_execution_time', '5']]);
  const long = new Map([['max_execution_time', '60']]);
  await Promise.all([pool.use(short, async () => undefined), pool.use(long, async () => undefined)]);
  expect(changes).toHaveLength(2);
  for (const settings of [short, long, short, short, long]) await pool.use(settings, async () => undefined);
  expect(changes).toHaveLength(2);
  await pool.use(new Map([['max_execution_time', '7']]), async () => undefined);
  expect(changes).toHaveLength(3);
});

test('statements wait for a session in order, and too many are refused as by a busy server', async () => {
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
  const uses = [1, 2, 3, 4, 5].map(use);
  await expect(use(6)).rejects.toMatchObject({ code: 202 });
  finish();
  await Promise.all(uses);
  expect(ended).toEqual([1, 2, 3, 4, 5]);
  await use(7);
});
