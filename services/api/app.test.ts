import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { API_KEYS, SANDBOX_SLUGS } from '#platform/state/port.ts';
import { type Harness, startHarness, type TestCustomer } from './testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
const triplet = { sandboxSlug: 'support', provider: 'openai', model: 'm', prompt: 'p', response: 'r' };
const JSON_TYPE = { 'content-type': 'application/json' };
const UNKNOWN_ID = '01930000-0000-7000-8000-000000000000';

beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  const made = await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload: { name: 'Support', slug: 'support', sandboxType: 'CUSTOM' },
  });
  expect(made.status).toBe(201);
  await harness.settled();
});
afterAll(() => harness.close());

/** Everything that a refused request must leave untouched. */
const footprint = async () => ({
  records: harness.log.records.length,
  count: await harness.state.admission.auditCount(customer.id, harness.dependencies.now()),
  sandboxes: (await harness.state.documents.list(customer.id, SANDBOX_SLUGS)).length,
  keys: (await harness.state.documents.list(customer.id, API_KEYS)).length,
  customers: (await harness.state.documents.list('system', 'customerIndex')).length,
  pending: (await harness.state.documents.withPending(10)).length,
});

type Sent = Pick<InjectOptions, 'method' | 'url' | 'payload'> & { headers?: Record<string, string> };
type Refusal = readonly [name: string, sent: (() => Sent) | Sent, status: number, code: string];

async function expectRefusal(sent: Refusal[1], status: number, code: string): Promise<void> {
  const before = await footprint();
  const { headers, ...request } = typeof sent === 'function' ? sent() : sent;
  const answer = await harness.call({ ...request, headers: { ...customer.headers, ...headers } });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.requestId).toMatch(/^[0-9a-f-]{36}$/);
  await harness.settled();
  expect(await footprint()).toEqual(before);
}

const ingest = (payload: unknown, headers: Record<string, string> = JSON_TYPE): Sent => ({
  method: 'POST',
  url: '/audit/ingest',
  payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
  headers,
});
const without = (name: string): object =>
  Object.fromEntries(Object.entries(triplet).filter(([key]) => key !== name));
const nested = (depth: number): unknown => (depth === 1 ? {} : { a: nested(depth - 1) });
const customFields = (value: unknown) => ingest({ ...triplet, metadata: { customFields: value } });

const BAD_INGESTS: readonly Refusal[] = [
  ...Object.keys(triplet).map(
    (name): Refusal => [`no ${name}`, ingest(without(name)), 400, 'INVALID_REQUEST'],
  ),
  ...Object.keys(triplet).map(
    (name): Refusal => [`${name} a number`, ingest({ ...triplet, [name]: 1 }), 400, 'INVALID_REQUEST'],
  ),
  ['empty prompt', ingest({ ...triplet, prompt: '' }), 400, 'INVALID_REQUEST'],
  [
    'provider with other punctuation',
    ingest({ ...triplet, provider: 'OpenAI (EU)' }),
    400,
    'INVALID_REQUEST',
  ],
  ['model with a line break', ingest({ ...triplet, model: 'a\nb' }), 400, 'INVALID_REQUEST'],
  ['model of 129 characters', ingest({ ...triplet, model: 'm'.repeat(129) }), 400, 'INVALID_REQUEST'],
  ['metadata a list', ingest({ ...triplet, metadata: [] }), 400, 'INVALID_REQUEST'],
  ['model null', ingest({ ...triplet, model: null }), 400, 'INVALID_REQUEST'],
  ['negative tokens', ingest({ ...triplet, metadata: { promptTokens: -1 } }), 400, 'INVALID_REQUEST'],
  ['broken tokens', ingest({ ...triplet, metadata: { outputTokens: '1,5' } }), 400, 'INVALID_REQUEST'],
  ['customFields a list', customFields([]), 400, 'INVALID_REQUEST'],
  ['customFields of depth 9', customFields(nested(9)), 400, 'CUSTOM_FIELDS_TOO_LARGE'],
  [
    'customFields of depth 8 and a scalar',
    customFields({ a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } }),
    400,
    'CUSTOM_FIELDS_TOO_LARGE',
  ],
  ['customFields over 16 KiB', customFields({ a: 'x'.repeat(16 * 1024) }), 400, 'CUSTOM_FIELDS_TOO_LARGE'],
  [
    'customFields nested without end',
    ingest(
      `{"sandboxSlug":"support","provider":"o","model":"m","prompt":"p","response":"","metadata":{"customFields":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
    ),
    400,
    'INVALID_REQUEST',
  ],
  [
    'customFields nested deeper than they may',
    ingest(
      `{"sandboxSlug":"support","provider":"o","model":"m","prompt":"p","response":"","metadata":{"customFields":{"a":${'['.repeat(50)}${']'.repeat(50)}}}}`,
    ),
    400,
    'CUSTOM_FIELDS_TOO_LARGE',
  ],
  [
    'unknown field nested without end',
    ingest(
      `{"sandboxSlug":"support","provider":"o","model":"m","prompt":"p","response":"","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ),
    400,
    'INVALID_REQUEST',
  ],
  [
    'the same with half a surrogate pair',
    ingest(
      `{"sandboxSlug":"support","provider":"o","model":"m","prompt":"p","response":"\\ud800","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ),
    400,
    'INVALID_REQUEST',
  ],
  [
    'a number out of range',
    ingest(JSON.stringify(triplet).replace('}', ',"x":1e999}')),
    400,
    'INVALID_REQUEST',
  ],
  ['unknown sandbox', ingest({ ...triplet, sandboxSlug: 'unknown' }), 400, 'SANDBOX_NOT_FOUND'],
  ['3 MiB', ingest({ ...triplet, prompt: 'x'.repeat(3 * 1024 * 1024) }), 413, 'BODY_TOO_LARGE'],
  [
    '17 MiB of another type',
    ingest('x'.repeat(17 * 1024 * 1024), { 'content-type': 'text/plain' }),
    413,
    'BODY_TOO_LARGE',
  ],
  ['another type', ingest(triplet, { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['an unreadable type', ingest(triplet, { 'content-type': '///' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'another charset',
    ingest(triplet, { 'content-type': 'application/json; charset=utf-16' }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'compressed in another way',
    ingest(triplet, { ...JSON_TYPE, 'content-encoding': 'br' }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['broken JSON', ingest('{"prompt": "secret'), 400, 'INVALID_JSON'],
  ['no body', { method: 'POST', url: '/audit/ingest' }, 400, 'INVALID_JSON'],
  ['empty body', ingest(''), 400, 'INVALID_JSON'],
  ['not UTF-8', ingest(Buffer.from([0x22, 0xff, 0x22])), 400, 'INVALID_JSON'],
  ['a list', ingest([triplet]), 400, 'INVALID_REQUEST'],
  ['null', ingest('null'), 400, 'INVALID_REQUEST'],
];

describe('ingest refuses and changes nothing', () => {
  test.each(BAD_INGESTS)('%s', (_name, sent, status, code) => expectRefusal(sent, status, code));

  test('an answer never quotes the body', async () => {
    const answer = await harness.call({
      ...ingest('{"prompt": "marker-7'),
      headers: { ...customer.headers, ...JSON_TYPE },
    });
    expect(answer.text).not.toContain('marker');
  });

  test('depth 8 and 16 KiB of customFields are accepted', async () => {
    for (const fields of [nested(8), { a: 'x'.repeat(16 * 1024 - '{"a":""}'.length) }]) {
      const answer = await harness.call({
        ...customFields(fields),
        headers: { ...customer.headers, ...JSON_TYPE },
      });
      expect(answer.status).toBe(202);
    }
  });

  test('keys such as __proto__ are data', async () => {
    const payload = `{"__proto__":{"sandboxSlug":"x"},"constructor":1,${JSON.stringify({ ...triplet, metadata: {} }).slice(1, -2)}"customFields":{"__proto__":{"polluted":true}}}}`;
    const answer = await harness.call({ ...ingest(payload), headers: { ...customer.headers, ...JSON_TYPE } });
    expect(answer.status).toBe(202);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const onlyInherited = `{"__proto__":${JSON.stringify(triplet)}}`;
    await expectRefusal(ingest(onlyInherited), 400, 'INVALID_REQUEST');
  });
});

const sandboxOf = (fields: object): Sent => ({
  method: 'POST',
  url: '/sandboxes',
  payload: { name: 'n', slug: 'new', sandboxType: 'CUSTOM', ...fields },
});

const BAD_REQUESTS: readonly Refusal[] = [
  ['unknown path', { url: '/nowhere' }, 404, 'NOT_FOUND'],
  [
    'unknown path, broken body',
    { method: 'POST', url: '/nowhere', payload: '{', headers: { 'content-encoding': 'br' } },
    404,
    'NOT_FOUND',
  ],
  ['a path of a later release', { method: 'POST', url: '/webhooks', payload: {} }, 404, 'NOT_FOUND'],
  ['trailing slash', { url: '/sandboxes/' }, 404, 'NOT_FOUND'],
  ['other method', { method: 'DELETE', url: '/audit/ingest' }, 405, 'METHOD_NOT_ALLOWED'],
  ['OPTIONS', { method: 'OPTIONS', url: '/sandboxes' }, 405, 'METHOD_NOT_ALLOWED'],
  ['a rare method', { method: 'SEARCH' as 'GET', url: '/sandboxes' }, 405, 'METHOD_NOT_ALLOWED'],
  ['a long address', { url: `/audits/${'a'.repeat(9_000)}` }, 414, 'URI_TOO_LONG'],
  ['broken percent-encoding', { url: '/audits/%zz' }, 400, 'INVALID_REQUEST'],
  ['no UUID', { url: '/audits/abc' }, 404, 'NOT_FOUND'],
  ['a long id', { url: `/audits/${'a'.repeat(2_000)}` }, 404, 'NOT_FOUND'],
  ['an unknown audit', { url: `/audits/${UNKNOWN_ID}` }, 404, 'NOT_FOUND'],
  ['an unknown signal', { url: `/dashboard/signals/${UNKNOWN_ID}` }, 404, 'NOT_FOUND'],
  ['an unknown sandbox', { url: '/sandboxes/unknown' }, 404, 'NOT_FOUND'],
  ['a wait that is not a number', { url: `/audits/${UNKNOWN_ID}?wait=soon` }, 400, 'INVALID_REQUEST'],
  ['page 0', { url: '/dashboard/signals?page=0' }, 400, 'INVALID_REQUEST'],
  ['limit 1.5', { url: '/dashboard/signals?limit=1.5' }, 400, 'INVALID_REQUEST'],
  ['a parameter twice', { url: '/dashboard/signals?page=1&page=2' }, 400, 'INVALID_REQUEST'],
  ['an unknown parameter twice', { url: '/sandboxes?x=1&x=2' }, 400, 'INVALID_REQUEST'],
  ['a deep page', { url: '/dashboard/signals?page=1001&limit=100' }, 400, 'PAGE_TOO_DEEP'],
  ['a broken cursor', { url: '/dashboard/signals?cursor=abc' }, 400, 'INVALID_CURSOR'],
  [
    'a cursor of another list',
    { url: `/sandboxes?cursor=${Buffer.from('[2,1]').toString('base64url')}` },
    400,
    'INVALID_CURSOR',
  ],
  ['an unknown level', { url: '/dashboard/signals?riskLevel=low' }, 400, 'INVALID_REQUEST'],
  ['an unknown violation', { url: '/dashboard/signals?violation=X' }, 400, 'INVALID_REQUEST'],
  ['an invalid date', { url: '/dashboard/signals?from=2026-02-30' }, 400, 'INVALID_REQUEST'],
  ['from after to', { url: '/dashboard/signals?from=2026-02-02&to=2026-02-01' }, 400, 'INVALID_REQUEST'],
  [
    'both pairs of dates',
    { url: '/dashboard/signals?from=2026-02-02&endDate=2026-02-03' },
    400,
    'INVALID_REQUEST',
  ],
  [
    'Content-Encoding without a body',
    { url: '/sandboxes', headers: { 'content-encoding': 'gzip' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['a sandbox over 64 KiB', sandboxOf({ name: 'x'.repeat(65 * 1024) }), 413, 'BODY_TOO_LARGE'],
  ['a slug in upper case', sandboxOf({ slug: 'Support' }), 400, 'INVALID_REQUEST'],
  ['a slug of one character', sandboxOf({ slug: 'a' }), 400, 'INVALID_REQUEST'],
  ['an unknown type', sandboxOf({ sandboxType: 'ALL' }), 400, 'INVALID_REQUEST'],
  ['a regulation in lower case', sandboxOf({ regulations: ['gdpr'] }), 400, 'INVALID_REQUEST'],
  ['a regulation from a prototype', sandboxOf({ regulations: ['constructor'] }), 400, 'INVALID_REQUEST'],
  ['a broken pattern', sandboxOf({ customRules: ['/(a+$/i'] }), 400, 'INVALID_REQUEST'],
  ['a blank rule', sandboxOf({ customRules: ['  '] }), 400, 'INVALID_REQUEST'],
  [
    '51 rules',
    sandboxOf({ customRules: Array.from({ length: 51 }, (_, i) => `r${i}`) }),
    400,
    'INVALID_REQUEST',
  ],
  ['a slug in use', sandboxOf({ slug: 'support' }), 409, 'SANDBOX_EXISTS'],
];

describe('other requests are refused and change nothing', () => {
  test.each(BAD_REQUESTS)('%s', (_name, sent, status, code) => expectRefusal(sent, status, code));

  test('405 names the methods', async () => {
    const answer = await harness.call({ method: 'PUT', url: '/sandboxes' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });

  test('405 names the methods of a literal path, not those of an id route that it matches', async () => {
    const answer = await harness.call({ method: 'OPTIONS', url: '/evidence/correlations/detect' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  test('a 404 needs no key and reveals nothing', async () => {
    const answer = await harness.call({ url: '/nowhere' });
    expect(answer.body).toEqual({
      statusCode: 404,
      message: 'Not found',
      error: 'Not Found',
      code: 'NOT_FOUND',
      requestId: expect.any(String),
    });
  });

  test('an answer names at most twenty faults', async () => {
    const customRules = Array.from({ length: 40 }, () => ' ');
    const answer = await harness.call({
      ...sandboxOf({ customRules }),
      headers: customer.headers,
    });
    expect([answer.status, answer.body.details.length]).toEqual([400, 20]);
  });

  test('errors are problem+json if Accept asks for it', async () => {
    const answer = await harness.call({ url: '/sandboxes', headers: { accept: 'application/problem+json' } });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({ title: 'Unauthorized', status: 401, code: 'MISSING_KEY' });
    expect(answer.body.type).toBe('about:blank');
  });
});

describe('operations endpoints', () => {
  test('open paths need no key', async () => {
    for (const url of ['/', '/health/live', '/health/ready', '/metrics', '/openapi.json']) {
      expect((await harness.call({ url })).status).toBe(200);
    }
  });

  test('HEAD is GET without the body', async () => {
    const head = await harness.call({ method: 'HEAD', url: '/sandboxes', headers: customer.headers });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['x-ratelimit-limit']).toBeDefined();
    expect((await harness.call({ method: 'HEAD', url: '/sandboxes' })).status).toBe(401);
  });

  test('readiness is 503 with the checks when not ready', async () => {
    const readiness = async () => ({
      status: 'unready' as const,
      checks: { log: { ok: false, message: 'down' } },
    });
    const red = await startHarness({ dependencies: { readiness } });
    const answer = await red.call({ url: '/health/ready' });
    expect([answer.status, answer.body.checks.log]).toEqual([503, { ok: false, message: 'down' }]);
    await red.close();
  });

  test('readiness is 200 with the checks when degraded, so requests still arrive', async () => {
    const checks = { log: { ok: true }, warehouse: { ok: false, message: 'cannot be reached' } };
    const readiness = async () => ({ status: 'degraded' as const, checks });
    const degraded = await startHarness({ dependencies: { readiness } });
    const answer = await degraded.call({ url: '/health/ready' });
    expect([answer.status, answer.body]).toEqual([200, { status: 'degraded', checks }]);
    await degraded.close();
  });

  test('metrics name routes, never ids', async () => {
    await harness.call({ url: `/audits/${UNKNOWN_ID}`, headers: customer.headers });
    const { text } = await harness.call({ url: '/metrics' });
    expect(text).toContain('route="/audits/:id",status="404"');
    expect(text).not.toContain(UNKNOWN_ID);
    expect(text).not.toContain(customer.id);
  });
});
