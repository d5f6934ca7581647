import { afterEach, beforeEach, expect, jest, test } from '#jest';
import type { StreamHealth } from '#platform/stream/run-stream.ts';
import { type Look, readinessOf } from './readiness.ts';

const HEALTHY: StreamHealth = {
  joined: true,
  healthy: true,
  stopped: null,
  stalled: [],
  stoppedPartitions: [],
  ready: true,
};
const answering = { ping: async () => undefined };
const refusing = { ping: () => Promise.reject(new Error('secret address')) };
const silent = () => new Promise<never>(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('is ready if every dependency answers and every consumer works, in this or another thread', async () => {
  const readiness = readinessOf({
    needed: { log: answering },
    consumers: { sink: { health: () => HEALTHY }, analyzer: { health: async () => HEALTHY } },
  });
  expect(await readiness()).toEqual({
    status: 'ready',
    checks: { log: { ok: true }, sink: { ok: true }, analyzer: { ok: true } },
  });
});

test('reports a dependency that refuses, a silent dependency and a silent thread separately', async () => {
  const readiness = readinessOf({
    needed: { log: answering, state: refusing, warehouse: { ping: silent } },
    consumers: { sink: { health: silent }, analyzer: { health: () => HEALTHY } },
  })();
  await jest.advanceTimersByTimeAsync(2_000);
  const late = { ok: false, message: 'no response within 2000 ms' };
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
  ['refuses', refusing, 'cannot be reached'],
  ['is silent', { ping: silent }, 'no response within 2000 ms'],
])('a useful dependency that %s only degrades the process', async (_how, warehouse, message) => {
  const readiness = readinessOf({ needed: { log: answering }, useful: { warehouse } })();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await readiness).toEqual({
    status: 'degraded',
    checks: { log: { ok: true }, warehouse: { ok: false, message } },
  });
  const worse = readinessOf({ needed: { log: refusing }, useful: { warehouse } })();
  await jest.advanceTimersByTimeAsync(2_000);
  expect((await worse).status).toBe('unready');
});

test('a check that cannot answer degrades the process; one that fails makes it unready unless it still serves', async () => {
  const status = async (look: () => Promise<Look>) => {
    const report = readinessOf({ needed: { log: answering }, checks: { ledger: look } })();
    await jest.advanceTimersByTimeAsync(2_000);
    return (await report).status;
  };
  expect(await status(silent)).toBe('degraded');
  expect(await status(() => Promise.reject(new Error('no warehouse')))).toBe('degraded');
  expect(await status(async () => ({ ok: false, serves: true }))).toBe('degraded');
  expect(await status(async () => ({ ok: false, message: 'the state is older' }))).toBe('unready');
  expect(await status(async () => ({ ok: true, message: 'a note' }))).toBe('ready');
});

test('a silent dependency is called once, however often readiness is read', async () => {
  let asked = 0;
  const ping = () => {
    asked += 1;
    return silent();
  };
  const readiness = readinessOf({ needed: {}, useful: { warehouse: { ping } } });
  for (let read = 0; read < 5; read += 1) {
    const report = readiness();
    await jest.advanceTimersByTimeAsync(2_000);
    expect((await report).status).toBe('degraded');
  }
  expect(asked).toBe(1);
});

test('a stopped partition is reported, and the service still accepts requests', async () => {
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
  const message = 'stopped partitions: audit.ledger/3 (CORE_HASH); run "cas partitions" to see why';
  const stopped = { needed: { log: answering }, consumers: { sink: { health: health({}) } } };
  expect(await readinessOf(stopped)()).toEqual({
    status: 'degraded',
    checks: { log: { ok: true }, sink: { ok: false, message } },
  });
  const sink = { health: health({ ready: false, healthy: false }) };
  expect((await readinessOf({ needed: {}, consumers: { sink } })()).status).toBe('unready');
});

test.each([
  [{ stopped: new Error('why'), healthy: false }, 'stopped unexpectedly; see the log', 'unready'],
  [{ joined: false }, 'has not joined its consumer group yet', 'unready'],
  [{ healthy: false }, 'waiting for an unreachable dependency', 'degraded'],
  [{ stalled: ['t/3'] }, 'records are pending but the offset is not advancing: t/3', 'unready'],
] as const)('a consumer with %o', async (trouble, message, whileServing) => {
  const consumers = { sink: { health: () => ({ ...HEALTHY, ...trouble, ready: false }) } };
  const checks = { sink: { ok: false, message } };
  expect(await readinessOf({ needed: {}, consumers })()).toEqual({ status: 'unready', checks });
  const taking = readinessOf({ needed: {}, consumers, servesWhileWaiting: true });
  expect(await taking()).toEqual({ status: whileServing, checks });
});
