import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { AUDITOR_CALLS, MAX_CALLS_A_DAY } from '#records/auditors/auditor-calls.ts';
import type { RouteContract } from '#schemas/api/contract.ts';
import { EXAMPLES } from '#schemas/api/openapi/request-examples.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { LEDGER } from '#schemas/topics.ts';
import { AUDITOR_PERMISSIONS } from '#schemas/vocabulary.ts';
import { makeAuditor, type TestAuditor } from '../../testing/auditors.ts';
import {
  type Answered,
  emptyWarehouse,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../../testing/harness.ts';

/** Which auditor calls are admitted, and what the ledger records of them. */

let harness: Harness;
let customer: TestCustomer;
/** Awaited by every query of the warehouse. */
let onQuery: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  const empty = emptyWarehouse();
  const warehouse = { ...empty, query: async () => onQuery().then(() => []) };
  harness = await startHarness({ warehouse });
});
afterAll(() => harness.close());
beforeEach(async () => {
  customer = await harness.customer();
});

const VIEWS = ROUTES.filter(({ auth }) => auth === 'auditor');

/** The operation's URL with required parameters only. */
function urlOf(
  { path, operationId, query: schema }: RouteContract,
  extra: Record<string, string> = {},
): string {
  const { path: ids = {}, query = {} } = EXAMPLES[operationId] ?? {};
  const needed = Object.entries(query).filter(([name]) => /^(auditId|fromSize)$/.test(name));
  const search = new URLSearchParams([...needed, ...Object.entries(extra)]);
  expect(schema).toBeDefined();
  return `${path.replace(/:(\w+)/g, (_, name: string) => ids[name]!)}?${search}`;
}
const call = (
  url: string,
  { headers }: Pick<TestAuditor, 'headers'>,
  method: 'GET' | 'POST' | 'HEAD' = 'GET',
) => harness.call({ method, url, headers });
const outcome = ({ status, body }: Answered) => [status, body.code];

interface Entry {
  readonly core: Record<string, unknown>;
  readonly customerId: string;
}
/** AUDITOR_ACCESS entries of the log from this index, in order. */
const entries = (from = 0): Entry[] =>
  harness.log
    .of(LEDGER.name)
    .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value))
    .filter(({ kind }) => kind === 'AUDITOR_ACCESS')
    .slice(from)
    .map(({ core, customerId }) => ({ core: JSON.parse(core), customerId }));

const refusedCount = async (reason: string): Promise<number> => {
  const metric = harness.dependencies.metrics.getSingleMetric('cas_auditor_calls_refused_total')!;
  const { values } = await metric.get();
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
};

describe('permissions', () => {
  test('every path needs one, and every permission has a path', () => {
    const used = new Set(VIEWS.map(({ permission }) => permission));
    expect([...used].sort()).toEqual([...AUDITOR_PERMISSIONS].sort());
    expect(VIEWS.every(({ method, path }) => method === 'GET' && path.startsWith('/auditor/'))).toBe(true);
  });

  test.each(AUDITOR_PERMISSIONS)(
    '%s opens only its own paths, and each call is an entry',
    async (permission) => {
      const auditor = await makeAuditor(harness, customer, { permissions: [permission] });
      const before = entries().length;
      for (const route of VIEWS) {
        const answer = await call(urlOf(route), auditor);
        const isAllowed = route.permission === permission;
        if (isAllowed)
          expect([route.path, [200, 404]]).toEqual([route.path, expect.arrayContaining([answer.status])]);
        else expect([route.path, ...outcome(answer)]).toEqual([route.path, 403, 'PERMISSION_NOT_GRANTED']);
      }
      expect(entries(before)).toEqual(
        VIEWS.map((route) => ({
          customerId: customer.id,
          core: {
            auditorId: auditor.id,
            permission: route.permission,
            path: urlOf(route).split('?')[0],
            isAllowed: route.permission === permission,
          },
        })),
      );
    },
  );
});

describe('customers and frameworks', () => {
  test('that are not granted answer 403, recorded with the token’s own customer', async () => {
    const other = await harness.customer();
    const auditor = await makeAuditor(harness, customer, { frameworks: ['GDPR', 'SOC2'] });
    for (const route of VIEWS)
      for (const customerId of [other.id, 'x', ''])
        expect(outcome(await call(urlOf(route, { customerId }), auditor))).toEqual([
          403,
          'CUSTOMER_NOT_GRANTED',
        ]);
    for (const path of ['/auditor/attestations', '/auditor/attestations/coverage']) {
      const at = (framework: string) => call(`${path}?framework=${framework}`, auditor);
      harness.skew += 1_000;
      expect(outcome(await at('HIPAA'))).toEqual([403, 'FRAMEWORK_NOT_GRANTED']);
      expect((await at('SOC2')).status).toBe(200);
      expect(outcome(await at('NIST'))).toEqual([400, 'INVALID_REQUEST']);
    }
    const noted = entries().filter(({ core }) => core.auditorId === auditor.id);
    expect(noted).toHaveLength(3 * VIEWS.length + 6);
    expect(new Set(noted.map(({ customerId }) => customerId))).toEqual(new Set([customer.id]));
    expect(noted.slice(-6).map(({ core }) => core.isAllowed)).toEqual([false, true, true, false, true, true]);
  });

  test('of a shared token answer 400 until one customer is named, whose ledger gets the entry', async () => {
    const other = await harness.customer();
    const made = await harness.call({
      method: 'POST',
      url: '/internal/auditors',
      headers: internalHeaders,
      payload: { name: 'Two', permissions: AUDITOR_PERMISSIONS, customerIds: [other.id, customer.id] },
    });
    const auditor = { headers: { authorization: `bearer ${made.body.token}` } };
    const before = entries().length;
    for (const route of VIEWS) {
      const missing = await call(urlOf(route), auditor);
      expect([...outcome(missing), missing.body.details[0].path]).toEqual([
        400,
        'INVALID_REQUEST',
        'customerId',
      ]);
      const named = await call(urlOf(route, { customerId: customer.id }), auditor);
      expect([200, 404]).toContain(named.status);
    }
    const twice = await call(`/auditor/signals?customerId=${other.id}&customerId=${customer.id}`, auditor);
    expect(outcome(twice)).toEqual([400, 'INVALID_REQUEST']);
    expect(entries(before).map(({ customerId, core }) => [customerId, core.isAllowed])).toEqual([
      ...VIEWS.flatMap(() => [
        [other.id, false],
        [customer.id, true],
      ]),
      [other.id, false],
    ]);
  });
});

describe('the entry of a call', () => {
  test('is stored before anything is read, and contains no input except ids', async () => {
    const auditor = await makeAuditor(harness, customer);
    const before = entries().length;
    const seen: number[] = [];
    onQuery = async () => void seen.push(entries(before).length);
    await call('/auditor/signals?provider=secret-of-somebody', auditor);
    onQuery = async () => undefined;
    expect(new Set(seen)).toEqual(new Set([1]));
    await call('/auditor/incidents/jane.roe%40example.org', auditor);
    await call('/auditor/signals?limit=0', auditor);
    await call('/auditor/signals', auditor, 'HEAD');
    expect(entries(before).map(({ core }) => [core.path, core.isAllowed])).toEqual([
      ['/auditor/signals', true],
      ['/auditor/incidents/:id', true],
      ['/auditor/signals', true],
      ['/auditor/signals', true],
    ]);
  });

  test('answers only 503 if the log does not take it', async () => {
    const auditor = await makeAuditor(harness, customer);
    let queries = 0;
    onQuery = async () => {
      queries += 1;
    };
    for (const mode of ['refuses', 'lost answer'] as const) {
      harness.log.mode = mode;
      const answers = [
        await call('/auditor/signals', auditor),
        await call('/auditor/attestations?framework=NIST', auditor),
        await call('/auditor/nothing', auditor),
      ];
      harness.log.mode = 'takes';
      expect(answers.map(outcome)).toEqual(answers.map(() => [503, 'UNAVAILABLE']));
    }
    onQuery = async () => undefined;
    expect(queries).toBe(0);
    expect((await call('/auditor/signals', auditor)).status).toBe(200);
  });

  test('for an unknown path or method does not contain it', async () => {
    const auditor = await makeAuditor(harness, customer);
    const before = entries().length;
    expect(outcome(await call('/auditor/nothing?x=1', auditor))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await call('/auditor/signals', auditor, 'POST'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(outcome(await call('/auditors', auditor))).toEqual([404, 'NOT_FOUND']);
    const unknown = { headers: { authorization: `Bearer aud_${'0'.repeat(64)}` } };
    expect(outcome(await call('/auditor/nothing', unknown))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await call('/auditor/nothing', { headers: {} }))).toEqual([404, 'NOT_FOUND']);
    const core = { auditorId: auditor.id, permission: null, path: '/auditor/*', isAllowed: false };
    expect(entries(before)).toEqual([
      { customerId: customer.id, core },
      { customerId: customer.id, core },
    ]);
  });

  test('is missing for refused calls, which a metric counts', async () => {
    const counts = async () => [await refusedCount('no token'), await refusedCount('invalid token')];
    const [none = 0, invalid = 0] = await counts();
    const before = entries().length;
    await call('/auditor/signals', { headers: {} });
    await call('/auditor/signals', { headers: { authorization: 'Bearer x' } });
    await call('/auditor/signals', { headers: { authorization: `Bearer aud_${'1'.repeat(64)}` } });
    expect(await counts()).toEqual([none + 1, invalid + 2]);
    expect(entries(before)).toEqual([]);
  });
});

describe('too many calls', () => {
  test('are limited to ten a second and fifty at once per token', async () => {
    const [auditor, second] = [await makeAuditor(harness, customer), await makeAuditor(harness, customer)];
    const before = entries().length;
    const limited = await refusedCount('rate');
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => call('/auditor/hash-chain/keys', auditor)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    // The clock keeps running while they are answered.
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(50);
    for (const { status, body, headers } of refused)
      expect([status, body.code, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([
        429,
        'RATE_LIMITED',
        '1',
        '50',
      ]);
    expect(entries(before)).toHaveLength(answers.length - refused.length);
    expect(await refusedCount('rate')).toBe(limited + refused.length);
    expect((await call('/auditor/hash-chain/keys', second)).status).toBe(200);
    harness.skew += 100;
    expect((await call('/auditor/hash-chain/keys', auditor)).status).toBe(200);
  });

  test('are limited to 10,000 a day per customer, whichever auditor makes them', async () => {
    const [auditor, second] = [await makeAuditor(harness, customer), await makeAuditor(harness, customer)];
    const day = new Date(Date.now() + harness.skew).toISOString().slice(0, 10);
    const value = { day, calls: MAX_CALLS_A_DAY - 2 };
    await harness.state.documents.write(customer.id, [{ collection: AUDITOR_CALLS, id: customer.id, value }]);
    const before = entries().length;
    expect((await call('/auditor/hash-chain/keys', auditor)).status).toBe(200);
    expect((await call('/auditor/hash-chain/keys', second)).status).toBe(200);
    const refused = await call('/auditor/hash-chain/keys', auditor);
    expect(outcome(refused)).toEqual([429, 'AUDITOR_CALLS_REACHED']);
    const midnight = Date.parse(`${day}T24:00:00.000Z`);
    const left = (midnight - Date.now() - harness.skew) / 1_000;
    expect(Math.abs(Number(refused.headers['retry-after']) - left)).toBeLessThan(5);
    expect(outcome(await call('/auditor/nothing', second))).toEqual([429, 'AUDITOR_CALLS_REACHED']);
    expect(entries(before)).toHaveLength(2);
    expect(await refusedCount('day')).toBe(2);
    harness.skew = midnight - Date.now();
    expect((await call('/auditor/hash-chain/keys', auditor)).status).toBe(200);
  });
});
