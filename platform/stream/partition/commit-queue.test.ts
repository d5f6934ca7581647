import { expect, test } from '#jest';
import { StalePartition } from '#platform/event-log/port.ts';
import { memoryLog } from '../testing/memory-log.ts';
import { always, done, keys, record, startStreams } from '../testing/stream-harness.ts';
import { until } from '../testing/until.ts';
import { createCommitQueue } from './commit-queue.ts';
import type { TopicPartition } from './options.ts';

const start = startStreams();
const NEVER_MS = 3_600_000;

function setUp(everyMs = NEVER_MS, beforeCommits?: (partitions: readonly TopicPartition[]) => Promise<void>) {
  const commits: string[] = [];
  let fail: Error | null = null;
  const queue = createCommitQueue({
    everyMs,
    beforeCommits,
    consumer: async () => ({
      commit: async (topic, partition, nextOffset) => {
        commits.push(`${topic}/${partition}: ${nextOffset}`);
        await new Promise((resolve) => setImmediate(resolve));
        if (fail !== null && partition === 0) throw fail;
      },
    }),
  });
  const failWith = (error: Error): void => {
    fail = error;
  };
  return { queue, commits, failWith };
}

test('the first round starts at once; later ones wait for their time or are hurried, with the current offset', async () => {
  const { queue, commits } = setUp();
  const first = [queue.commit('t', 0, () => 1), queue.commit('t', 1, () => 7)];
  expect(await Promise.all(first)).toEqual([1, 7]);
  let reached = 2;
  const later = queue.commit('t', 0, () => reached);
  reached = 3;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(commits).toEqual(['t/0: 1', 't/1: 7']);
  queue.hurry();
  reached = 4;
  expect(await later).toBe(4);
  expect(commits).toEqual(['t/0: 1', 't/1: 7', 't/0: 4']);
});

test('beforeCommits runs before a round with its partitions, and work done meanwhile waits', async () => {
  let reached = 1;
  const calls: string[][] = [];
  const { queue, commits } = setUp(0, async (partitions) => {
    calls.push(partitions.map(({ topic, partition }) => `${topic}/${partition}`));
    expect(commits).toHaveLength(2 * (calls.length - 1));
    reached += 1;
  });
  const round = () => Promise.all([queue.commit('t', 0, () => reached), queue.commit('t', 3, () => 7)]);
  expect(await round()).toEqual([1, 7]);
  expect(await round()).toEqual([2, 7]);
  expect(calls).toEqual([
    ['t/0', 't/3'],
    ['t/0', 't/3'],
  ]);
});

test('nothing is committed while beforeCommits fails', async () => {
  let isDown = true;
  const { queue, commits } = setUp(0, async () => {
    if (isDown) throw new Error('down');
  });
  await expect(queue.commit('t', 0, () => 1)).rejects.toThrow('down');
  expect(commits).toEqual([]);
  isDown = false;
  expect(await queue.commit('t', 0, () => 1)).toBe(1);
});

test('a failed commit affects only itself and delays no later round', async () => {
  const { queue, failWith } = setUp(0);
  failWith(new StalePartition('t', 0));
  const [stale, fine] = await Promise.allSettled([
    queue.commit('t', 0, () => 1),
    queue.commit('t', 1, () => 7),
  ]);
  expect(stale).toMatchObject({ status: 'rejected', reason: expect.any(StalePartition) });
  expect(fine).toEqual({ status: 'fulfilled', value: 7 });
  expect(await queue.commit('t', 1, () => 8)).toBe(8);
});

test('the work runs ahead of its commits, and a stop commits everything done', async () => {
  const log = memoryLog({ partitions: 1 });
  const seen: string[] = [];
  const stream = await start(
    log,
    async (batch) => {
      seen.push(...keys(batch));
      return batch.records.map(() => ({ kind: 'ok' }));
    },
    { topics: ['main'], limits: { gatherMs: 0, commitEveryMs: NEVER_MS } },
  );
  await log.append([record('a')]);
  await until(done(log, 1));
  for (const [i, key] of ['b', 'c', 'd'].entries()) {
    await log.append([record(key)]);
    await until(() => seen.length === i + 2);
  }
  expect(log.committed('main', 0)).toBe(1);
  await stream.stop();
  expect(log.committed('main', 0)).toBe(4);
});

test('a batch in progress does not keep a stop from committing earlier work', async () => {
  const log = memoryLog({ partitions: 1 });
  let busy = false;
  const stream = await start(
    log,
    async (batch, { signal }) => {
      if (!keys(batch).includes('long')) return batch.records.map(() => ({ kind: 'ok' }));
      busy = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    },
    { topics: ['main'], limits: { gatherMs: 0, commitEveryMs: NEVER_MS, maxRecords: 1 } },
  );
  await log.append(['a', 'b', 'c', 'long'].map((key) => record(key)));
  await until(() => busy);
  await stream.stop();
  expect(log.committed('main', 0)).toBe(3);
});

test('work that was uncommitted when the partition was lost is repeated by its next owner', async () => {
  const log = memoryLog({ partitions: 1 });
  const seen: string[] = [];
  const stream = await start(
    log,
    async (batch) => {
      seen.push(...keys(batch));
      return batch.records.map(() => ({ kind: 'ok' }));
    },
    { topics: ['main'], limits: { gatherMs: 0, commitEveryMs: NEVER_MS } },
  );
  await log.append([record('a')]);
  await until(done(log, 1));
  await log.append([record('b')]);
  await until(() => seen.length === 2);
  await log.rebalance('main', 0);
  await until(() => seen.length === 3);
  expect(seen).toEqual(['a', 'b', 'b']);
  expect(stream.health()).toMatchObject({ ready: true, stopped: null });
  await stream.stop();
  expect(log.committed('main', 0)).toBe(2);
});

test('while commits fail the work waits, so that little is repeated after a crash', async () => {
  const log = memoryLog({ partitions: 1 });
  const seen: string[] = [];
  log.failCommits = new Error('coordinator moved');
  const stream = await start(
    log,
    async (batch) => {
      seen.push(...keys(batch));
      return batch.records.map(() => ({ kind: 'ok' }));
    },
    { topics: ['main'], limits: { gatherMs: 0, maxRecords: 1 } },
  );
  await log.append([record('a')]);
  await until(() => !stream.health().healthy);
  await log.append(Array.from({ length: 20 }, (_, i) => record(`b${i}`)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(seen.length).toBeLessThan(5);
  log.failCommits = null;
  await until(done(log, 21));
  expect(stream.health().ready).toBe(true);
});

test('records that arrive quickly gather into few batches; the first after a pause is processed at once', async () => {
  const log = memoryLog({ partitions: 1 });
  const batches: string[][] = [];
  const ok = always({ kind: 'ok' });
  await start(
    log,
    (batch, context) => {
      batches.push(keys(batch));
      return ok(batch, context);
    },
    { topics: ['main'], limits: { gatherMs: 200 } },
  );
  for (let i = 0; i < 30; i++) await log.append([record(String(i))]);
  await until(done(log, 30));
  expect(batches.flat()).toEqual(Array.from({ length: 30 }, (_, i) => String(i)));
  expect(batches.length).toBeLessThan(6);
});
