import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { needsCsrfToken, type RouteContract } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { makeAuditor, type TestAuditor } from '#services/api/testing/auditors.ts';
import {
  type Answered,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '#services/api/testing/harness.ts';
import { openTestSession, type TestSession } from '#services/api/testing/sessions.ts';
import { requestOf } from './requests.ts';

/** The methods that a path allows, and the order of errors when a request has several. */

let harness: Harness;
let customer: TestCustomer;
let exhausted: TestCustomer;
let auditor: TestAuditor;
let session: TestSession;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  session = await openTestSession(harness, customer.id);
  auditor = await makeAuditor(harness, customer);
  exhausted = await harness.customer('DEV', { rate: 1e-6, burst: 1 });
  await harness.call({ url: '/sandboxes', headers: exhausted.headers });
});
afterAll(() => harness.close());

type Method = NonNullable<InjectOptions['method']>;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'SEARCH'] as readonly Method[];
const PATHS = [...new Set(ROUTES.map(({ path }) => path))];
const PROBLEM = { accept: 'application/problem+json' };
const TOO_LARGE = Buffer.alloc(17 * 1024 * 1024, 'x');

// A different address for each path: requests that match no operation are limited by client address.
describe.each(PATHS.map((path, index) => [path, `192.0.2.${index}`] as const))(
  '%s',
  (path, remoteAddress) => {
    const routes = ROUTES.filter((route) => route.path === path);
    const [url = ''] = requestOf(routes[0] as RouteContract).url.split('?', 1);
    const known = new Set<string>(methodsAt(url));
    if (known.has('GET')) known.add('HEAD');
    const allow = [...known].sort().join(', ');

    test('answers other methods with 405 and Allow, with or without a key, for any body', async () => {
      for (const method of METHODS.filter((one) => !known.has(one))) {
        for (const headers of [{}, customer.headers, internalHeaders, PROBLEM]) {
          const answer = await harness.call({ method, url, headers, remoteAddress });
          expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
        }
      }
      const method = METHODS.find((one) => !known.has(one) && one !== 'TRACE') as Method;
      const answer = await harness.call({
        method,
        url,
        remoteAddress,
        payload: TOO_LARGE,
        headers: { 'content-encoding': 'br' },
      });
      expect([answer.status, answer.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    });

    test('unknown paths below or next to it return 404 to every client', async () => {
      // Unless it is a path itself: `/ui/`.
      const empty = path.includes(':')
        ? [path.replace(/:\w+/g, '')].filter((one) => !PATHS.includes(one))
        : [];
      for (const wrong of [`${url}/x/y/z`, `${url}x/y/z`, ...empty]) {
        const answers = [
          await harness.call({ url: wrong, remoteAddress }),
          await harness.call({ url: wrong, headers: customer.headers, remoteAddress }),
          await harness.call({ method: 'POST', url: wrong, payload: TOO_LARGE, remoteAddress }),
        ];
        expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
          answers.map(() => [404, 'NOT_FOUND']),
        );
      }
    });
  },
);

/** A literal path does not match its neighbour's parameter: `/things/find` is not `/things/:id`. */
function methodsAt(url: string): readonly RouteContract['method'][] {
  const writtenOut = ROUTES.filter(({ path }) => path === url);
  const matches = ({ path }: RouteContract) => new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`).test(url);
  return (writtenOut.length > 0 ? writtenOut : ROUTES.filter(matches)).map(({ method }) => method);
}

const credentials = ({ auth }: RouteContract): Readonly<Record<string, string>> =>
  ({
    internal: internalHeaders,
    key: customer.headers,
    auditor: auditor.headers,
    session: session.headers,
    none: {},
  })[auth];
const named = (routes: readonly RouteContract[]) =>
  routes.map((route) => [route.operationId, route] as const);

/** Headers that differ between responses. */
const steady = ({ headers }: Answered) => {
  const { date: _date, ...rest } = headers;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !/ratelimit/.test(name)));
};

test.each(named(ROUTES.filter(({ method }) => method === 'GET')))(
  '%s: HEAD is GET without the body',
  async (_id, route) => {
    const { url } = requestOf(route);
    const [get, head] = [
      await harness.call({ url, headers: credentials(route) }),
      await harness.call({ method: 'HEAD', url, headers: credentials(route) }),
    ];
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(Object.keys(head.headers)).toEqual(
      expect.arrayContaining(Object.keys(steady(get)).filter(isKept)),
    );
  },
);

/** Headers about the transfer of a body do not apply to a response without one. */
const isKept = (name: string): boolean => !['transfer-encoding', 'trailer', 'content-length'].includes(name);

describe('the first failing check answers', () => {
  const send = async (route: RouteContract, headers: Record<string, string>, payload?: string | Buffer) => {
    const { method, url } = requestOf(route);
    const answer = await harness.call({
      method,
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    return [answer.status, answer.body.code];
  };
  const TEXT = { 'content-type': 'text/plain' };
  const WITH_BODY = named(ROUTES.filter(({ body }) => body !== undefined));

  test.each(WITH_BODY)('%s checks in order: 401, 403, 429, 413, 415, JSON, fields', async (_id, route) => {
    const right = credentials(route);
    const type = { 'content-type': route.bodyTypes?.[0] ?? 'application/json' };
    const before = harness.log.records.length;
    harness.skew += 60_000;
    if (route.auth !== 'none') expect((await send(route, TEXT, TOO_LARGE))[0]).toBe(401);
    if (route.auth === 'key')
      expect(await send(route, { ...TEXT, ...exhausted.headers }, TOO_LARGE)).toEqual([429, 'RATE_LIMITED']);
    if (needsCsrfToken(route)) {
      const { cookie = '' } = session.headers;
      expect(await send(route, { ...TEXT, cookie }, TOO_LARGE)).toEqual([403, 'CSRF']);
    }
    if (route.auth === 'session')
      expect(await send(route, { ...TEXT, ...exhausted.headers }, TOO_LARGE)).toEqual([
        403,
        'SESSION_REQUIRED',
      ]);
    expect(await send(route, { ...right, ...TEXT }, TOO_LARGE)).toEqual([413, 'BODY_TOO_LARGE']);
    expect(await send(route, { ...right, ...TEXT }, '{')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await send(route, { ...right, ...type, 'content-encoding': 'br' }, '{')).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    expect(await send(route, { ...right, ...type, 'idempotency-key': '\u00e9' }, '{')).toEqual([
      400,
      'INVALID_JSON',
    ]);
    expect(await send(route, { ...right, ...type, 'idempotency-key': '\u00e9' }, 'null')).toEqual([
      400,
      'INVALID_REQUEST',
    ]);
    expect(harness.log.records).toHaveLength(before);
  });

  const IDEMPOTENT = named(ROUTES.filter(({ idempotent }) => idempotent));
  test.each(IDEMPOTENT)('%s rejects an invalid Idempotency-Key', async (_id, route) => {
    const { method, url, body } = requestOf(route);
    for (const key of ['', 'x'.repeat(256), 'caf\u00e9', '""']) {
      const headers = { ...credentials(route), 'idempotency-key': key };
      const answer = await harness.call({
        method,
        url,
        headers,
        ...(body ? { payload: body as object } : {}),
      });
      expect([key, answer.status, answer.body.code]).toEqual([key, 400, 'INVALID_REQUEST']);
      expect(answer.body.message).toContain('Idempotency-Key');
    }
  });
});
