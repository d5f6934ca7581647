import { describe, expect, test } from '#jest';
import { wholeBatch } from './failure/outcome.ts';
import { memoryLog } from './testing/memory-log.ts';
import { always, done, FAILURE, keys, record, startStreams } from './testing/stream-harness.ts';
import { until } from './testing/until.ts';

const start = startStreams();

describe('a successful batch', () => {
  test('a batch is forwarded in one append, in order, and committed after it', async () => {
    const log = memoryLog({ partitions: 1 });
    const committedAtAppend: (number | null)[] = [];
    const append = log.append;
    log.append = (records) => {
      if (records[0]?.topic === 'out') committedAtAppend.push(log.committed('main', 0));
      return append(records);
    };
    await log.append([record('a'), record('b'), record('c')]);
    await start(log, async (batch) =>
      batch.records.map((one) => ({
        kind: 'ok',
        forward: [
          { ...one, topic: 'out' },
          { ...one, topic: 'out' },
        ],
      })),
    );
    await until(done(log, 3));
    expect(log.stored('out').map((one) => one.key)).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
    expect(log.appends.filter((topics) => topics.includes('out'))).toHaveLength(1);
    expect(committedAtAppend).toEqual([null]);
  });

  test('a batch may be handled as a whole, and drops are counted by reason', async () => {
    const log = memoryLog({ partitions: 1 });
    const counted: [string, string, number][] = [];
    await log.append([record('a'), record('b')]);
    const metrics = { records: (...line: [string, string, number]) => counted.push(line) };
    const first = await start(
      log,
      wholeBatch(async (batch) => [{ ...record(keys(batch).join('+')), topic: 'out' }]),
      { metrics },
    );
    await until(done(log, 2));
    expect(log.stored('out').map((one) => one.key)).toEqual(['a+b']);
    await first.stop();
    await log.append([record('c')]);
    await start(log, always({ kind: 'drop', reason: 'old' }), { metrics });
    await until(() => counted.length === 2);
    expect(counted).toEqual([
      ['main', 'ok', 2],
      ['main', 'old', 1],
    ]);
  });
});

describe('retries', () => {
  test('failed records go through both retry topics with their delays to the dead letters: three attempts', async () => {
    const log = memoryLog({ partitions: 1 });
    const seen: { topic: string; at: number }[] = [];
    await log.append([record('a')]);
    await start(log, async (batch) => {
      seen.push({ topic: batch.topic, at: Date.now() });
      return batch.records.map(() => ({ kind: 'retry', failure: FAILURE }));
    });
    await until(() => log.stored('main.dlq').length === 1);
    expect(seen.map((one) => one.topic)).toEqual(['main', 'main.retry.1', 'main.retry.2']);
    const gaps = seen.map(({ at }, i) => at - (seen[i - 1]?.at ?? at));
    expect(gaps[1]).toBeGreaterThanOrEqual(20);
    expect(gaps[2]).toBeGreaterThanOrEqual(40);

    const dead = log.stored('main.dlq')[0];
    expect(dead).toMatchObject({ key: 'a', value: Buffer.from('value of a') });
    expect(dead?.headers).toMatchObject({
      auditId: 'a',
      attempt: '4',
      'x-failure-code': 'ANALYSIS_FAILED',
      'x-error-class': 'TypeError',
      'x-error-stage': 'detect',
      'x-original-topic': 'main',
      'x-original-partition': '0',
      'x-original-offset': '0',
      'x-first-failure-ts': log.stored('main.retry.1')[0]?.headers['x-first-failure-ts'],
    });
    expect(dead?.headers['x-due-ts']).toBeUndefined();
    expect(JSON.parse(dead?.headers.steps ?? '')).toMatchObject([
      { name: 'ACCEPTED' },
      { name: 'ANALYZING', attempt: 1 },
      { name: 'RETRYING', attempt: 1, reason: 'ANALYSIS_FAILED' },
      { name: 'ANALYZING', attempt: 2 },
      { name: 'RETRYING', attempt: 2, reason: 'ANALYSIS_FAILED' },
      { name: 'ANALYZING', attempt: 3 },
      { name: 'DEAD_LETTERED', attempt: 3, reason: 'ANALYSIS_FAILED' },
    ]);
  });

  test('only the due head of a retry partition is processed, and the rest when it is due', async () => {
    let time = 1_000;
    const log = memoryLog({ partitions: 1, now: () => time });
    const retry = (key: string, due: number) => ({
      ...record(key, { 'x-due-ts': String(due) }),
      topic: 'main.retry.1',
    });
    await log.append([retry('a', 990), retry('b', 1_000), retry('c', 1_010), retry('d', 1_015)]);
    const batches: string[][] = [];
    await start(
      log,
      async (batch) => {
        batches.push(keys(batch));
        return batch.records.map(() => ({ kind: 'ok' }));
      },
      { now: () => time, clock: () => time },
    );
    await until(done(log, 2, 'main.retry.1'));
    expect(batches).toEqual([['a', 'b']]);
    time = 1_012;
    await until(done(log, 3, 'main.retry.1'));
    time = 1_020;
    await until(done(log, 4, 'main.retry.1'));
    expect(batches).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  test('a far due time, from a host with a wrong clock, delays the partition no longer than its topic’s delay', async () => {
    const log = memoryLog({ partitions: 1 });
    const due = String(Date.now() + 3_600_000);
    await log.append([{ ...record('a', { 'x-due-ts': due }), topic: 'main.retry.1' }]);
    await start(log, always({ kind: 'ok' }));
    await until(done(log, 1, 'main.retry.1'));
  });

  test('a clock that is set back by an hour does not make a retry wait an hour', async () => {
    let time = Date.UTC(2026, 10, 1);
    const log = memoryLog({ partitions: 1, now: () => time });
    const retry = (key: string) => ({
      ...record(key, { 'x-due-ts': String(time + 20) }),
      topic: 'main.retry.1',
    });
    await log.append([retry('a'), retry('b')]);
    time -= 3_600_000;
    const batches: string[][] = [];
    await start(
      log,
      async (batch) => {
        batches.push(keys(batch));
        return batch.records.map(() => ({ kind: 'ok' }));
      },
      { now: () => time },
    );
    await until(done(log, 2, 'main.retry.1'));
    expect(batches).toEqual([['a', 'b']]);
    // The clock is set back again while a record waits, and another record follows.
    await log.append([retry('c')]);
    time -= 3_600_000;
    await log.append([retry('d')]);
    await until(done(log, 4, 'main.retry.1'));
  });

  test('poison goes to the dead letters at once, next to good records of its batch', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a'), record('bad'), record('c')]);
    await start(log, async (batch) =>
      batch.records.map((one) =>
        one.key === 'bad'
          ? { kind: 'deadLetter', failure: { ...FAILURE, code: 'UNDECODABLE' } }
          : { kind: 'ok', forward: [{ ...one, topic: 'out' }] },
      ),
    );
    await until(done(log, 3));
    expect(log.stored('out').map((one) => one.key)).toEqual(['a', 'c']);
    expect(log.stored('main.dlq')).toMatchObject([{ key: 'bad', headers: { attempt: '2' } }]);
  });
});

describe('a lost partition', () => {
  test('a lost partition aborts the work, commits nothing, and its next owner repeats the batch', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a')]);
    let aborted = 0;
    let tries = 0;
    await start(log, async (batch, { signal }) => {
      if (++tries > 1) return batch.records.map(() => ({ kind: 'ok' }));
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted += 1;
      signal.throwIfAborted();
      return [];
    });
    await until(() => tries === 1);
    await log.rebalance('main', 0);
    await until(done(log, 1));
    expect({ aborted, tries }).toEqual({ aborted: 1, tries: 2 });
  });
});

test('an offset that does not move while records wait shows as stalled', async () => {
  const log = memoryLog({ partitions: 1 });
  let time = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await log.append([record('a')]);
  const stream = await start(
    log,
    async (batch) => {
      await held;
      return batch.records.map(() => ({ kind: 'ok' }));
    },
    { clock: () => time, limits: { progressCheckMs: 1, stalledAfterMs: 60_000 } },
  );
  await until(() => stream.health().joined);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(stream.health().stalled).toEqual([]);
  time = 60_001;
  await until(() => stream.health().stalled.includes('main/0'));
  expect(stream.health().ready).toBe(false);
  release();
  await until(() => stream.health().ready);
});
