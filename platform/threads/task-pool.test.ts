import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { serveTasks, tasksOver } from './shared-tasks.ts';
import { TaskTimedOut } from './task-errors.ts';
import { createTaskPool, type PoolOptions, type TaskPool } from './task-pool.ts';

const pools: TaskPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function pool(change: Partial<PoolOptions> = {}): TaskPool {
  const made = createTaskPool({
    module: compiledModule('platform/threads/testing/task-thread-main.ts'),
    name: 'tasks of a test',
    threads: 1,
    maxHeapMib: 32,
    startMs: 60_000,
    timeoutMs: 60_000,
    maxWaiting: 10,
    maxWaitingBytes: 1_000,
    ...change,
  });
  pools.push(made);
  return made;
}

const task = (what: string, ...bytes: number[]): Uint8Array => new Uint8Array([what.charCodeAt(0), ...bytes]);
const double = (tasks: TaskPool, value: number): Promise<number[]> =>
  tasks.run(task('d', value)).then((result) => [...result]);

describe('a pool of threads', () => {
  test('returns each task’s own result, with fewer threads than tasks', async () => {
    const tasks = pool({ threads: 2 });
    const values = [1, 2, 3, 4, 5, 6];
    expect(await Promise.all(values.map((value) => double(tasks, value)))).toEqual(
      values.map((value) => [value * 2]),
    );
  });

  test('moves a task’s bytes', async () => {
    const bytes = task('d', 1);
    await pool().run(bytes);
    expect(bytes.byteLength).toBe(0);
  });

  test('abandons a task that misses its deadline together with its thread, and continues with another', async () => {
    const tasks = pool({ timeoutMs: 200 });
    const [late, next] = await Promise.allSettled([tasks.run(task('l')), double(tasks, 4)]);
    expect(late).toMatchObject({ status: 'rejected', reason: { name: 'TaskTimedOut' } });
    expect((late as PromiseRejectedResult).reason).toBeInstanceOf(TaskTimedOut);
    expect(next).toEqual({ status: 'fulfilled', value: [8] });
  });

  test('a task that throws reports its error’s class and nothing of its input', async () => {
    const tasks = pool();
    const secret = Buffer.from('t secret');
    const error = await tasks.run(new Uint8Array(secret)).catch((caught: Error) => caught);
    expect(error).toMatchObject({ name: 'TaskFailed', message: 'a task failed in its thread: RangeError' });
    expect(isRetryable(error)).toBe(false);
    expect(await double(tasks, 2)).toEqual([4]);
  });

  test.each([
    ['that ends', 'x', 'ThreadEnded'],
    ['without memory', 'm', 'ERR_WORKER_OUT_OF_MEMORY'],
  ])('a thread %s fails only its task and is replaced', async (_, what, why) => {
    const tasks = pool();
    const [dead, next] = await Promise.allSettled([tasks.run(task(what)), double(tasks, 5)]);
    expect(dead).toMatchObject({ status: 'rejected', reason: { name: 'TaskFailed' } });
    expect(String((dead as PromiseRejectedResult).reason)).toContain(why);
    expect(next).toEqual({ status: 'fulfilled', value: [10] });
  });

  test.each([
    ['tasks', { maxWaiting: 2 }],
    ['bytes', { maxWaitingBytes: 4 }],
  ])('refuses more %s than may wait, as an outage', async (_, limit) => {
    const tasks = pool(limit);
    const runs = [1, 2, 3, 4].map((value) => double(tasks, value));
    const [first, second, third, fourth] = await Promise.allSettled(runs);
    expect([first, second, third].map((one) => one?.status)).toEqual(Array(3).fill('fulfilled'));
    expect(fourth).toMatchObject({ status: 'rejected', reason: { name: 'TasksUnavailable' } });
    expect(isRetryable((fourth as PromiseRejectedResult).reason)).toBe(true);
    expect(await double(tasks, 9)).toEqual([18]);
  });

  test('a thread that cannot start is an outage for every task', async () => {
    const tasks = pool({ module: '/nowhere/at-all.js' });
    for (let times = 0; times < 2; times += 1) {
      const error = await tasks.run(task('d', 1)).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: 'TasksUnavailable' });
      expect(isRetryable(error)).toBe(true);
    }
  });

  test('a closed pool rejects running, waiting and new tasks', async () => {
    const tasks = pool();
    const runs = [tasks.run(task('l')), tasks.run(task('d', 1))];
    const ended = Promise.allSettled(runs);
    await tasks.close();
    for (const one of [...(await ended), ...(await Promise.allSettled([tasks.run(task('d', 1))]))]) {
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'TasksUnavailable' } });
    }
  });
});

test('another thread uses the same pool, and can distinguish outages from faults', async () => {
  const tasks = pool({ timeoutMs: 200 });
  const channel = new MessageChannel();
  serveTasks(channel.port1, tasks);
  const shared = tasksOver(channel.port2);
  const bytes = task('d', 21);
  expect([...(await shared.run(bytes))]).toEqual([42]);
  expect(bytes.byteLength).toBe(0);
  const late = await shared.run(task('l')).catch((error: unknown) => error);
  expect(late).toMatchObject({ name: 'TaskTimedOut' });
  expect(isRetryable(late)).toBe(false);
  await tasks.close();
  const closed = await shared.run(task('d', 1)).catch((error: unknown) => error);
  expect(isRetryable(closed)).toBe(true);
  shared.close();
});
