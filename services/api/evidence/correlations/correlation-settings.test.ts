import { DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { RECORD_BUDGETS } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { CUSTOMERS, type State } from '#platform/state/port.ts';
import { CORRELATION_SETTINGS } from '#records/correlations/settings-record.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { LEDGER } from '#schemas/topics.ts';
import {
  type Answered,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../../testing/harness.ts';

/** Settings for detecting patterns as signals arrive, changed by the customer and by the platform. */

/** If set, the customer's erasure starts just before its settings are written. */
let erasedMeanwhile = false;
const wrapState = (state: State): State => ({
  ...state,
  documents: {
    ...state.documents,
    write: async (scope, writes, ...rest) => {
      if (erasedMeanwhile && writes.some(({ collection }) => collection === CORRELATION_SETTINGS)) {
        const ref = { scope, collection: CUSTOMERS, id: scope };
        const { value } = (await state.documents.get<CustomerRecord>(ref))!;
        const erasure = { status: 'IN_PROGRESS', requestedAt: '2026-11-01T10:00:00.000Z' } as const;
        await state.documents.write(scope, [
          { collection: CUSTOMERS, id: scope, value: { ...value, active: false, erasure } },
        ]);
      }
      return state.documents.write(scope, writes, ...rest);
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
  erasedMeanwhile = false;
  customer = await harness.customer('PRO');
});

const URL = '/evidence/correlations/settings';
const read = async (owner = customer) => (await harness.call({ url: URL, headers: owner.headers })).body.data;
const patch = (payload: object, more: Record<string, string> = {}, owner = customer): Promise<Answered> =>
  harness.call({ method: 'PATCH', url: URL, headers: { ...owner.headers, ...more }, payload });
const internal = (method: 'GET' | 'PATCH', payload?: object, key?: string): Promise<Answered> =>
  harness.call({
    method,
    url: `/internal/customers/${customer.id}`,
    headers: { ...internalHeaders, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  });
const entries = async () => {
  await harness.settled();
  return harness.log
    .of(LEDGER.name)
    .filter(({ key }) => key === customer.id)
    .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value))
    .filter(({ id }) => id.startsWith('settings:'));
};

describe('GET and PATCH of a customer’s settings', () => {
  test('start with the defaults, keep omitted fields, and record each change in the ledger', async () => {
    expect(await read()).toEqual({ ...DEFAULT_SETTINGS, version: 0, updatedAt: null });
    const changed = await patch({ windowMinutes: 15 });
    expect([changed.status, changed.body.success]).toEqual([200, true]);
    expect(changed.body.data).toMatchObject({ ...DEFAULT_SETTINGS, windowMinutes: 15, version: 1 });
    expect(await read()).toEqual(changed.body.data);
    await patch({ minSignals: 9 });
    expect(await read()).toMatchObject({ windowMinutes: 15, minSignals: 9, version: 2 });
    const made = await entries();
    expect(made.map(({ kind, id, core }) => [kind, id, JSON.parse(core)])).toEqual([
      [
        'POLICY_EVENT',
        'settings:1',
        { type: 'SETTINGS', version: 1, ...DEFAULT_SETTINGS, windowMinutes: 15 },
      ],
      [
        'POLICY_EVENT',
        'settings:2',
        { type: 'SETTINGS', version: 2, ...DEFAULT_SETTINGS, windowMinutes: 15, minSignals: 9 },
      ],
    ]);
  });

  test('name each dimension once, in a fixed order', async () => {
    const { body } = await patch({ dimensions: ['violation', 'sandbox', 'violation'] });
    expect(body.data).toMatchObject({ dimensions: ['sandbox', 'violation'], version: 1 });
    expect((await patch({ dimensions: ['sandbox', 'violation'] })).body.data.version).toBe(1);
    expect(await entries()).toHaveLength(1);
  });

  test('are changed once under an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'one' };
    const first = await patch({ minSignals: 9 }, key);
    await patch({ minSignals: 4 });
    const again = await patch({ minSignals: 9 }, key);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect(await read()).toMatchObject({ minSignals: 4, version: 2 });
    expect((await patch({ minSignals: 5 }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test.each([
    ['windowMinutes', 4, 'Expected at least 5'],
    ['windowMinutes', 1_441, 'Expected at most 1440'],
    ['windowMinutes', 7.5, 'a whole number'],
    ['windowMinutes', 'long', 'number'],
    ['minSignals', 1, 'Expected at least 2'],
    ['minSignals', 10_001, 'Expected at most 10000'],
    ['minSignals', '3', 'number'],
    ['dimensions', [], 'Expected at least 1 item'],
    ['dimensions', ['moon'], 'sandbox'],
    ['dimensions', 'sandbox', 'a list'],
  ])('%s: %j is refused with what to do', async (field, value, said) => {
    const refused = await patch({ [field]: value });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.body.message).toContain(field);
    expect(refused.body.message).toContain(said);
    expect(await read()).toMatchObject({ version: 0 });
  });

  test('are refused beyond the daily limit of changes, for every caller', async () => {
    const poor = await harness.customer('DEV');
    customer = poor;
    for (let change = 0; change < RECORD_BUDGETS.DEV.versionsPerDay; change += 1)
      expect((await patch({ minSignals: 10 + change })).status).toBe(200);
    const refused = await patch({ minSignals: 2 });
    expect([refused.status, refused.body.code]).toEqual([429, 'SANDBOX_CHANGES_REACHED']);
    const before = (await internal('GET')).body.data;
    const byPlatform = await internal('PATCH', { name: 'Other', correlation: { minSignals: 2 } });
    expect(byPlatform.body.code).toBe('SANDBOX_CHANGES_REACHED');
    expect((await internal('GET')).body.data).toEqual(before);
  });

  test('belong to one customer', async () => {
    await patch({ minSignals: 9 });
    expect(await read(await harness.customer())).toMatchObject({ minSignals: 3, version: 0 });
  });

  test('of an erased customer are as unknown as its key, even during a change', async () => {
    erasedMeanwhile = true;
    const refused = await patch({ minSignals: 9 });
    expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_KEY']);
    expect((await patch({ minSignals: 9 })).body.code).toBe('INVALID_KEY');
    expect(await entries()).toEqual([]);
  });
});

test('a literal path is not an id: other methods get the allowed ones', async () => {
  const put = await harness.call({ method: 'PUT', url: URL, headers: customer.headers, payload: {} });
  expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, PATCH']);
});

describe('the platform and a customer’s settings', () => {
  test('sees and changes them with the customer’s other fields', async () => {
    expect((await internal('GET')).body.data.correlation).toEqual(DEFAULT_SETTINGS);
    const changed = await internal('PATCH', {
      name: 'New name',
      correlation: { windowMinutes: 15, dimensions: ['violation', 'model'] },
    });
    const correlation = { windowMinutes: 15, minSignals: 3, dimensions: ['model', 'violation'] };
    expect([changed.status, changed.body.data]).toMatchObject([200, { name: 'New name', correlation }]);
    expect((await internal('GET')).body).toEqual(changed.body);
    expect(await read()).toMatchObject({ ...correlation, version: 1 });
    expect((await internal('PATCH', { rate: 7 })).body.data).toMatchObject({ ratePerSecond: 7, correlation });
    expect(await entries()).toHaveLength(1);
  });

  test('changes them once under an Idempotency-Key', async () => {
    await internal('PATCH', { correlation: { minSignals: 9 } }, `of-${customer.id}`);
    await patch({ minSignals: 4 });
    await internal('PATCH', { correlation: { minSignals: 9 } }, `of-${customer.id}`);
    expect(await read()).toMatchObject({ minSignals: 4, version: 2 });
  });

  test('is refused whatever the customer is refused, and then changes nothing', async () => {
    const before = (await internal('GET')).body;
    const refused = await internal('PATCH', { name: 'Other', correlation: { windowMinutes: 4 } });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.body.message).toContain('correlation.windowMinutes');
    expect((await internal('GET')).body).toEqual(before);
  });

  test('neither sees nor changes those of an erased customer', async () => {
    await harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}`,
      headers: internalHeaders,
    });
    const refused = await internal('PATCH', { correlation: { minSignals: 9 } });
    expect([refused.status, refused.body.code]).toEqual([409, 'CUSTOMER_ERASED']);
    expect(await entries()).toEqual([]);
    expect((await internal('GET')).body.data).not.toHaveProperty('correlation');
  });

  test('lists customers without them', async () => {
    const listed = await harness.call({ url: '/internal/customers?limit=1', headers: internalHeaders });
    expect(listed.body.data[0]).not.toHaveProperty('correlation');
  });
});
