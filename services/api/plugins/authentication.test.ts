import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import { ROUTES } from '../../../schemas/api/routes.ts';
import {
  type Harness,
  INTERNAL_SECRET,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
const UNKNOWN_ID = '01930000-0000-7000-8000-000000000000';

beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
});
afterAll(() => harness.close());

const KEYED = ROUTES.filter(({ auth }) => auth === 'key').map((route) => [route.operationId, route] as const);
const INTERNAL = ROUTES.filter(({ auth }) => auth === 'internal').map(
  (route) => [route.operationId, route] as const,
);
const requestOf = (route: (typeof ROUTES)[number], headers: Record<string, string>): InjectOptions => ({
  method: route.method,
  url: route.path.replace(/:[^/]+/g, UNKNOWN_ID),
  headers,
  ...(route.body ? { payload: {} } : {}),
});

describe('who may call', () => {
  test.each(KEYED)('%s: no key, malformed, unknown, the internal secret', async (_id, route) => {
    const missing = await harness.call(requestOf(route, internalHeaders));
    expect([missing.status, missing.body.message]).toEqual([401, 'Missing x-service-key header']);
    expect(missing.headers['x-ratelimit-limit']).toBeUndefined();
    for (const key of ['abc', `cas_${'0'.repeat(48)}`, customer.key.toUpperCase()]) {
      const answer = await harness.call(requestOf(route, { 'x-service-key': key }));
      expect([answer.status, answer.body.message]).toEqual([401, 'Invalid API key']);
    }
    harness.skew += 10_000;
  });

  test.each(INTERNAL)('%s: no secret, a wrong one, a key', async (_id, route) => {
    for (const headers of [{}, { 'x-internal-secret': 'x' }, { 'x-internal-secret': '' }, customer.headers]) {
      const answer = await harness.call(requestOf(route, headers as Record<string, string>));
      expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_INTERNAL_SECRET']);
    }
    harness.skew += 10_000;
  });

  test('without any secret the internal paths are closed', async () => {
    const closed = await startHarness({ parts: { internalSecrets: [] } });
    const answer = await closed.call({ url: '/internal/customers', headers: { 'x-internal-secret': '' } });
    expect(answer.status).toBe(401);
    await closed.close();
  });

  test('two secrets hold at once', async () => {
    const rotating = await startHarness({
      parts: { internalSecrets: ['old-secret-0123456', INTERNAL_SECRET] },
    });
    for (const secret of ['old-secret-0123456', INTERNAL_SECRET]) {
      const answer = await rotating.call({
        url: '/internal/customers',
        headers: { 'x-internal-secret': secret },
      });
      expect(answer.status).toBe(200);
    }
    await rotating.close();
  });

  test('an address that fails too often gets 429, a valid key behind it passes', async () => {
    harness.skew += 60_000;
    const statuses = [];
    for (let i = 0; i < 101; i += 1) statuses.push((await harness.call({ url: '/sandboxes' })).status);
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true);
    const refused = await harness.call({ url: '/sandboxes', headers: { 'x-service-key': 'abc' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await harness.call({ url: '/sandboxes', headers: customer.headers })).status).toBe(200);
    harness.skew += 60_000;
  });
});

describe('rate limit', () => {
  test('headers on every authenticated answer; 429 with Retry-After', async () => {
    const slow = await harness.customer('DEV', { rate: 1, burst: 2 });
    const call = (url: string) => harness.call({ url, headers: slow.headers });
    const first = await call('/sandboxes');
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'ratelimit-policy': '"default";q=2;w=2',
    });
    expect(Number(first.headers['x-ratelimit-reset'])).toBeGreaterThan(harness.parts.now() / 1000 - 1);
    const second = await call('/sandboxes/unknown');
    expect([second.status, second.headers['x-ratelimit-remaining']]).toEqual([404, '0']);
    const third = await harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers: { ...slow.headers, 'content-type': 'text/plain' },
      payload: 'x'.repeat(3 * 1024 * 1024),
    });
    expect([third.status, third.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(third.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-remaining': '0' });
    harness.skew += 2_000;
    expect((await call('/sandboxes')).status).toBe(200);
  });
});
