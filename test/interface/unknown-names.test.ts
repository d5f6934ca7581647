import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { RouteContract } from '#schemas/api/contract.ts';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { makeAuditor, type TestAuditor } from '#services/api/testing/auditors.ts';
import {
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '#services/api/testing/harness.ts';
import { openTestSession, type TestSession } from '#services/api/testing/sessions.ts';
import { requestOf } from './requests.ts';

/** Every operation rejects unknown parameters, and every configuration body rejects unknown fields. */

let harness: Harness;
let customer: TestCustomer;
let session: TestSession;
let auditors: readonly TestAuditor[];
const description = openApi(ROUTES, { keyHeader: 'x-service-key' }) as unknown as Description;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  session = await openTestSession(harness, customer.id);
  // Two auditors, because calls per second are limited for each.
  auditors = [await makeAuditor(harness, customer), await makeAuditor(harness, customer)];
});
afterAll(() => harness.close());

type Json = Readonly<Record<string, unknown>>;
interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> } }
        >
      >
    >
  >;
}

let calls = 0;
function credentials({ auth }: RouteContract): Readonly<Record<string, string>> {
  calls += 1;
  if (auth === 'internal') return internalHeaders;
  if (auth === 'session') return session.headers;
  if (auth === 'auditor') return auditors[calls % auditors.length]!.headers;
  return auth === 'key' ? customer.headers : {};
}

async function send(route: RouteContract, url: string, payload: unknown) {
  const { method } = route;
  // Requests without a key are limited per address.
  const remoteAddress = `192.0.2.${calls % 250}`;
  const sent = payload === undefined ? {} : { payload: payload as object };
  const { status, body } = await harness.call({
    method,
    url,
    headers: credentials(route),
    remoteAddress,
    ...sent,
  });
  return { status, code: body.code as unknown, message: body.message as unknown };
}

const withParameter = (url: string, name: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=x`;
const named = (routes: readonly RouteContract[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);

/**
 * Browser pages, whose script reads the query or to which a link adds parameters for others; and health checks, to which
 * probes add parameters against caches.
 */
const TAKE_ANY = [
  ...['getRoot', 'getDocs', 'getUi', 'getUiIndex', 'getUiPage', 'getUiRecord', 'getUiAsset'],
  ...['getLive', 'getReady'],
];
const DROPPING = ['ingestAudit', 'ingestBatch', 'submitInternalSignal'];

describe('an unknown parameter', () => {
  test.each(named(ROUTES.filter(({ operationId }) => !TAKE_ANY.includes(operationId))))(
    '%s',
    async (_name, route) => {
      const { url, body } = requestOf(route, { records: { customerId: customer.id } });
      expect(await send(route, withParameter(url, 'zzz'), body)).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/^Unknown parameter "zzz": this operation takes /),
      });
    },
  );

  test.each(named(ROUTES.filter(({ operationId }) => TAKE_ANY.includes(operationId))))(
    '%s accepts any',
    async (_name, route) => {
      const { url } = requestOf(route);
      const [without, with_] = [
        await send(route, url, undefined),
        await send(route, withParameter(url, 'zzz'), undefined),
      ];
      expect(with_).toEqual(without);
    },
  );

  test('is checked only after the key', async () => {
    const answer = await harness.call({ url: '/sandboxes?zzz=1', remoteAddress: '192.0.2.251' });
    expect(answer.status).toBe(401);
  });
});

const WITH_BODY = ROUTES.filter(({ body }) => body !== undefined);
const REFUSING = WITH_BODY.filter(({ operationId }) => !DROPPING.includes(operationId));

describe('an unknown field', () => {
  test.each(named(REFUSING))('%s', async (_name, route) => {
    const { url, body } = requestOf(route);
    expect(await send(route, url, { ...(body as object), zzz: 1 })).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/^Unknown field "zzz": this object takes /),
    });
  });

  test('is dropped by ingest, in metadata too', async () => {
    const [ingest, batch] = DROPPING.map((id) => ROUTES.find(({ operationId }) => operationId === id)!);
    await harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers: customer.headers,
      payload: { name: 'One', slug: 'one', sandboxType: 'FULL_SPECTRUM' },
    });
    const triplet = {
      ...{ sandboxSlug: 'one', provider: 'openai', model: 'gpt-5', prompt: 'Hello', response: 'Hi', zzz: 1 },
      metadata: { traceId: 'one', customFields: { zzz: 1 } },
    };
    expect((await send(ingest!, '/audit/ingest', triplet)).status).toBe(202);
    expect((await send(batch!, '/audit/ingest/batch', [triplet])).status).toBe(202);
  });
});

describe('the API description', () => {
  const schemaOf = ({ method, path }: RouteContract): Json => {
    const operation = description.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
    return operation.requestBody!.content['application/json']!.schema;
  };
  const resolved = (schema: Json): Json =>
    typeof schema.$ref === 'string'
      ? description.components.schemas[schema.$ref.split('/').at(-1)!]!
      : schema;
  /** Every object with named fields, at any depth. */
  function objectsIn(value: unknown): Json[] {
    if (typeof value !== 'object' || value === null) return [];
    const own = value as Json;
    const inner = Object.values(own).flatMap(objectsIn);
    return own.type === 'object' && own.properties !== undefined ? [own, ...inner] : inner;
  }
  /** Chat messages, whose shape is up to clients. */
  const isMessage = ({ required }: Json): boolean => required === undefined;

  test.each(named(REFUSING))('%s forbids unknown fields at every depth', (_name, route) => {
    const objects = objectsIn(resolved(schemaOf(route))).filter(
      (one) => !('anyOf' in one) || !isMessage(one),
    );
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
  });

  test.each(named(WITH_BODY.filter(({ operationId }) => DROPPING.includes(operationId))))(
    '%s accepts unknown fields',
    (_name, route) => {
      const { items } = schemaOf(route) as { readonly items?: Json };
      const { additionalProperties } = resolved(items ?? schemaOf(route));
      expect(additionalProperties).not.toBe(false);
    },
  );
});
