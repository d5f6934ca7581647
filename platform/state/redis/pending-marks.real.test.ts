import type { Redis } from 'ioredis';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from '#jest';
import { CUSTOMERS, PENDING_MARK_MS, SANDBOX_SLUGS, type State } from '../port.ts';
import {
  CUSTOMER,
  customer,
  idempotencyKey,
  KEY_HASH,
  NOON,
  putSandbox,
  reserveRequest,
  sandbox,
  seedCustomer,
} from '../testing/contract-seed.ts';
import { PATIENT_MS, redisBench } from '../testing/redis-server.ts';
import { LARGEST_MARK_BYTES } from './pending-marks.ts';

/** Cost of a customer's pending marks and audits on the server. */

const MAX_MARKS = 50;
const HALF_AN_HOUR_MS = PENDING_MARK_MS / 4;

const bench = redisBench();
let url: string;
let redis: Redis;
let state: State;
let atMs: number;
beforeAll(async () => {
  url = (await bench.server()).address;
  redis = bench.client(url);
});
afterAll(() => bench.close());
const open = (maxPendingMarks: number): Promise<State> =>
  bench.state(url, { now: () => atMs, maxPendingMarks, commandTimeoutMs: PATIENT_MS });
beforeEach(async () => {
  await redis.flushdb();
  atMs = NOON;
  state = await open(MAX_MARKS);
  await seedCustomer(state, { ratePerSecond: 1e6, burst: 1e6 });
});

/** Reserves `count` audits at once; returns their ids. */
async function ingest(count: number, into = state): Promise<string[]> {
  const ids = Array.from({ length: count }, () => v7({ msecs: atMs }));
  const outcome = await into.admission.reserve(reserveRequest(ids, { acceptedAt: atMs }));
  expect(outcome).toMatchObject({ kind: 'begun', seed: { items: ids.map((auditId) => ({ auditId })) } });
  return ids;
}
const marked = async (ids: readonly string[]): Promise<number> => {
  const marks = await Promise.all(ids.map((id) => state.admission.pendingMark(CUSTOMER, id)));
  return marks.filter((mark) => mark !== null).length;
};
const remove = (ids: readonly string[]): Promise<void> =>
  state.admission.removePendingMarks(ids.map((auditId) => ({ customerId: CUSTOMER, auditId })));

test('a customer has no more marks than the limit; further audits are accepted without marks', async () => {
  const first = await ingest(MAX_MARKS);
  const more = [...(await ingest(20)), ...(await ingest(1))];
  expect([await marked(first), await marked(more)]).toEqual([MAX_MARKS, 0]);
  expect(await state.admission.auditCount(CUSTOMER, atMs)).toBe(MAX_MARKS + 21);
  expect((await redis.keys('cas:mark:*')).length).toBe(MAX_MARKS);
});

test('a customer at the limit does not reduce the marks of others', async () => {
  await ingest(MAX_MARKS);
  await ingest(1);
  const other = 'cus-2';
  await state.documents.write(other, [
    { collection: CUSTOMERS, id: other, value: customer() },
    { collection: SANDBOX_SLUGS, id: 'support_bot', value: sandbox('support-bot') },
  ]);
  const [id] = [v7({ msecs: atMs })];
  await state.admission.reserve({ ...reserveRequest([id], { acceptedAt: atMs }), customerId: other });
  expect(await state.admission.pendingMark(other, id)).not.toBeNull();
});

test('stored audits make room at once, no matter how often and in which process the sink removes their marks', async () => {
  const first = await ingest(MAX_MARKS);
  expect(await marked(await ingest(1))).toBe(0);
  await remove(first.slice(0, 10));
  await remove([...first.slice(0, 10), 'no-uuid']);
  const next = await ingest(1);
  expect(await marked(next)).toBe(1);
  const second = await open(MAX_MARKS);
  expect(await marked(await ingest(MAX_MARKS, second))).toBe(MAX_MARKS);
  // Each process notices at its next count at the latest.
  for (let sent = 0; sent < MAX_MARKS; sent += 1) await ingest(1);
  expect(await marked(await ingest(1))).toBe(0);
});

test('expired marks make room', async () => {
  await ingest(MAX_MARKS);
  expect(await marked(await ingest(1))).toBe(0);
  atMs += PENDING_MARK_MS + HALF_AN_HOUR_MS;
  expect(await marked(await ingest(1))).toBe(1);
});

test('audits that certainly were not appended make room', async () => {
  const ids = Array.from({ length: MAX_MARKS }, () => v7({ msecs: atMs }));
  const outcome = await state.admission.reserve(reserveRequest(ids, { acceptedAt: atMs }));
  if (outcome.kind !== 'begun') throw new Error('nothing was reserved');
  await state.admission.abandon(CUSTOMER, outcome.seed, null, true);
  expect(await marked(await ingest(MAX_MARKS))).toBe(MAX_MARKS);
});

test('no mark takes more of the server’s memory than assumed', async () => {
  const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
  const count = 8_000;
  const owner = v7();
  const mark = {
    acceptedAt: atMs,
    sandboxId: v7(),
    sandboxSlug: 's'.repeat(64),
    provider: 'p'.repeat(64),
    model: '\u{d55c}'.repeat(128),
  };
  const before = await used();
  for (let set = 0; set < count; set += 500)
    await Promise.all(Array.from({ length: 500 }, () => state.admission.setPendingMark(owner, v7(), mark)));
  const bytes = ((await used()) - before) / count;
  expect(bytes).toBeGreaterThan(LARGEST_MARK_BYTES / 2);
  expect(bytes).toBeLessThanOrEqual(LARGEST_MARK_BYTES);
});

/** Number of calls per command that `run` causes on the server, including calls within scripts. */
async function commandsOf(run: () => Promise<unknown>): Promise<Record<string, number>> {
  await redis.config('RESETSTAT');
  await run();
  const text = await redis.info('commandstats');
  const calls = [...text.matchAll(/^cmdstat_([^:|]+)\S*?:calls=(\d+)/gm)].map(
    ([, name, count]) => [name!, Number(count)] as const,
  );
  return Object.fromEntries(calls.filter(([name]) => name !== 'info' && name !== 'config'));
}

test('an audit costs the server no additional commands, and marks are counted once per thousand', async () => {
  state = await open(1e6);
  await putSandbox(state, 'other', sandbox('other'));
  await state.admission.authenticate(KEY_HASH);
  await ingest(1);
  expect(await commandsOf(() => ingest(1))).toEqual({ evalsha: 1, exists: 1, hmget: 2, hincrby: 1, set: 1 });
  // EVAL sends a script to a new server once.
  const { eval: _sent, ...thousand } = await commandsOf(async () => {
    for (let sent = 0; sent < 1_000; sent += 1) await ingest(1);
  });
  expect(thousand).toEqual({
    ...{ evalsha: 1_001, exists: 1_000, hmget: 2_000, hincrby: 1_001, set: 1_000 },
    // Commands of the count.
    ...{ pexpire: 1, hgetall: 1 },
  });
});

test('an audit with an Idempotency-Key costs four more commands, and its answer a separate call', async () => {
  const key = { ...idempotencyKey('first'), budgetBytes: 1e9 };
  const again = { ...idempotencyKey('second'), budgetBytes: 1e9 };
  const reserve = (idempotency: typeof key) =>
    state.admission.reserve(reserveRequest([v7({ msecs: atMs })], { acceptedAt: atMs, idempotency }));
  const settle = (idempotency: typeof key) =>
    state.idempotency.settle(CUSTOMER, idempotency, { statusCode: 202, body: '{}' });
  await reserve(key);
  await settle(key);
  expect(await commandsOf(() => reserve(again))).toEqual({
    ...{ evalsha: 1, exists: 1, hmget: 2, hincrby: 1, set: 1 },
    ...{ get: 1, hgetall: 1 },
    // Its bytes are counted, and the attempt is kept.
    ...{ hincrby: 2, set: 2 },
  });
  expect(await commandsOf(() => settle(again))).toEqual({ evalsha: 1, get: 1, set: 1, hincrby: 1 });
});
