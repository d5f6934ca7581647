import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { type State, StateUnavailable } from '#platform/state/port.ts';
import { ERASURES, type ErasureProgress } from '#records/erasure/erasure-record.ts';
import { openErasures } from '#records/erasure/erasures.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { Plan } from '#schemas/vocabulary.ts';
import {
  type Answered,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../testing/harness.ts';

/** If set, the next write of a document of this collection fails after it took effect. */
let loseWriteOf: string | null = null;
const wrapState = (state: State): State => ({
  ...state,
  documents: {
    ...state.documents,
    write: async (scope, writes, ...rest) => {
      const outcome = await state.documents.write(scope, writes, ...rest);
      if (!writes.some(({ collection }) => collection === loseWriteOf)) return outcome;
      loseWriteOf = null;
      throw new StateUnavailable('the answer was lost');
    },
  },
});

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness({ wrapState });
});
afterAll(() => harness.close());
beforeEach(async () => {
  loseWriteOf = null;
  customer = await harness.customer();
});

const path = (owner = customer): string => `/internal/customers/${owner.id}`;
const internal = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  key?: string,
): Promise<Answered> =>
  harness.call({
    method,
    url,
    headers: { ...internalHeaders, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  });
const patch = (payload: object, key?: string, owner = customer) =>
  internal('PATCH', path(owner), payload, key);
const own = (url: string, owner = customer) => harness.call({ url, headers: owner.headers });
const makeSandbox = (slug: string, owner = customer) =>
  harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: owner.headers,
    payload: { name: 'Support', slug, sandboxType: 'CUSTOM' },
  });

describe('PATCH of a customer', () => {
  test('changes the fields that are sent; null removes an override', async () => {
    const changed = await patch({ name: 'New name', plan: 'PRO_MAX', rate: 7, burst: 9, sandboxQuota: 0 });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      id: customer.id,
      name: 'New name',
      plan: 'PRO_MAX',
      overrides: { rate: 7, burst: 9, auditQuota: null, sandboxQuota: 0 },
      ratePerSecond: 7,
      burst: 9,
      auditQuota: null,
      sandboxQuota: 0,
    });
    const back = await patch({ rate: null, burst: null, sandboxQuota: null });
    expect(back.body).toMatchObject({
      plan: 'PRO_MAX',
      name: 'New name',
      overrides: { rate: null, burst: null, auditQuota: null, sandboxQuota: null },
      ratePerSecond: 500,
      burst: 2500,
      sandboxQuota: 25,
    });
    expect((await internal('GET', path())).body).toEqual(back.body);
    expect((await patch({})).body).toEqual(back.body);
  });

  test.each([
    ['DEV', 10, 50, 1_000, 1],
    ['PRO', 100, 500, null, 10],
    ['PRO_MAX', 500, 2500, null, 25],
    ['ENTERPRISE', 500, 2500, null, null],
  ] as const)(
    'gives %s its own numbers',
    async (plan: Plan, ratePerSecond, burst, auditQuota, sandboxQuota) => {
      const changed = await patch({ plan, rate: null, burst: null });
      expect(changed.body).toMatchObject({ plan, ratePerSecond, burst, auditQuota, sandboxQuota });
    },
  );

  test('takes effect on the next request', async () => {
    const bucket = async () => {
      const { headers } = await own('/sandboxes');
      return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    };
    await patch({ rate: 1, burst: 1_000 });
    expect(await bucket()).toEqual(['1000', '999']);
    await patch({ rate: 1_000_000, burst: 7 });
    expect(await bucket()).toEqual(['7', '6']);

    await makeSandbox('quota');
    const ingest = () =>
      harness.call({
        method: 'POST',
        url: '/audit/ingest',
        headers: customer.headers,
        payload: { sandboxSlug: 'quota', provider: 'o', model: 'm', prompt: 'p', response: '' },
      });
    await patch({ auditQuota: 1 });
    expect((await ingest()).status).toBe(202);
    expect((await ingest()).body.code).toBe('AUDIT_LIMIT_REACHED');
    await patch({ auditQuota: null });
    expect((await ingest()).status).toBe(202);
  });

  test('with null keeps the plan', async () => {
    await patch({ plan: 'PRO_MAX' });
    expect((await patch({ plan: null, name: 'N' })).body).toMatchObject({ plan: 'PRO_MAX', name: 'N' });
  });

  test('to a smaller plan keeps all sandboxes and prevents new ones', async () => {
    for (const slug of ['one', 'two', 'three']) await makeSandbox(slug);
    await patch({ plan: 'DEV' });
    expect((await own('/sandboxes')).body.pagination.total).toBe(3);
    expect((await own('/sandboxes/three')).status).toBe(200);
    expect((await makeSandbox('four')).body).toMatchObject({
      code: 'SANDBOX_LIMIT_REACHED',
      message: 'DEV plan sandbox limit of 1 reached. Upgrade to PRO.',
    });
    await patch({ sandboxQuota: 4 });
    expect((await makeSandbox('four')).status).toBe(201);
  });

  test('keeps concurrent changes', async () => {
    const changes = [{ name: 'A' }, { plan: 'PRO_MAX' }, { rate: 11 }, { burst: 12 }, { auditQuota: 13 }];
    await Promise.all(changes.map((change) => patch(change)));
    expect((await internal('GET', path())).body).toMatchObject({
      name: 'A',
      plan: 'PRO_MAX',
      ratePerSecond: 11,
      burst: 12,
      auditQuota: 13,
    });
  });

  test('happens once under an Idempotency-Key, even if its answer was lost', async () => {
    loseWriteOf = 'customers';
    expect((await patch({ plan: 'PRO_MAX' }, 'lost')).status).toBe(503);
    await patch({ plan: 'DEV' });
    const again = await patch({ plan: 'PRO_MAX' }, 'lost');
    expect([again.status, again.body.plan]).toEqual([200, 'DEV']);
    const replayed = await patch({ plan: 'PRO_MAX' }, 'lost');
    expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect((await patch({ plan: 'PRO' }, 'lost')).status).toBe(422);
    expect((await internal('GET', path())).body.plan).toBe('DEV');
  });

  test.each([
    ['an unknown plan', { plan: 'GOLD' }],
    ['an empty name', { name: '' }],
    ['a rate of 0', { rate: 0 }],
    ['half a request', { burst: 1.5 }],
    ['a negative quota', { auditQuota: -1 }],
    ['a quota that is a string', { sandboxQuota: '5' }],
    ['a plan of another type', { plan: 7 }],
  ])('with %s is refused', async (_name, payload) => {
    const before = (await internal('GET', path())).body;
    const answer = await patch({ name: 'X', ...payload });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect((await internal('GET', path())).body).toEqual(before);
  });

  test('refuses fields that cannot be set, and answers 404 for an unknown id', async () => {
    for (const field of [{ id: 'mine' }, { active: false }, { ratePerSecond: 1 }, { erasure: {} }])
      expect((await patch(field)).body.code).toBe('INVALID_REQUEST');
    for (const id of ['x', '01930000-0000-7000-8000-000000000000']) {
      expect((await internal('PATCH', `/internal/customers/${id}`, { plan: 'PRO' })).status).toBe(404);
      expect((await internal('DELETE', `/internal/customers/${id}`)).status).toBe(404);
    }
  });
});

describe('a failed creation (503)', () => {
  test('is completed at once by the repeat, with the first attempt’s customer and key', async () => {
    const input = { name: 'Lost', type: 'COMPANY' };
    loseWriteOf = 'customers';
    expect((await internal('POST', '/internal/customers', input, 'new')).status).toBe(503);
    const made = await internal('POST', '/internal/customers', input, 'new');
    expect(made.status).toBe(201);
    const listed = await internal('GET', '/internal/customers?limit=100');
    expect(listed.body.data.filter(({ name }: { name: string }) => name === 'Lost')).toEqual([
      made.body.data,
    ]);

    const keys = `/internal/customers/${made.body.id}/api-keys`;
    loseWriteOf = 'apiKeys';
    expect((await internal('POST', keys, { name: 'k' }, 'new')).status).toBe(503);
    const key = await internal('POST', keys, { name: 'k' }, 'new');
    // The key's value was in the lost answer.
    expect([key.status, key.body.key]).toEqual([201, undefined]);
    expect((await internal('GET', keys)).body.data).toEqual([key.body.data]);
  });
});

describe('DELETE of a customer', () => {
  test('refuses and hides its keys at once, and prevents further changes', async () => {
    await makeSandbox('s');
    const { correlation: _correlation, ...before } = (await internal('GET', path())).body.data;
    const erased = await internal('DELETE', path());
    expect(erased.status).toBe(202);
    const { requestedAt } = erased.body.erasure;
    expect(erased.body.data).toEqual({
      ...before,
      active: false,
      erasure: { status: 'IN_PROGRESS', requestedAt },
    });
    for (const url of ['/sandboxes', '/sandboxes/s', '/dashboard/signals']) {
      const refused = await own(url);
      expect([refused.status, refused.body.message]).toEqual([401, 'Invalid API key']);
    }
    expect((await internal('GET', `${path()}/api-keys`)).body.data).toEqual([]);
    const [key] = await harness.state.documents.list(customer.id, 'apiKeys');
    expect((await internal('DELETE', `${path()}/api-keys/${key!.id}`)).status).toBe(404);
    for (const answer of [await patch({ plan: 'PRO' }), await internal('POST', `${path()}/api-keys`, {})]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'CUSTOMER_ERASED']);
    }
    const listed = await internal('GET', '/internal/customers?limit=100');
    expect(listed.body.data).toContainEqual(erased.body.data);
  });

  test('may be repeated, even concurrently, with one erasure and one closing entry that blanks everything after it', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => internal('DELETE', path())));
    harness.skew += 5_000;
    answers.push(await internal('DELETE', path()));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    await harness.settled();
    const closing = harness.log
      .of(LEDGER.name)
      .filter(({ key }) => key === customer.id)
      .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value))
      .filter(({ kind }) => kind === 'ERASURE');
    expect(new Set(closing.map(({ id }) => id)).size).toBe(1);
    const core = JSON.parse(closing[0]!.core) as ErasureCore;
    expect(core).toMatchObject({ closing: true, scope: 'ALL', reason: 'CUSTOMER_ERASED' });
    const ref = { scope: customer.id, collection: ERASURES, id: customer.id };
    const progress = (await harness.state.documents.get<ErasureProgress>(ref))!.value;
    expect(progress).toMatchObject({ phase: 'CLOSING', awaited: `ERASURE:${closing[0]!.id}` });
    expect(await openErasures(harness.state.documents)).toContain(customer.id);
  });

  test('is started even if its answer was lost, and the repeat finds it', async () => {
    loseWriteOf = 'customers';
    expect((await internal('DELETE', path())).status).toBe(503);
    expect((await own('/sandboxes')).status).toBe(401);
    const again = await internal('DELETE', path());
    expect([again.status, again.body.erasure.status]).toEqual([202, 'IN_PROGRESS']);
  });

  test('does not affect other customers', async () => {
    const other = await harness.customer();
    await internal('DELETE', path());
    expect((await own('/sandboxes', other)).status).toBe(200);
    expect((await patch({ name: 'Still here' }, undefined, other)).body.name).toBe('Still here');
  });
});
