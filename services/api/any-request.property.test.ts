import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from '#jest';
import type { RouteContract } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { makeAuditor, type TestAuditor } from './testing/auditors.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from './testing/harness.ts';
import { openTestSession } from './testing/sessions.ts';

/** Whatever is sent, the contracts describe the answer (the harness checks it), and it is never a 5xx. */

let harness: Harness;
let customer: TestCustomer;
let auditor: TestAuditor;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  auditor = await makeAuditor(harness, customer);
});
afterAll(() => harness.close());

const triplet = fc.record(
  {
    sandboxSlug: fc.oneof(fc.constant('support'), fc.string({ unit: 'binary' })),
    provider: fc.oneof(fc.constant('openai'), fc.string()),
    model: fc.oneof(fc.constant('m'), fc.string({ unit: 'binary' })),
    prompt: fc.string({ unit: 'binary' }),
    response: fc.string({ unit: 'binary' }),
    metadata: fc.oneof(fc.record({ customFields: fc.jsonValue({ maxDepth: 10 }) }), fc.jsonValue()),
    unknown: fc.jsonValue({ maxDepth: 40 }),
  },
  { requiredKeys: ['prompt'] },
);
const sandbox = fc.record(
  {
    name: fc.string({ unit: 'binary' }),
    slug: fc.oneof(fc.stringMatching(/^[a-z0-9]{2,8}$/), fc.string()),
    sandboxType: fc.constantFrom('CUSTOM', 'NONE'),
    regulations: fc.array(fc.oneof(fc.constantFrom('GDPR', 'ISO-27001', '__proto__'), fc.string())),
    customRules: fc.array(fc.string({ unit: 'binary' })),
  },
  { requiredKeys: ['name', 'slug', 'sandboxType'] },
);
const anyBody = fc.oneof(triplet, sandbox, fc.jsonValue());
const anyQuery = fc.dictionary(
  fc.constantFrom(
    'page',
    'limit',
    'cursor',
    'from',
    'to',
    'startDate',
    'wait',
    'sandboxSlug',
    'provider',
    'customerId',
    'framework',
    'x',
  ),
  fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.constant('2026-01-01')),
);
// Clients resolve path segments that are only dots before they send the URL.
const anyId = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom('%', '__proto__'),
);

async function headersFor({ auth }: RouteContract): Promise<Readonly<Record<string, string>>> {
  // Each token has its own bucket, which fills within seconds.
  if (auth === 'auditor') harness.skew += 1_000;
  // A new one each time, because some of these requests sign out.
  if (auth === 'session') return (await openTestSession(harness, customer.id)).headers;
  return {
    internal: internalHeaders,
    auditor: auditor.headers,
    key: customer.headers,
    none: customer.headers,
  }[auth];
}

test('any request to any route gets a documented answer and never a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROUTES.map(({ operationId }) => operationId)),
      anyId,
      anyQuery,
      anyBody,
      fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: undefined }),
      async (operationId, id, query, body, key) => {
        const route = ROUTES.find((one) => one.operationId === operationId)!;
        const path = route.path.replace(/:[^/]+/g, () => encodeURIComponent(id));
        const search = new URLSearchParams(query).toString();
        const request: InjectOptions = {
          method: route.method,
          url: search === '' ? path : `${path}?${search}`,
          headers: {
            ...(await headersFor(route)),
            ...(route.body ? { 'content-type': 'application/json' } : {}),
            ...(key === undefined ? {} : { 'idempotency-key': key }),
          },
          ...(route.body ? { payload: JSON.stringify(body) } : {}),
        };
        const answer = await harness.call(request);
        expect(answer.status).toBeLessThan(500);
      },
    ),
    { numRuns: 600 },
  );
});
