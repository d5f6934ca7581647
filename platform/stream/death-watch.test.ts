import { afterEach, describe, expect, test } from '@jest/globals';
import type { Batch, LogRecord } from '../event-log/port.ts';
import type { Process } from './outcome.ts';
import type { RetryRoute } from './retry-route.ts';
import { runStream, type Stream } from './run-stream.ts';
import { memoryLog } from './testing/memory-log.ts';
import { memoryState } from './testing/memory-state.ts';
import { until } from './testing/until.ts';

const ROUTE: RetryRoute = { retries: [{ topic: 'retry', delayMs: 1 }], deadLetters: 'dlq' };
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const BACKOFF = { firstMs: 1, maxMs: 4, random: () => 0.5 };

const streams: Stream[] = [];
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.stop()));
});

function setUp() {
  const [log, state] = [memoryLog({ partitions: 1 }), memoryState()];
  const batches: string[][] = [];
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
  const start = async (process = seen): Promise<Stream> => {
    const stream = await runStream({
      log,
      group: 'g',
      topics: ['main'],
      route: ROUTE,
      process,
      deathMarks: state.expiring,
      logger: QUIET,
      limits: { backoff: BACKOFF },
    });
    streams.push(stream);
    return stream;
  };
  /** Starts and, as soon as the work hangs in a deadly record, kills the consumer as a crash would. */
  const startAndDie = async (): Promise<void> => {
    dead = false;
    await start();
    await until(() => dead);
    log.killConsumers();
    streams.pop();
  };
  const send = (...keys: string[]) =>
    log.append(
      keys.map((key) => ({ topic: 'main', key, value: Buffer.from(key), headers: { attempt: '1' } })),
    );
  const done = (count: number) => () => log.committed('main', 0) === count;
  return { log, state, batches, start, startAndDie, send, done };
}

const held = (batch: Batch): LogRecord => ({ ...(batch.records[0] as LogRecord), topic: 'out' });

describe('a record that kills the process', () => {
  test('is found after two deaths and given up when it died twice alone; the others of its batch are done', async () => {
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

  test('a second one in the same batch costs two deaths more', async () => {
    const { log, start, startAndDie, send, done } = setUp();
    await send('deadly-1', 'a', 'deadly-2', 'b');
    for (let deaths = 0; deaths < 6; deaths++) await startAndDie();
    await start();
    await until(done(4));
    expect(log.stored('dlq').map((one) => one.key)).toEqual(['deadly-1', 'deadly-2']);
  });
});

describe('what is no death', () => {
  test('a stop while the work is under way', async () => {
    const { state, batches, start, send, done } = setUp();
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
    expect([...state.values]).toEqual([]);
    await start();
    await until(done(2));
    expect(batches).toEqual([['a', 'b']]);
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

  test('a kill from outside after the work, at a place where a death was seen: it is not counted', async () => {
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

  test('a death after the commit', async () => {
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

test('the marks cost one write per batch, and an unreachable state is an outage', async () => {
  const { log, state, start, send, done } = setUp();
  let writes = 0;
  const set = state.expiring.set;
  Object.assign(state.expiring, {
    set: (...call: Parameters<typeof set>) => {
      writes += 1;
      return set(...call);
    },
  });
  state.down = true;
  await send('a', 'b', 'c');
  const stream = await start();
  await until(() => !stream.health().healthy);
  expect(log.committed('main', 0)).toBeNull();
  state.down = false;
  writes = 0;
  await until(done(3));
  expect(writes).toBe(1);
});
