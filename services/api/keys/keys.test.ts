import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { pageOf, signUp } from '../testing/accounts.ts';
import { type Answered, type Harness, internalHeaders, startHarness } from '../testing/harness.ts';
import { openTestSession } from '../testing/sessions.ts';

let harness: Harness;
let page: Readonly<Record<string, string>>;
let customerId: string;
beforeAll(async () => {
  const at = Date.now();
  harness = await startHarness({ clock: () => at });
  const made = await signUp(harness);
  page = pageOf(made);
  customerId = made.body.customer.id;
});
afterAll(() => harness.close());

const send = (method: 'GET' | 'POST' | 'DELETE', url: string, more: object = {}): Promise<Answered> =>
  harness.call({ method, url, headers: page, ...more });

describe('keys of the signed-in customer', () => {
  test('are shown once, work at once, and fail at once when revoked', async () => {
    const made = await send('POST', '/api-keys', { payload: { name: 'Checkout' } });
    expect(made.status).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    const { id, key } = made.body;
    const withKey = () => harness.call({ url: '/sandboxes', headers: { 'x-service-key': key } });
    expect((await withKey()).status).toBe(200);
    const listed = await send('GET', '/api-keys');
    expect(listed.body.data).toEqual([
      expect.objectContaining({ id, name: 'Checkout', prefix: key.slice(0, 8), status: 'active' }),
    ]);
    expect(listed.text).not.toContain(key);
    const revoked = await send('DELETE', `/api-keys/${id}`);
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    expect((await withKey()).status).toBe(401);
    expect((await send('DELETE', `/api-keys/${id}`)).body.status).toBe('revoked');
    expect((await send('GET', '/api-keys')).body.data[0]).toMatchObject({ id, status: 'revoked' });
  });

  test('are made once under an Idempotency-Key, and a repeat does not show the value', async () => {
    const headers = { ...page, 'idempotency-key': 'k1' };
    const [first, again] = [
      await send('POST', '/api-keys', { headers, payload: {} }),
      await send('POST', '/api-keys', { headers, payload: {} }),
    ];
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect([again.body.key, again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    // Another customer's key of the same name is a different one.
    const other = pageOf(await signUp(harness));
    const answer = await send('POST', '/api-keys', {
      headers: { ...other, 'idempotency-key': 'k1' },
      payload: {},
    });
    expect(answer.body.id).not.toBe(first.body.id);
  });

  test('of another customer are not found', async () => {
    const other = pageOf(await signUp(harness));
    const { id } = (await send('POST', '/api-keys', { payload: {} })).body;
    const answer = await send('DELETE', `/api-keys/${id}`, { headers: other });
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await send('GET', '/api-keys', { headers: other })).body.data).toEqual([]);
  });

  test('are made only with a session, so a leaked key makes no others', async () => {
    const { key } = (await send('POST', '/api-keys', { payload: {} })).body;
    const before = (await send('GET', '/api-keys')).body.pagination.total;
    for (const headers of [{ 'x-service-key': key }, { ...page, 'x-service-key': key }]) {
      const answers = [
        await send('GET', '/api-keys', { headers }),
        await send('POST', '/api-keys', { headers, payload: {} }),
        await send('DELETE', '/api-keys/some', { headers }),
      ];
      for (const { status, body } of answers) expect([status, body.code]).toEqual([403, 'SESSION_REQUIRED']);
    }
    expect((await send('GET', '/api-keys')).body.pagination.total).toBe(before);
  });

  test('are not made without the CSRF token', async () => {
    const { cookie = '' } = page;
    const answer = await send('POST', '/api-keys', { headers: { cookie }, payload: {} });
    expect([answer.status, answer.body.code]).toEqual([403, 'CSRF']);
  });
});

describe('a request with key and session', () => {
  test('uses the key for customer, rate and refusals, and needs no CSRF token', async () => {
    const other = await harness.customer('PRO');
    const { cookie = '' } = page;
    const payload = { name: 'One', slug: 'one', sandboxType: 'PII_DETECTION' };
    const made = await send('POST', '/sandboxes', { headers: { cookie, ...other.headers }, payload });
    expect([made.status, made.headers['x-ratelimit-limit']]).toEqual([201, '1000000']);
    expect((await send('GET', '/sandboxes')).body.data).toEqual([]);
    const wrong = { cookie, 'x-service-key': `cas_${'0'.repeat(48)}` };
    expect((await send('GET', '/sandboxes', { headers: wrong })).body.code).toBe('INVALID_KEY');
  });
});

test('usage shows how much of the plan is used', async () => {
  const payload = { name: 'One', slug: 'one', sandboxType: 'PII_DETECTION' };
  await send('POST', '/sandboxes', { payload });
  const triplet = { sandboxSlug: 'one', provider: 'openai', model: 'gpt-5', prompt: 'Hello', response: 'Hi' };
  for (let n = 0; n < 2; n += 1)
    expect((await send('POST', '/audit/ingest', { payload: triplet })).status).toBe(202);
  const { data: _data, ...usage } = (await send('GET', '/usage')).body;
  expect(usage).toEqual({
    plan: 'DEV',
    period: new Date(harness.dependencies.now()).toISOString().slice(0, 7),
    audits: { used: 2, quota: 1_000 },
    sandboxes: { used: 1, quota: 1 },
    rate: 10,
    burst: 50,
  });
  await harness.call({
    method: 'PATCH',
    url: `/internal/customers/${customerId}`,
    headers: internalHeaders,
    payload: { plan: 'PRO', rate: 7 },
  });
  expect((await send('GET', '/usage')).body).toMatchObject({
    plan: 'PRO',
    audits: { used: 2, quota: null },
    sandboxes: { used: 1, quota: 10 },
    rate: 7,
  });
});

test('a session’s large batch is charged to the session, not to the customer', async () => {
  const customer = await harness.customer('PRO');
  const session = await openTestSession(harness, customer.id);
  await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload: { name: 'One', slug: 'one', sandboxType: 'PII_DETECTION' },
  });
  const triplet = { sandboxSlug: 'one', provider: 'openai', model: 'gpt-5', prompt: 'Hello', response: 'Hi' };
  const before = await harness.state.admission.takeRate(customer.id, 0);
  const answer = await harness.call({
    method: 'POST',
    url: '/audit/ingest/batch',
    headers: session.headers,
    payload: Array.from({ length: 900 }, () => triplet),
  });
  expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([202, '50']);
  expect(answer.headers['x-ratelimit-remaining']).toBe('41');
  const after = await harness.state.admission.takeRate(customer.id, 0);
  expect(after.remaining).toBe(before.remaining);
});
