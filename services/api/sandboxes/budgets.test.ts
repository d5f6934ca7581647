import { BUDGET_TEXTS, RECORD_BUDGETS, REMEMBERED_BYTES } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { SANDBOX_SLUGS } from '#platform/state/port.ts';
import type { RecordUsage } from '#records/changes/record-usage.ts';
import { NO_USAGE, RECORD_USAGE } from '#records/changes/record-usage.ts';
import { SANDBOX_VERSIONS } from '#records/documents/sandbox-record.ts';
import {
  type Answered,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../testing/harness.ts';

const MIDDAY = Date.UTC(2026, 10, 23, 12);
const DAY_MS = 86_400_000;
const { versionsPerDay, sandboxesEver, apiKeysEver, storedBytes } = RECORD_BUDGETS.DEV;

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  // Prevents tests from running past midnight.
  harness.skew = MIDDAY - Date.now();
  customer = await harness.customer('DEV', { sandboxQuota: 1_000 });
});

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
const send = (method: Method, path: string, payload?: object, key?: string): Promise<Answered> =>
  harness.call({
    method,
    url: `/sandboxes${path}`,
    headers: { ...customer.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  });
const make = (slug: string, extra: object = {}, key?: string) =>
  send('POST', '', { name: 'Support', slug, sandboxType: 'CUSTOM', ...extra }, key);
const rename = (n: number, key?: string) => send('PATCH', '/support', { name: `Name ${n}` }, key);
/** 50 rules of 500 characters: the maximum. */
const longRules = (n: number) => Array.from({ length: 50 }, (_, rule) => `${n} ${rule} `.padEnd(500, 'x'));
const usageRef = () => ({ scope: customer.id, collection: RECORD_USAGE, id: customer.id });
const usage = async () => (await harness.state.documents.get<RecordUsage>(usageRef()))!.value;
/** Sets the usage. */
const setUsage = async (used: Partial<RecordUsage>) => {
  const before = (await harness.state.documents.get<RecordUsage>(usageRef()))?.value ?? NO_USAGE;
  await harness.state.documents.write(customer.id, [
    { collection: RECORD_USAGE, id: customer.id, value: { ...before, day: '2026-11-23', ...used } },
  ]);
};
const outcome = ({ status, body }: Answered) => [status, body.code];

describe('versions a day', () => {
  test('from PATCH in a loop end at the budget with 429 and Retry-After, and the state stops growing', async () => {
    await make('support');
    const answers = [];
    for (let n = 0; n < versionsPerDay + 10; n += 1) answers.push(await rename(n));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(versionsPerDay - 1);
    const refused = answers.at(-1)!;
    expect(outcome(refused)).toEqual([429, 'SANDBOX_CHANGES_REACHED']);
    expect(refused.body.message).toBe(BUDGET_TEXTS.versionsPerDay('DEV', versionsPerDay));
    const untilMidnight = Number(refused.headers['retry-after']);
    expect(untilMidnight).toBeGreaterThan(12 * 3_600 - 60);
    expect(untilMidnight).toBeLessThanOrEqual(12 * 3_600);
    expect(await harness.state.documents.ids(customer.id, SANDBOX_VERSIONS)).toHaveLength(versionsPerDay);
    harness.skew += DAY_MS / 2;
    expect((await rename(0)).status).toBe(200);
    expect(await usage()).toMatchObject({ day: '2026-11-24', versions: 1 });
  });

  test('from concurrent changes use the budget exactly', async () => {
    await make('support');
    await make('other');
    await setUsage({ versions: versionsPerDay - 7 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        send('PATCH', n % 2 === 0 ? '/support' : '/other', { name: `Name ${n}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(13);
    expect(await usage()).toMatchObject({ versions: versionsPerDay });
  });

  test('include creations and PUT; a change of nothing and a deletion are allowed', async () => {
    const made = await make('support');
    await setUsage({ versions: versionsPerDay });
    expect(outcome(await make('another'))).toEqual([429, 'SANDBOX_CHANGES_REACHED']);
    const put = await send('PUT', '/support', { name: 'Other', sandboxType: 'CUSTOM' });
    expect(outcome(put)).toEqual([429, 'SANDBOX_CHANGES_REACHED']);
    expect((await send('PATCH', '/support', {})).body).toEqual(made.body);
    expect((await send('DELETE', '/support')).status).toBe(200);
  });

  test('leave the Idempotency-Key free for the next day when used up', async () => {
    await make('support');
    await setUsage({ versions: versionsPerDay });
    expect((await rename(1, 'k')).status).toBe(429);
    harness.skew += DAY_MS / 2;
    expect((await rename(1, 'k')).body.version).toBe(2);
  });
});

describe('stored bytes', () => {
  test('for versions with the longest rules end at the budget with 403; deleting is still possible', async () => {
    await make('support', { customRules: longRules(0) });
    await setUsage({ bytes: storedBytes - 40_000 });
    const more = await send('PATCH', '/support', { customRules: longRules(1) });
    expect(more.status).toBe(200);
    const refused = await send('PATCH', '/support', { customRules: longRules(2) });
    expect(outcome(refused)).toEqual([403, 'STORAGE_LIMIT_REACHED']);
    expect(refused.body.message).toBe(BUDGET_TEXTS.storedBytes('DEV', storedBytes));
    expect(outcome(await make('another', { customRules: longRules(3) }))).toEqual([
      403,
      'STORAGE_LIMIT_REACHED',
    ]);
    expect((await send('DELETE', '/support')).status).toBe(200);
  });

  test('match what is stored, whatever happened concurrently', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => make(`s${n}`, { customRules: longRules(n) })));
    await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        send('PATCH', `/s${n % 8}`, { customRules: longRules(n).slice(0, n + 1) }),
      ),
    );
    await Promise.all([0, 1, 2].map((n) => send('DELETE', `/s${n}`)));
    const counted = await usage();
    await harness.state.documents.write(customer.id, [
      { collection: RECORD_USAGE, id: customer.id, value: null },
    ]);
    expect((await send('GET', '')).body.pagination.total).toBe(5);
    expect(await usage()).toEqual(counted);
  });
});

describe('sandboxes ever made', () => {
  test('end at the budget when created and deleted in a loop; deleted ones count', async () => {
    customer = await harness.customer('DEV');
    let last = await make('s0');
    for (let n = 1; last.status === 201; n += 1) {
      await setUsage({ versions: 0 });
      expect((await send('DELETE', `/s${n - 1}`)).status).toBe(200);
      last = await make(`s${n}`);
    }
    expect(outcome(last)).toEqual([403, 'SANDBOX_TOTAL_REACHED']);
    expect(last.body.message).toBe(BUDGET_TEXTS.sandboxesEver('DEV', sandboxesEver));
    expect(await harness.state.documents.ids(customer.id, SANDBOX_SLUGS)).toHaveLength(sandboxesEver);
  });

  test('may be four per sandbox of a quota that the platform raised', async () => {
    await make('support');
    await setUsage({ sandboxes: 3_999 });
    expect((await make('last')).status).toBe(201);
    expect(outcome(await make('beyond'))).toEqual([403, 'SANDBOX_TOTAL_REACHED']);
  });
});

describe('API keys ever made', () => {
  const newKey = (key?: string) =>
    harness.call({
      method: 'POST',
      url: `/internal/customers/${customer.id}/api-keys`,
      headers: { ...internalHeaders, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      payload: { name: 'further' },
    });

  test('fill the budget exactly when made concurrently; revoked ones count, and a repeat counts once', async () => {
    const first = await newKey('one');
    expect((await newKey('one')).body.id).toBe(first.body.id);
    await setUsage({ apiKeys: apiKeysEver - 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => newKey()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.find(({ status }) => status !== 201)!;
    expect(outcome(refused)).toEqual([403, 'API_KEY_LIMIT_REACHED']);
    expect(refused.body.message).toBe(BUDGET_TEXTS.apiKeysEver('DEV', apiKeysEver));
    const revoked = await harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}/api-keys/${first.body.id}`,
      headers: internalHeaders,
    });
    expect(revoked.status).toBe(200);
    expect(outcome(await newKey())).toEqual([403, 'API_KEY_LIMIT_REACHED']);
  });
});

describe('answers remembered under Idempotency-Keys', () => {
  test('for changes of nothing end at the budget with 429; requests without a key and other customers are unaffected', async () => {
    await make('support', { customRules: longRules(0) });
    const { idempotency } = harness.state;
    const body = 'x'.repeat(REMEMBERED_BYTES.DEV - 60_000);
    await idempotency.settle(customer.id, { key: 'filled', bodyDigest: '' }, { statusCode: 200, body });
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await send('PATCH', '/support', {}, `k${n}`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    const refused = answers.at(-1)!;
    expect(refused.body.code).toBe('IDEMPOTENCY_BUDGET_REACHED');
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(4 * 3_600);
    expect((await send('PATCH', '/support', {}, 'k0')).headers['idempotent-replayed']).toBe('true');
    expect((await send('PATCH', '/support', {})).status).toBe(200);
    const payload = { sandboxSlug: 'support', provider: 'o', model: 'm', prompt: 'p', response: '' };
    const ingest = (headers: object) =>
      harness.call({
        method: 'POST',
        url: '/audit/ingest',
        headers: { ...customer.headers, ...headers },
        payload,
      });
    expect(outcome(await ingest({ 'idempotency-key': 'i' }))).toEqual([429, 'IDEMPOTENCY_BUDGET_REACHED']);
    expect((await ingest({})).status).toBe(202);
    customer = await harness.customer('DEV');
    expect((await make('support', {}, 'k')).status).toBe(201);
  });
});
