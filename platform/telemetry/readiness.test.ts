import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { StreamHealth } from '#platform/stream/run-stream.ts';
import { readinessOf } from './readiness.ts';

const HEALTHY: StreamHealth = {
  joined: true,
  healthy: true,
  stopped: null,
  stalled: [],
  stoppedPartitions: [],
  ready: true,
};
const answering = { ping: async () => undefined };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('ready when every part answers and every consumer works, here or in another thread', async () => {
  const readiness = readinessOf(
    { log: answering },
    { sink: { health: () => HEALTHY }, analyzer: { health: async () => HEALTHY } },
  );
  expect(await readiness()).toEqual({
    status: 'ready',
    checks: { log: { ok: true }, sink: { ok: true }, analyzer: { ok: true } },
  });
});

test('a part that refuses, one that is silent and a thread that is silent are told apart from what works', async () => {
  const silent = () => new Promise<never>(() => undefined);
  const readiness = readinessOf(
    {
      log: answering,
      state: { ping: () => Promise.reject(new Error('secret address')) },
      warehouse: { ping: silent },
    },
    { sink: { health: silent }, analyzer: { health: () => HEALTHY } },
  )();
  await jest.advanceTimersByTimeAsync(2_000);
  const late = { ok: false, message: 'no answer within 2000 ms' };
  expect(await readiness).toEqual({
    status: 'unready',
    checks: {
      log: { ok: true },
      state: { ok: false, message: 'cannot be reached' },
      warehouse: late,
      sink: late,
      analyzer: { ok: true },
    },
  });
});

test('a stopped partition shows, and the service takes requests all the same', async () => {
  const stop = {
    topic: 'audit.ledger',
    partition: 3,
    kind: 'RECORD_REFUSED',
    reason: 'CORE_HASH',
    offset: 7,
    untilOffset: null,
    message: 'what to do',
    since: 0,
  } as const;
  const health = (change: Partial<StreamHealth>) => () => ({
    ...HEALTHY,
    stoppedPartitions: [stop],
    ...change,
  });
  const message = 'stopped partitions, see "cas partitions": audit.ledger/3 (CORE_HASH)';
  expect(await readinessOf({ log: answering }, { sink: { health: health({}) } })()).toEqual({
    status: 'ready',
    checks: { log: { ok: true }, sink: { ok: false, message } },
  });
  const worse = await readinessOf({}, { sink: { health: health({ ready: false, healthy: false }) } })();
  expect(worse.status).toBe('unready');
});

test.each([
  [{ stopped: new Error('why'), healthy: false }, 'stopped by itself; see the log'],
  [{ joined: false }, 'has not joined its group'],
  [{ healthy: false }, 'waits for a part that cannot be reached'],
  [{ stalled: ['t/3'] }, 'records wait and the offset does not move: t/3'],
] as const)('a consumer with %o', async (trouble, message) => {
  const readiness = readinessOf({}, { sink: { health: () => ({ ...HEALTHY, ...trouble, ready: false }) } });
  expect((await readiness()).checks).toEqual({ sink: { ok: false, message } });
});
