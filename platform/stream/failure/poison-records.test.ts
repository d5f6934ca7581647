import { afterEach, describe, expect, test } from '#jest';
import type { Batch, LogRecord } from '#platform/event-log/port.ts';
import type { StreamLimits } from '../partition/options.ts';
import { runStream, type Stream } from '../run-stream.ts';
import { memoryLog } from '../testing/memory-log.ts';
import { memoryState } from '../testing/memory-state.ts';
import { until } from '../testing/until.ts';
import type { Process } from './outcome.ts';
import type { RetryRoute } from './retry-route.ts';

const ROUTE: RetryRoute = { retries: [{ topic: 'retry', delayMs: 1 }], deadLetters: 'dlq' };
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const BACKOFF = { firstMs: 1, maxMs: 4, random: () => 0.5 };
/** Key of the partition's mark. */
const MARK = 'deaths:g:main:0';

const streams: Stream[] = [];
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.stop()));
});

function setUp() {
  const [log, state] = [memoryLog({ partitions: 1 }), memoryState()];
  const batches: string[][] = [];
  /** Marks in the order written. */
  const marks: { deaths: number; running: boolean }[] = [];
  const { set } = state.expiring;
  Object.assign(state.expiring, {
    set: async (...call: Parameters<typeof set>) => {
      await set(...call);
      if (call[0] === MARK) marks.push(JSON.parse(call[1]));
    },
  });
  let dead = false;
  const seen: Process = async (batch, { oneByOne }) => {
    const keys = batch.records.map((one) => one.key);
    batches.push(keys);
    expect(oneByOne).toBe(oneByOne && keys.length === 1);
    if (keys.some((key) => key.startsWith('deadly'))) {
      dead = true;
      await new Promise(() => undefined);
    }
    return batch.records.map(() => ({ kind: 'ok' }));
  };
  const start = async (process = seen, limits: Partial<StreamLimits> = {}): Promise<Stream> => {
    const stream = await runStream({
      log,
      group: 'g',
      topics: ['main'],
      route: ROUTE,
      process,
      deathMarks: state.expiring,
      logger: QUIET,
      limits: { backoff: BACKOFF, gatherMs: 0, commitEveryMs: 0, ...limits },
    });
    streams.push(stream);
    return stream;
  };
  /** Drops the most recently started consumer, as a crash of its process would. */
  const kill = (): void => {
    log.killConsumers();
    streams.pop();
  };
  /** Starts a consumer and kills it as soon as its work hangs in a poison record. */
  const startAndDie = async (limits: Partial<StreamLimits> = {}): Promise<void> => {
    dead = false;
    await start(seen, limits);
    await until(() => dead);
    kill();
  };
  const send = (...keys: string[]) =>
    log.append(
      keys.map((key) => ({ topic: 'main', key, value: Buffer.from(key), headers: { attempt: '1' } })),
    );
  const done = (count: number) => () => log.committed('main', 0) === count;
  return { log, state, batches, marks, start, kill, startAndDie, send, done };
}

const held = (batch: Batch): LogRecord => ({ ...(batch.records[0] as LogRecord), topic: 'out' });

describe('a record that kills the process', () => {
  test('a deadly record is found after two deaths and given up after two alone; the rest of its batch is done', async () => {
    const { log, batches, start, startAndDie, send, done } = setUp();
    await send('a', 'b', 'deadly', 'c', 'd');
    for (let deaths = 0; deaths < 4; deaths++) await startAndDie();
    expect(batches).toEqual([
      ['a', 'b', 'deadly', 'c', 'd'],
      ['a', 'b', 'deadly', 'c', 'd'],
      ['a'],
      ['b'],
      ['deadly'],
      ['deadly'],
    ]);
    await start();
    await until(done(5));
    expect(batches.slice(6)).toEqual([['c'], ['d']]);
    expect(log.stored('dlq')).toMatchObject([
      { key: 'deadly', headers: { 'x-failure-code': 'CRASHED', attempt: '2' } },
    ]);
    await send('e', 'f');
    await until(done(7));
    expect(batches.at(-1)).toEqual(['e', 'f']);
  });

  test('a second deadly record in the same batch costs two more deaths', async () => {
    const { log, start, startAndDie, send, done } = setUp();
    await send('deadly-1', 'a', 'deadly-2', 'b');
    for (let deaths = 0; deaths < 6; deaths++) await startAndDie();
    await start();
    await until(done(4));
    expect(log.stored('dlq').map((one) => one.key)).toEqual(['deadly-1', 'deadly-2']);
  });

  test('a deadly record is found after records that the same owner did, committed or not', async () => {
    const { log, batches, start, kill, startAndDie, send, done } = setUp();
    await send('a');
    // The first commit is sent at once; the others would follow much later.
    await start(undefined, { commitEveryMs: 3_600_000 });
    await until(done(1));
    await send('b');
    await until(() => batches.length === 2);
    await send('c', 'deadly', 'd');
    await until(() => batches.length === 3);
    kill();
    expect(log.committed('main', 0)).toBe(1);
    for (let deaths = 1; deaths < 4; deaths++) await startAndDie();
    await start();
    await until(done(5));
    expect(batches.slice(3)).toEqual([
      ['b', 'c', 'deadly', 'd'],
      ['b'],
      ['c'],
      ['deadly'],
      ['deadly'],
      ['d'],
    ]);
    expect(log.stored('dlq').map((one) => one.key)).toEqual(['deadly']);
  });

  test('a long queue after a deadly record is not processed one by one', async () => {
    const { batches, startAndDie, start, send, done } = setUp();
    await send('deadly', 'a', ...Array.from({ length: 8 }, (_, i) => `b${i}`));
    for (let deaths = 0; deaths < 4; deaths++) await startAndDie({ maxRecords: 2 });
    await start(undefined, { maxRecords: 4 });
    await until(done(10));
    expect(batches.slice(4)).toEqual([['a'], ['b0', 'b1'], ['b2', 'b3', 'b4', 'b5'], ['b6', 'b7']]);
  });

  test('a deadly record is found although a former owner, paused in it, wakes up and leaves cleanly', async () => {
    const { log, batches, start, startAndDie, send } = setUp();
    await send('a', 'deadly');
    const paused = await start();
    await until(() => batches.length === 1);
    log.killConsumers();
    await start();
    await until(() => batches.length === 2);
    await paused.stop();
    log.killConsumers();
    await startAndDie();
    expect(batches).toEqual([['a', 'deadly'], ['a', 'deadly'], ['a'], ['deadly']]);
  });
});

describe('ends that are not deaths', () => {
  test('a stop while work is in progress is not a death', async () => {
    const { batches, marks, start, send, done } = setUp();
    await send('a', 'b');
    for (let stops = 0; stops < 4; stops++) {
      let busy = false;
      const stream = await start(async (_, { signal }) => {
        busy = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw signal.reason;
      });
      await until(() => busy);
      await stream.stop();
    }
    await start();
    await until(done(2));
    expect(batches).toEqual([['a', 'b']]);
    expect(marks.map((mark) => mark.deaths)).toEqual([0, 0, 0, 0, 0]);
  });

  test('a stop between two deaths is not counted, and does not forget the first', async () => {
    const { batches, start, startAndDie, send } = setUp();
    await send('a', 'deadly');
    await startAndDie();
    let busy = false;
    const stream = await start(async (_, { signal }) => {
      busy = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    });
    await until(() => busy);
    await stream.stop();
    await startAndDie();
    await startAndDie();
    expect(batches).toEqual([['a', 'deadly'], ['a', 'deadly'], ['a'], ['deadly']]);
  });

  test('a kill from outside after the work, at a position where a death was seen, is not counted', async () => {
    const { log, batches, start, startAndDie, send, done } = setUp();
    await send('a', 'deadly', 'b');
    await startAndDie();
    for (let kills = 0; kills < 3; kills++) {
      let processed = false;
      await start(async (batch) => batch.records.map(() => ({ kind: 'ok', forward: [{ ...held(batch) }] })));
      const append = log.append;
      log.append = () => {
        processed = true;
        return new Promise(() => undefined);
      };
      await until(() => processed);
      log.killConsumers();
      streams.pop();
      log.append = append;
    }
    await start(async (batch) => batch.records.map(() => ({ kind: 'ok' })));
    await until(done(3));
    expect(log.stored('dlq')).toEqual([]);
    expect(batches).toEqual([['a', 'deadly', 'b']]);
  });

  test('a death before the work has started is not counted, however often', async () => {
    const { state, batches, marks, start, kill, send, done } = setUp();
    await send('a', 'b');
    const { get, set } = state.expiring;
    let deaths = 0;
    const hang = (): Promise<never> => {
      deaths += 1;
      return new Promise(() => undefined);
    };
    state.expiring.set = async (...call) => {
      await set(...call);
      return hang();
    };
    await start();
    await until(() => deaths === 1);
    kill();
    Object.assign(state.expiring, { set, get: hang });
    while (deaths < 5) {
      const before = deaths;
      await start();
      await until(() => deaths > before);
      kill();
    }
    Object.assign(state.expiring, { get });
    await start();
    await until(done(2));
    expect(batches).toEqual([['a', 'b']]);
    expect(marks.map((mark) => mark.deaths)).toEqual([0, 1, 1]);
  });

  test('a rebalance that gives the partition back is not a death', async () => {
    const { log, batches, marks, start, send, done } = setUp();
    await start();
    for (const [i, key] of ['a', 'b', 'c'].entries()) {
      await send(key);
      await until(done(i + 1));
      await log.rebalance('main', 0);
    }
    expect(batches).toEqual([['a'], ['b'], ['c']]);
    expect(marks).toMatchObject([{ deaths: 0 }, { deaths: 0 }, { deaths: 0 }]);
  });

  test('a death after the commit is not counted', async () => {
    const { log, batches, start, startAndDie, send, done } = setUp();
    for (const [i, key] of ['a', 'b', 'c'].entries()) {
      await send(key);
      await start();
      await until(done(i + 1));
      log.killConsumers();
      streams.pop();
    }
    await send('deadly');
    await startAndDie();
    expect(batches.at(-1)).toEqual(['deadly']);
  });
});

describe('the cost of the marks', () => {
  test('marks cost one write for as long as the partition is owned', async () => {
    const { marks, start, send, done } = setUp();
    await start();
    for (let i = 0; i < 20; i++) {
      await send(`a${i}`);
      await until(done(i + 1));
    }
    expect(marks).toMatchObject([{ deaths: 0, running: false }]);
  });

  test('after an unclean death marks cost two writes per batch up to the log’s end at that time, and one more', async () => {
    const { batches, marks, start, kill, send, done } = setUp();
    await send('a');
    await start();
    await until(done(1));
    kill();
    marks.splice(0);
    await send('b', 'c', 'd');
    await start(undefined, { maxRecords: 2 });
    await until(done(4));
    for (let i = 0; i < 5; i++) {
      await send(`e${i}`);
      await until(done(5 + i));
    }
    expect(batches.slice(1, 3)).toEqual([['b', 'c'], ['d']]);
    expect(marks.map(({ deaths, running }) => [deaths, running])).toEqual([
      [1, true],
      [1, false],
      [1, true],
      [1, false],
      [0, false],
    ]);
  });

  test('no marks are written when no record waited at the death', async () => {
    const { marks, start, kill, send, done } = setUp();
    await send('a');
    await start();
    await until(done(1));
    kill();
    marks.splice(0);
    await start();
    expect(marks).toEqual([]);
  });

  test('an unreachable state is an outage', async () => {
    const { log, state, marks, start, send, done } = setUp();
    state.down = true;
    await send('a', 'b', 'c');
    const stream = await start();
    await until(() => !stream.health().healthy);
    expect(log.committed('main', 0)).toBeNull();
    state.down = false;
    await until(done(3));
    expect(marks).toHaveLength(1);
  });
});
