import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { errorCodesOf, needsCsrfToken, type RouteContract } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { ERRORS } from '#schemas/errors.ts';
import { makeAuditor, type TestAuditor } from '#services/api/testing/auditors.ts';
import {
  type Answered,
  type Harness,
  INTERNAL_SECRET,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '#services/api/testing/harness.ts';
import { headersOfSession, openTestSession, type TestSession } from '#services/api/testing/sessions.ts';
import { requestOf } from './requests.ts';

/** Every route with every kind of credential. The harness checks every response against the API description. */

let harness: Harness;
let customer: TestCustomer;
let revoked: TestCustomer;
let erased: TestCustomer;
let auditor: TestAuditor;
let session: TestSession;
/** A session of a customer that is being erased. */
let formerSession: TestSession;
/** Auditors without any rights left: revoked, expired, or of a customer that is being erased. */
let former: readonly TestAuditor[];

beforeAll(async () => {
  harness = await startHarness();
  [customer, revoked, erased] = await Promise.all([
    harness.customer(),
    harness.customer(),
    harness.customer(),
  ]);
  const keys = `/internal/customers/${revoked.id}/api-keys`;
  const [key] = (await harness.call({ url: keys, headers: internalHeaders })).body.data;
  await harness.call({ method: 'DELETE', url: `${keys}/${key.id}`, headers: internalHeaders });
  auditor = await makeAuditor(harness, customer);
  session = await openTestSession(harness, customer.id);
  formerSession = await openTestSession(harness, erased.id);
  former = [
    await makeAuditor(harness, customer),
    await makeAuditor(harness, customer, { expiresAt: new Date(Date.now() + 60_000).toISOString() }),
    await makeAuditor(harness, erased),
  ];
  const revokedAuditor = `/evidence/auditors/${former[0]!.id}`;
  await harness.call({ method: 'DELETE', url: revokedAuditor, headers: customer.headers });
  harness.skew += 60_000;
  const url = `/internal/customers/${erased.id}`;
  expect((await harness.call({ method: 'DELETE', url, headers: internalHeaders })).status).toBe(202);
});
afterAll(() => harness.close());

type Headers = Readonly<Record<string, string>>;

let addresses = 0;
/** Failures are limited per address, so each request comes from a different one. */
const nextAddress = (): string => {
  addresses += 1;
  return `127.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

const send = (route: RouteContract, headers: Headers): Promise<Answered> => {
  const { method, url, body } = requestOf(route);
  return harness.call({
    method,
    url,
    headers,
    remoteAddress: nextAddress(),
    ...(body === undefined ? {} : { payload: body as object }),
  });
};

const of = (audience: RouteContract['auth']) =>
  ROUTES.filter(({ auth }) => auth === audience).map((route) => [route.operationId, route] as const);

const AUTHENTICATION = [
  'MISSING_KEY',
  'INVALID_KEY',
  'INVALID_INTERNAL_SECRET',
  'MISSING_AUDITOR_TOKEN',
  'INVALID_AUDITOR_TOKEN',
  'MISSING_SESSION',
  'INVALID_SESSION',
  'SESSION_REQUIRED',
  'CSRF',
];
/** Checks that the request passed authentication and the operation documents the response. */
function expectLetIn(answer: Answered, route: RouteContract): void {
  expect(AUTHENTICATION).not.toContain(answer.body?.code);
  const statuses = [
    ...Object.keys(route.responses).map(Number),
    ...errorCodesOf(route).map((code) => ERRORS[code].statusCode),
  ];
  expect(statuses).toContain(answer.status);
  expect(answer.status).toBeLessThan(500);
}

const RATE_HEADER = 'x-ratelimit-limit';

describe('a customer’s routes', () => {
  const MISSING = [401, 'MISSING_KEY', 'Missing x-service-key header'];
  const INVALID = [401, 'INVALID_KEY', 'Invalid API key'];
  const INVALID_SESSION = [401, 'INVALID_SESSION', ERRORS.INVALID_SESSION.message];
  const refused = (): readonly (readonly [string, Headers, readonly unknown[]])[] => [
    ['nothing', {}, MISSING],
    ['an empty key', { 'x-service-key': '' }, MISSING],
    ['the internal secret alone', internalHeaders, MISSING],
    ['the key as bearer', { authorization: `Bearer ${customer.key}` }, MISSING],
    ['the key in a cookie', { cookie: `x-service-key=${customer.key}` }, MISSING],
    ['an auditor’s token', auditor.headers, MISSING],
    ['an auditor’s token as key', { 'x-service-key': auditor.token }, INVALID],
    ['something that is no key', { 'x-service-key': 'abc' }, INVALID],
    ['the internal secret as key', { 'x-service-key': INTERNAL_SECRET }, INVALID],
    ['an unknown key', { 'x-service-key': `cas_${'0'.repeat(48)}` }, INVALID],
    ['a key in upper case', { 'x-service-key': customer.key.toUpperCase() }, INVALID],
    ['a key with a suffix', { 'x-service-key': `${customer.key}0` }, INVALID],
    ['half a key', { 'x-service-key': customer.key.slice(0, 28) }, INVALID],
    ['two keys', { 'x-service-key': `${customer.key}, ${customer.key}` }, INVALID],
    ['a revoked key', revoked.headers, INVALID],
    ['a key of an erased customer', erased.headers, INVALID],
    ['an empty key with a session', { ...session.headers, 'x-service-key': '' }, MISSING],
    [
      'an unknown key with a session',
      { ...session.headers, 'x-service-key': `cas_${'0'.repeat(48)}` },
      INVALID,
    ],
    ...formerSessions().map(([name, headers]) => [name, headers, INVALID_SESSION] as const),
    [
      'an unknown key with the right secret',
      { ...internalHeaders, 'x-service-key': `cas_${'0'.repeat(48)}` },
      INVALID,
    ],
  ];

  test.each(of('key'))('%s rejects every request without a valid key', async (_id, route) => {
    const records = harness.log.records.length;
    for (const [name, headers, expected] of refused()) {
      const answer = await send(route, headers);
      expect([name, answer.status, answer.body.code, answer.body.message]).toEqual([name, ...expected]);
      expect([name, answer.headers[RATE_HEADER]]).toEqual([name, undefined]);
    }
    expect(harness.log.records).toHaveLength(records);
  });

  test.each(of('key'))('%s accepts a valid key next to any other credentials', async (_id, route) => {
    for (const headers of [
      customer.headers,
      { ...customer.headers, 'x-internal-secret': 'wrong' },
      { ...customer.headers, authorization: 'Bearer wrong' },
    ]) {
      const answer = await send(route, headers);
      expectLetIn(answer, route);
      expect(answer.headers[RATE_HEADER]).toBe('1000000');
    }
  });

  test.each(of('key'))('%s accepts a session at the session’s own rate', async (_id, route) => {
    harness.skew += 10_000;
    const answer = await send(route, session.headers);
    expectLetIn(answer, route);
    expect(answer.headers[RATE_HEADER]).toBe('50');
    if (!needsCsrfToken(route)) return;
    const records = harness.log.records.length;
    const { cookie = '' } = session.headers;
    for (const headers of [
      { cookie },
      { cookie, 'x-csrf-token': '' },
      { cookie, 'x-csrf-token': 'f'.repeat(64) },
    ]) {
      const refused = await send(route, headers);
      expect([refused.status, refused.body.code]).toEqual([403, 'CSRF']);
    }
    expect(harness.log.records).toHaveLength(records);
  });

  test('a revoked key gets the same response as one that never existed', async () => {
    const [one, other] = [
      await harness.call({ url: '/sandboxes', headers: revoked.headers }),
      await harness.call({ url: '/sandboxes', headers: { 'x-service-key': `cas_${'0'.repeat(48)}` } }),
    ];
    const { requestId: _one, ...first } = one.body;
    const { requestId: _other, ...second } = other.body;
    expect(first).toEqual(second);
    expect(Object.keys(one.headers).sort()).toEqual(Object.keys(other.headers).sort());
  });
});

/** Invalid sessions. */
const formerSessions = (): readonly (readonly [string, Headers])[] => [
  ['a session of an erased customer', formerSession.headers],
  [
    'a token that never was',
    headersOfSession(session.token.slice(0, -1) + (session.token.endsWith('0') ? '1' : '0')),
  ],
  ['a token of another customer', headersOfSession(revoked.id.replaceAll('-', '') + session.token.slice(32))],
  ['half a token', headersOfSession(session.token.slice(0, 48))],
  ['a token in upper case', headersOfSession(session.token.toUpperCase())],
  ['a token with a suffix', headersOfSession(`${session.token}0`)],
  ['two sessions', { ...session.headers, cookie: `${session.headers.cookie}; ${session.headers.cookie}` }],
  ['a key as session', headersOfSession(customer.key)],
  ['nothing as session', headersOfSession('')],
];

describe('a signed-in user’s routes', () => {
  const refused = (): readonly (readonly [string, Headers, number, string])[] => [
    ['nothing', {}, 401, 'MISSING_SESSION'],
    ['the internal secret', internalHeaders, 401, 'MISSING_SESSION'],
    ['an auditor’s token', auditor.headers, 401, 'MISSING_SESSION'],
    ['the token as bearer', { authorization: `Bearer ${session.token}` }, 401, 'MISSING_SESSION'],
    ['the token as key', { 'x-service-key': session.token }, 401, 'INVALID_KEY'],
    ['an empty key with a session', { ...session.headers, 'x-service-key': '' }, 401, 'MISSING_SESSION'],
    ['a revoked key', revoked.headers, 401, 'INVALID_KEY'],
    ['a key', customer.headers, 403, 'SESSION_REQUIRED'],
    ['a key with a session', { ...session.headers, ...customer.headers }, 403, 'SESSION_REQUIRED'],
    ...formerSessions().map(([name, headers]) => [name, headers, 401, 'INVALID_SESSION'] as const),
  ];

  test.each(of('session'))('%s rejects every request without a session', async (_id, route) => {
    const records = harness.log.records.length;
    for (const [name, headers, status, code] of refused()) {
      const answer = await send(route, headers);
      expect([name, answer.status, answer.body.code]).toEqual([name, status, code]);
    }
    expect(harness.log.records).toHaveLength(records);
  });

  test.each(of('session'))(
    '%s accepts a session next to any other credentials except keys',
    async (_id, route) => {
      for (const extra of [{}, { authorization: 'Bearer wrong', 'x-internal-secret': 'wrong' }]) {
        const { headers } = await openTestSession(harness, customer.id, session.userId);
        const answer = await send(route, { ...headers, ...extra });
        expectLetIn(answer, route);
        expect(answer.headers[RATE_HEADER]).toBe('50');
      }
    },
  );
});

describe('the platform’s routes', () => {
  const refused = (): readonly (readonly [string, Headers])[] => [
    ['nothing', {}],
    ['an empty secret', { 'x-internal-secret': '' }],
    ['a wrong secret', { 'x-internal-secret': 'wrong-secret-0123456' }],
    ['half the secret', { 'x-internal-secret': INTERNAL_SECRET.slice(0, 12) }],
    ['the secret with a suffix', { 'x-internal-secret': `${INTERNAL_SECRET}0` }],
    ['the secret twice', { 'x-internal-secret': `${INTERNAL_SECRET}, ${INTERNAL_SECRET}` }],
    ['a customer’s key', customer.headers],
    ['a customer’s key as secret', { 'x-internal-secret': customer.key }],
    ['an auditor’s token', auditor.headers],
    ['an auditor’s token as secret', { 'x-internal-secret': auditor.token }],
    ['the secret as key', { 'x-service-key': INTERNAL_SECRET }],
    ['the secret as bearer', { authorization: `Bearer ${INTERNAL_SECRET}` }],
  ];

  test.each(of('internal'))('%s rejects every request without the internal secret', async (_id, route) => {
    const records = harness.log.records.length;
    for (const [name, headers] of refused()) {
      const answer = await send(route, headers);
      expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'INVALID_INTERNAL_SECRET']);
    }
    expect(harness.log.records).toHaveLength(records);
  });

  test.each(of('internal'))('%s accepts the internal secret next to any key', async (_id, route) => {
    for (const headers of [internalHeaders, { ...internalHeaders, 'x-service-key': 'abc' }]) {
      const answer = await send(route, headers);
      expectLetIn(answer, route);
      expect(answer.headers[RATE_HEADER]).toBeUndefined();
    }
  });
});

describe('an auditor’s routes', () => {
  const MISSING = 'MISSING_AUDITOR_TOKEN';
  const INVALID = 'INVALID_AUDITOR_TOKEN';
  const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
  const refused = (): readonly (readonly [string, Headers, string])[] => [
    ['nothing', {}, MISSING],
    ['a customer’s key', customer.headers, MISSING],
    ['the internal secret', internalHeaders, MISSING],
    ['the token as key', { 'x-service-key': auditor.token }, MISSING],
    ['an empty header', { authorization: '' }, MISSING],
    ['a customer’s key as bearer', bearer(customer.key), INVALID],
    ['the internal secret as bearer', bearer(INTERNAL_SECRET), INVALID],
    ['the token without a scheme', { authorization: auditor.token }, INVALID],
    ['the token as a password', { authorization: `Basic ${auditor.token}` }, INVALID],
    ['an unknown token', bearer(`aud_${'0'.repeat(64)}`), INVALID],
    ['a token in upper case', bearer(auditor.token.toUpperCase()), INVALID],
    ['a token with a suffix', bearer(`${auditor.token}0`), INVALID],
    ['half a token', bearer(auditor.token.slice(0, 36)), INVALID],
    ['two tokens', bearer(`${auditor.token}, ${auditor.token}`), INVALID],
    ...former.map(({ headers }, index) => [`former auditor ${index}`, headers, INVALID] as const),
  ];

  test.each(of('auditor'))('%s rejects every request without a valid token', async (_id, route) => {
    const records = harness.log.records.length;
    for (const [name, headers, code] of refused()) {
      const answer = await send(route, headers);
      expect([name, answer.status, answer.body.code]).toEqual([name, 401, code]);
      expect([name, answer.headers['www-authenticate']]).toEqual([name, 'Bearer']);
      expect([name, answer.headers[RATE_HEADER]]).toEqual([name, undefined]);
    }
    expect(harness.log.records).toHaveLength(records);
  });

  test.each(of('auditor'))('%s accepts a valid token next to any other credentials', async (_id, route) => {
    for (const headers of [
      auditor.headers,
      { ...auditor.headers, 'x-internal-secret': 'wrong', 'x-service-key': 'abc' },
    ]) {
      const answer = await send(route, headers);
      expectLetIn(answer, route);
      expect(answer.headers[RATE_HEADER]).toBe('50');
    }
  });
});

describe('open routes', () => {
  const SIGNING_IN = ['createAccount', 'createSession'];
  const asksNobody = of('none').filter(([id]) => !SIGNING_IN.includes(id));
  test.each(asksNobody)('%s needs no credentials', async (_id, route) => {
    for (const headers of [
      {},
      customer.headers,
      revoked.headers,
      { 'x-service-key': 'abc' },
      internalHeaders,
      session.headers,
    ]) {
      const answer = await send(route, headers);
      expect(answer.status).toBe(route.successStatus);
      expect(answer.text).not.toContain(customer.id);
    }
  });
});
