import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { StreamHealth } from '../stream/run-stream.ts';
import { readinessOf } from './readiness.ts';

const HEALTHY: StreamHealth = { joined: true, healthy: true, stopped: null, stalled: [], ready: true };
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

test.each([
  [{ stopped: new Error('why'), healthy: false }, 'stopped by itself; see the log'],
  [{ joined: false }, 'has not joined its group'],
  [{ healthy: false }, 'waits for a part that cannot be reached'],
  [{ stalled: ['t/3'] }, 'records wait and the offset does not move: t/3'],
] as const)('a consumer with %o', async (trouble, message) => {
  const readiness = readinessOf({}, { sink: { health: () => ({ ...HEALTHY, ...trouble, ready: false }) } });
  expect((await readiness()).checks).toEqual({ sink: { ok: false, message } });
});
