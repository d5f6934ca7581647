import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { KeyDestroyed, type Sealer } from '#platform/sealing/port.ts';
import { WarehouseUnavailable } from '#platform/warehouse/port.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import {
  emptyWarehouse,
  type Harness,
  INTERNAL_SECRET,
  startHarness,
  type TestCustomer,
} from '../testing/harness.ts';

/** Dependencies that are down, and what a request then reveals: none of its text. */

const lines: string[] = [];
const logger = pino(
  { level: 'trace' },
  new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  }),
);
let warehouseDown = false;
let destroyed = false;
let listeners = 0;
let stored = (): void => undefined;
const onStored: NonNullable<ApiDependencies['onStored']> = (_auditId, listener) => {
  listeners += 1;
  stored = listener;
  return () => {
    listeners -= 1;
  };
};

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  const warehouse = emptyWarehouse();
  warehouse.query = async () => {
    if (warehouseDown) throw new WarehouseUnavailable('no connection', null);
    return [];
  };
  harness = await startHarness({ warehouse, dependencies: { logger, onStored } });
  const keyring = harness.dependencies.keyring as { seal: Sealer['seal'] };
  const { seal } = keyring;
  keyring.seal = (...sealed) => (destroyed ? Promise.reject(new KeyDestroyed()) : seal(...sealed));
  customer = await harness.customer();
  const made = await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload: { name: 'n', slug: 'support', sandboxType: 'CUSTOM' },
  });
  expect(made.status).toBe(201);
});
afterAll(() => harness.close());

const CANARY = 'canary-4111-1111';
const ingest = (payload: unknown = triplet) =>
  harness.call({
    method: 'POST',
    url: '/audit/ingest',
    headers: { ...customer.headers, 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
const triplet = {
  sandboxSlug: 'support',
  provider: 'openai',
  model: 'm',
  prompt: CANARY,
  response: CANARY,
  metadata: { thinkingBlock: CANARY, customFields: { [CANARY]: CANARY } },
};

describe('a warehouse outage', () => {
  test('fails reads, but an audit that was just accepted is known', async () => {
    const accepted = await ingest();
    warehouseDown = true;
    for (const url of [
      '/dashboard/signals',
      '/evidence/hash-chain/verify',
      `/audits/${harness.dependencies.newId(1)}`,
    ]) {
      const answer = await harness.call({ url, headers: customer.headers });
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
        503,
        'UNAVAILABLE',
        '1',
      ]);
    }
    const audit = await harness.call({ url: `/audits/${accepted.body.auditId}`, headers: customer.headers });
    expect([audit.status, audit.body.status]).toEqual([200, 'QUEUED']);
    expect((await ingest()).status).toBe(202);
    warehouseDown = false;
  });
});

test('a customer whose key was destroyed is refused, and its count is released', async () => {
  const count = () => harness.state.admission.auditCount(customer.id, harness.dependencies.now());
  const before = await count();
  destroyed = true;
  const answer = await ingest();
  destroyed = false;
  expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_KEY']);
  expect(await count()).toBe(before);
});

test('a waiting answer subscribes only while it waits', async () => {
  const { body } = await ingest();
  let reads = 0;
  const answer = harness.call({ url: `/audits/${body.auditId}?wait=1`, headers: customer.headers });
  const waking = setInterval(() => {
    reads += 1;
    stored();
  }, 5);
  expect((await answer).body.status).toBe('QUEUED');
  clearInterval(waking);
  expect(reads).toBeGreaterThan(0);
  expect(listeners).toBe(0);
});

test('no text of a request, no key and no secret is in a log line, an error, a metric or a record', async () => {
  const texts: string[] = [];
  const sent = async (payload?: unknown): Promise<void> => {
    const answer = await ingest(payload);
    if (answer.status !== 202) texts.push(answer.text);
  };
  await sent();
  await sent(`{"prompt":"${CANARY}`);
  await sent({ ...triplet, model: `${CANARY}\n` });
  await sent({ ...triplet, provider: `${CANARY}?`.toUpperCase() });
  await sent({ ...triplet, sandboxSlug: 'unknown' });
  await sent({ ...triplet, metadata: { customFields: { a: CANARY.repeat(2_000) } } });
  for (const mode of ['refuses', 'lost answer'] as const) {
    harness.log.mode = mode;
    await sent();
  }
  harness.log.mode = 'takes';
  warehouseDown = true;
  const denied = { ...customer.headers, 'x-internal-secret': INTERNAL_SECRET };
  texts.push((await harness.call({ url: `/dashboard/signals?provider=${CANARY}`, headers: denied })).text);
  warehouseDown = false;
  texts.push((await harness.call({ url: '/metrics' })).text, ...lines);
  texts.push(
    ...harness.log.records.map((record) => record.value.toString('latin1') + JSON.stringify(record.headers)),
  );
  expect(lines.length).toBeGreaterThan(0);
  for (const text of texts) {
    for (const secret of [CANARY, customer.key, customer.key.slice(8), INTERNAL_SECRET]) {
      expect(text.includes(secret)).toBe(false);
    }
  }
});

test('a closing server completes a waiting answer with what is known', async () => {
  const closing = await startHarness();
  const { headers } = await closing.customer();
  await closing.call({
    method: 'POST',
    url: '/sandboxes',
    headers,
    payload: { name: 'n', slug: 'held', sandboxType: 'CUSTOM' },
  });
  const triplet = { sandboxSlug: 'held', provider: 'openai', model: 'm', prompt: 'p', response: '' };
  const accepted = await closing.call({ method: 'POST', url: '/audit/ingest', headers, payload: triplet });
  const url = `/audits/${accepted.body.auditId}?wait=30`;
  const held = closing.call({ method: 'GET', url, headers });
  const startedAt = performance.now();
  await closing.close();
  expect((await held).body).toMatchObject({ status: 'QUEUED' });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
