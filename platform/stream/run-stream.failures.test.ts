import { describe, expect, test } from '#jest';
import { AppendError, AppendFailure, type Batch, type LogRecord } from '#platform/event-log/port.ts';
import { StateUnavailable } from '#platform/state/port.ts';
import type { Outcome } from './failure/outcome.ts';
import { runStream } from './run-stream.ts';
import { memoryLog } from './testing/memory-log.ts';
import { always, done, FAILURE, keys, QUIET, ROUTE, record, startStreams } from './testing/stream-harness.ts';
import { until } from './testing/until.ts';

const start = startStreams();

describe('an outage', () => {
  test('an outage during process repeats the same batch, reports unhealthy meanwhile, and spends no attempt', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a')]);
    let [down, tries] = [true, 0];
    const stream = await start(log, async (batch) => {
      tries += 1;
      if (down) throw new StateUnavailable('away');
      return batch.records.map((one) => ({ kind: 'ok', forward: [{ ...one, topic: 'out' }] }));
    });
    await until(() => tries > 4);
    expect(stream.health()).toMatchObject({ joined: true, healthy: false, ready: false });
    down = false;
    await until(done(log, 1));
    expect(log.stored('out')).toMatchObject([{ headers: { attempt: '1' } }]);
    expect(log.stored('main.dlq')).toEqual([]);
    expect(stream.health()).toMatchObject({ healthy: true, stopped: null, ready: true });
  });

  test('an outage of the log repeats only the append, and only of records not stored yet', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a'), record('b'), record('c')]);
    const append = log.append;
    let processed = 0;
    let calls = 0;
    log.append = async (records) => {
      if (++calls > 1) return append(records);
      const [stored] = await append(records.slice(1, 2));
      const failure = new AppendFailure('timed out', false);
      throw new AppendError('two of three', [failure, stored ?? failure, failure]);
    };
    await start(log, async (batch) => {
      processed += 1;
      return batch.records.map((one) => ({ kind: 'ok', forward: [{ ...one, topic: 'out' }] }));
    });
    await until(done(log, 3));
    expect(processed).toBe(1);
    expect(log.stored('out').map((one) => one.key)).toEqual(['b', 'a', 'c']);
  });

  test('a failed commit is repeated', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a')]);
    log.failCommits = new Error('coordinator moved');
    let processed = 0;
    const stream = await start(log, async (batch) => {
      processed += 1;
      return batch.records.map(() => ({ kind: 'ok' }));
    });
    await until(() => !stream.health().healthy);
    log.failCommits = null;
    await until(done(log, 1));
    expect(processed).toBe(1);
  });

  test('an outage during the assignment is waited for too', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a'), record('b')]);
    let tries = 0;
    const seen: string[] = [];
    await start(
      log,
      async (batch) => {
        seen.push(...keys(batch));
        return batch.records.map(() => ({ kind: 'ok' }));
      },
      {
        topics: ['main'],
        onAssigned: () => {
          if (++tries < 4) throw new StateUnavailable('away');
          return 1;
        },
      },
    );
    await until(done(log, 2));
    expect(seen).toEqual(['b']);
  });

  test('an outage does not delay a stop', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a')]);
    const stream = await start(log, () => Promise.reject(new StateUnavailable('away')), {
      limits: { backoff: { firstMs: 60_000, maxMs: 60_000, random: () => 0 } },
    });
    await until(() => !stream.health().healthy);
    await stream.stop();
    expect(log.committed('main', 0)).toBeNull();
  });
});

describe('stopping with an error', () => {
  test('a bug stops the stream and skips nothing', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append([record('a'), record('b')]);
    const errors: Error[] = [];
    const stream = await start(log, () => Promise.reject(new TypeError('a bug')), {
      onStopped: (error) => errors.push(error),
    });
    await until(() => stream.health().stopped !== null);
    expect(stream.health()).toMatchObject({ stopped: errors[0], healthy: false, ready: false });
    expect(log.committed('main', 0)).toBeNull();
    expect(log.stored('main.dlq')).toEqual([]);
  });

  test('a wrong number of outcomes, or a failure without a route, stops the stream', async () => {
    for (const [process, route] of [
      [async () => [], ROUTE],
      [always({ kind: 'retry', failure: FAILURE }), undefined],
    ] as const) {
      const log = memoryLog({ partitions: 1 });
      await log.append([record('a')]);
      const stream = await runStream({
        log,
        group: 'g',
        topics: ['main'],
        process,
        logger: QUIET,
        ...(route && { route }),
      });
      await until(() => stream.health().stopped !== null);
      expect(log.committed('main', 0)).toBeNull();
      await stream.stop();
    }
  });

  const poison = async (batch: Batch): Promise<Outcome[]> =>
    batch.records.map((one) =>
      one.key.startsWith('bad') ? { kind: 'deadLetter', failure: FAILURE } : { kind: 'ok' },
    );
  const records = (count: number, isBad: (i: number) => boolean): LogRecord[] =>
    Array.from({ length: count }, (_, i) => record(`${isBad(i) ? 'bad' : 'good'}-${i}`));

  test.each([
    ['a hundred dead letters in a row', records(100, () => true)],
    ['more than a hundred of the last five hundred', records(500, (i) => i % 4 === 0)],
  ])('%s are not forwarded', async (_, sent) => {
    const log = memoryLog({ partitions: 1 });
    await log.append(sent);
    const stream = await start(log, poison);
    await until(() => stream.health().stoppedPartitions.length > 0);
    expect(stream.health()).toMatchObject({
      stopped: null,
      stoppedPartitions: [{ topic: 'main', partition: 0, reason: 'TOO_MANY_DEAD_LETTERS' }],
    });
    expect(log.stored('main.dlq')).toEqual([]);
    expect(log.committed('main', 0)).toBeNull();
  });

  test('the count continues over batches, and records that leave the window are forgotten', async () => {
    const log = memoryLog({ partitions: 1 });
    // 100 of each 500 never exceed the limit, no matter where the batches of 130 split them.
    await log.append(records(1_500, (i) => i % 5 === 0));
    const stream = await start(log, poison, { limits: { maxRecords: 130 } });
    await until(done(log, 1_500));
    expect(log.stored('main.dlq')).toHaveLength(300);
    await log.append(records(400, (i) => i % 3 === 0));
    await until(() => stream.health().stoppedPartitions.length > 0);
  });

  test('keys destroyed on purpose do not count', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append(records(600, () => true));
    await start(log, always({ kind: 'deadLetter', failure: { ...FAILURE, code: 'KEY_DESTROYED' } }));
    await until(done(log, 600));
    expect(log.stored('main.dlq')).toHaveLength(600);
  });

  test('replays that fail again do not count, regardless of their number', async () => {
    const log = memoryLog({ partitions: 1 });
    const replays = records(600, () => true).map((one) => ({
      ...one,
      headers: { ...one.headers, generation: '1' },
    }));
    await log.append(replays);
    const stream = await start(log, poison);
    await until(done(log, 600));
    expect(log.stored('main.dlq')).toHaveLength(600);
    // The others are counted as before.
    await log.append(records(100, () => true));
    await until(() => stream.health().stoppedPartitions.length > 0);
    expect(log.stored('main.dlq')).toHaveLength(600);
  });
});
