import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { type Harness, INTERNAL_SECRET, startHarness } from '../../testing/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('callers', () => {
  test('cannot reach internal paths if no secret is configured', async () => {
    const closed = await startHarness({ dependencies: { internalSecrets: [] } });
    const answer = await closed.call({ url: '/internal/customers', headers: { 'x-internal-secret': '' } });
    expect(answer.status).toBe(401);
    await closed.close();
  });

  test('may use either of two secrets', async () => {
    const rotating = await startHarness({
      dependencies: { internalSecrets: ['old-secret-0123456', INTERNAL_SECRET] },
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

  test('get 429 after too many failures, but pass with a valid key at the same address', async () => {
    const at = Date.now();
    const stopped = await startHarness({ dependencies: { now: () => at } });
    const { headers } = await stopped.customer();
    const statuses = [];
    for (let i = 0; i < 101; i += 1) statuses.push((await stopped.call({ url: '/sandboxes' })).status);
    expect(statuses).toEqual([...Array.from({ length: 100 }, () => 401), 429]);
    const refused = await stopped.call({ url: '/sandboxes', headers: { 'x-service-key': 'abc' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await stopped.call({ url: '/sandboxes', headers })).status).toBe(200);
    await stopped.close();
  });
});

describe('the rate limit', () => {
  test('sets headers on every authenticated answer, and answers 429 with Retry-After', async () => {
    const slow = await harness.customer('DEV', { rate: 1, burst: 2 });
    const call = (url: string) => harness.call({ url, headers: slow.headers });
    const first = await call('/sandboxes');
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'ratelimit-policy': '"default";q=2;w=2',
    });
    expect(Number(first.headers['x-ratelimit-reset'])).toBeGreaterThan(harness.dependencies.now() / 1000 - 1);
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
