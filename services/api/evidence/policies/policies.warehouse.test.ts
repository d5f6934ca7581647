import { frameworkRules } from '#core/evidence/policies/rules.ts';
import { sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { BUDGET_TEXTS, RECORD_BUDGETS } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { LEDGER } from '#schemas/topics.ts';
import type { Answered, TestCustomer } from '../../testing/harness.ts';
import { storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

/** Policies over HTTP, and their reports over a stored ledger. */

let world: StoredWorld;
let customer: TestCustomer;
let sandboxId: string;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.real.clear();
  await newCustomer();
});

async function newCustomer(plan: 'DEV' | 'PRO' = 'PRO'): Promise<void> {
  customer = await world.harness.customer(plan);
  const payload = { name: 'Support', slug: 'help-desk', sandboxType: 'FULL_SPECTRUM' };
  const made = await world.harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload,
  });
  sandboxId = made.body.id;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const send = (
  method: Method,
  path: string,
  payload?: object,
  extra: Record<string, string> = {},
  owner = customer,
): Promise<Answered> =>
  world.harness.call({
    method,
    url: `/evidence/policies${path}`,
    headers: { ...owner.headers, ...extra },
    ...(payload === undefined ? {} : { payload }),
  });
const outcome = ({ status, body }: Answered) => [status, body.code];
const needed = { name: 'No addresses', framework: 'GDPR' };
const rule = (change: object = {}) => ({
  code: 'EMAIL',
  minRiskLevel: 'HIGH',
  maxCount: 0,
  windowDays: 30,
  action: 'OPEN_INCIDENT',
  ...change,
});
const create = async (payload: object = {}) =>
  (await send('POST', '', { ...needed, ...payload })).body.data as { id: string; version: number };

describe('POST /evidence/policies', () => {
  test('creates a policy with a ledger entry; without rules it gets the framework’s', async () => {
    const made = await send('POST', '', needed);
    expect([made.status, made.body.success]).toEqual([201, true]);
    const { data } = made.body;
    expect(data).toMatchObject({
      ...needed,
      ...{ description: null, sandboxSlugs: [], enforcement: 'MONITOR', active: true, version: 1 },
      rules: frameworkRules('GDPR'),
    });
    expect((await send('GET', `/${data.id}`)).body).toEqual({ success: true, data });
    await world.harness.settled();
    const entries = world.harness.log
      .of(LEDGER.name)
      .map(({ value }) => world.harness.dependencies.codec.decodeLedgerEntry(value));
    const entry = entries.find(({ id }) => id === `policy:${data.id}:1`)!;
    expect(entry.kind).toBe('POLICY_EVENT');
    expect(JSON.parse(entry.core)).toMatchObject({ policyId: data.id, rules: data.rules });
    expect(entry.core).not.toContain('No addresses');
  });

  test('completes a rule, and names each sandbox once in its own spelling', async () => {
    const slugs = ['help_desk', 'help-desk'];
    const { body } = await send('POST', '', { ...needed, sandboxSlugs: slugs, rules: [{ code: '*' }] });
    expect(body.data).toMatchObject({ sandboxSlugs: ['help-desk'], rules: [rule({ code: '*' })] });
  });

  test('makes one policy under an Idempotency-Key, and a PATCH one version', async () => {
    const key = { 'idempotency-key': 'one' };
    const [first, again] = [await send('POST', '', needed, key), await send('POST', '', needed, key)];
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const path = `/${first.body.data.id}`;
    const patch = () => send('PATCH', path, { active: false }, key);
    expect([(await patch()).body.data.version, (await patch()).body.data.version]).toEqual([2, 2]);
    expect((await send('GET', '')).body.pagination.total).toBe(1);
  });

  test.each([
    ['without a name', { name: undefined }],
    ['with a blank name', { name: ' ' }],
    ['of an unknown framework', { framework: 'COBIT' }],
    ['with an unknown code', { rules: [rule({ code: 'NOTHING' })] }],
    ['with an unknown level', { rules: [rule({ minRiskLevel: 'SOME' })] }],
    ['with an unknown action', { rules: [rule({ action: 'CALL' })] }],
    ['with a rule that allows less than none', { rules: [rule({ maxCount: -1 })] }],
    ['with a window of no day', { rules: [rule({ windowDays: 0 })] }],
    ['with half a day', { rules: [rule({ windowDays: 0.5 })] }],
    ['with an unknown enforcement', { enforcement: 'SOMETIMES' }],
  ])('answers 400 for %s', async (_name, change) => {
    expect(outcome(await send('POST', '', { ...needed, ...change }))).toEqual([400, 'INVALID_REQUEST']);
  });

  test.each([
    ['65 rules', { rules: Array.from({ length: 65 }, () => rule()) }],
    ['101 sandboxes', { sandboxSlugs: Array.from({ length: 101 }, () => 'help-desk') }],
    ['367 days', { rules: [rule({ windowDays: 367 })] }],
    ['more than a billion signals', { rules: [rule({ maxCount: 1_000_000_001 })] }],
    ['4,001 characters', { description: 'x'.repeat(4_001) }],
  ])('is refused beyond the limits of a policy: %s', async (_name, change) => {
    expect(outcome(await send('POST', '', { ...needed, ...change }))).toEqual([400, 'INVALID_REQUEST']);
  });

  test('answers 400 for a sandbox that is unknown, foreign or named by id', async () => {
    const id = (await create()).id;
    for (const slug of ['nowhere', 'support-chat', sandboxId]) {
      const answer = await send('POST', '', { ...needed, sandboxSlugs: ['help-desk', slug] });
      expect([slug, ...outcome(answer)]).toEqual([slug, 400, 'SANDBOX_NOT_FOUND']);
      expect(outcome(await send('PATCH', `/${id}`, { sandboxSlugs: [slug] }))).toEqual([
        400,
        'SANDBOX_NOT_FOUND',
      ]);
    }
  });

  test('is refused beyond the plan’s number until one is deleted', async () => {
    await newCustomer('DEV');
    const { policies } = RECORD_BUDGETS.DEV;
    const ids = [];
    for (let count = 0; count < policies; count += 1) ids.push((await create()).id);
    const refused = await send('POST', '', needed);
    expect(outcome(refused)).toEqual([403, 'POLICY_LIMIT_REACHED']);
    expect(refused.body.message).toBe(BUDGET_TEXTS.policies('DEV', policies));
    expect((await send('DELETE', `/${ids[0]}`)).status).toBe(200);
    expect((await send('POST', '', needed)).status).toBe(201);
  });
});

describe('a policy', () => {
  test('changes the fields that are sent; an empty list of rules means the framework’s', async () => {
    const { id } = await create({ rules: [rule()], sandboxSlugs: ['help-desk'] });
    const framework = await send('PATCH', `/${id}`, { framework: 'HIPAA', enforcement: 'ENFORCE' });
    expect(framework.body.data).toMatchObject({
      ...{ id, version: 2, framework: 'HIPAA', enforcement: 'ENFORCE', name: needed.name },
      ...{ rules: [rule()], sandboxSlugs: ['help-desk'] },
    });
    const rules = await send('PATCH', `/${id}`, { rules: [] });
    expect(rules.body.data).toMatchObject({ version: 3, rules: frameworkRules('HIPAA') });
    expect((await send('PATCH', `/${id}`, { rules: [] })).body.data.version).toBe(3);
    expect((await send('PATCH', `/${id}`, {})).body.data).toEqual(rules.body.data);
  });

  test('is 404 for every request if deleted, foreign or unknown', async () => {
    const deleted = (await create()).id;
    const answer = await send('DELETE', `/${deleted}`);
    expect(answer.body.data).toMatchObject({ id: deleted, version: 2, deletedAt: expect.any(String) });
    const own = customer;
    await newCustomer();
    const foreign = (await create()).id;
    for (const id of [deleted, foreign, '01993d5a-7c00-7000-8000-000000000001', 'no-id', '%00'])
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { sandboxSlugs: ['nowhere'] }],
        ['DELETE', '', undefined],
        ['GET', '/report', undefined],
      ] as const)
        expect([id, method, ...outcome(await send(method, `/${id}${path}`, body, {}, own))]).toEqual([
          id,
          method,
          404,
          'NOT_FOUND',
        ]);
    expect((await send('GET', '', undefined, {}, own)).body.data).toEqual([]);
  });

  test('is listed newest first, page by page', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push((await create()).id);
    await send('DELETE', `/${ids[3]}`);
    const first = (await send('GET', '?limit=2')).body;
    expect(first.pagination).toMatchObject({ total: 4, pages: 2 });
    const next = (await send('GET', `?limit=2&cursor=${first.pagination.nextCursor}`)).body;
    expect([...first.data, ...next.data].map(({ id }) => id)).toEqual([ids[4], ids[2], ids[1], ids[0]]);
  });
});

describe('GET /evidence/policies/:id/report', () => {
  const DAY_MS = 86_400_000;
  const LAST = Date.UTC(2026, 0, 31);
  const signal = (index: number, daysAgo: number, change: object = {}) => ({
    ...sampleDraft(index, 'SIGNAL', {
      ...sampleCore(index),
      ...{ sandboxId, riskLevel: 'HIGH', violations: ['EMAIL'] },
      createdAt: new Date(LAST - daysAgo * DAY_MS).toISOString(),
      ...change,
    }),
    customerId: customer.id,
  });
  const store = async (drafts: Parameters<typeof storedRows>[0]): Promise<string[]> => {
    await storeChain(world, customer.id, storedRows(drafts));
    return drafts.map(({ id }) => id);
  };
  const reportOf = async (policy: object, query = '') =>
    (await send('GET', `/${(await create(policy)).id}/report${query}`)).body.data;

  test('counts signals in windows that end with the period, as of the newest checkpoint', async () => {
    const ids = await store([
      signal(0, 20, { violations: ['SSN'] }),
      signal(1, 9),
      signal(2, 5, { riskLevel: 'MEDIUM' }),
      signal(3, 3, { sandboxId: 'another' }),
      signal(4, 1, { violations: [] }),
      signal(5, 0, { violations: ['EMAIL', 'SSN'] }),
    ]);
    const rules = [
      rule({ windowDays: 5 }),
      rule({ windowDays: 10, maxCount: 2 }),
      rule({ code: '*', minRiskLevel: 'LOW', windowDays: 30, maxCount: 5 }),
      rule({ code: 'PHONE' }),
    ];
    const query = '?from=2026-01-25&to=2026-01-31';
    const { id } = await create({ rules, sandboxSlugs: ['help-desk'] });
    const report = await send('GET', `/${id}/report${query}`);
    const { body: checkpoint } = await world.harness.call({
      url: '/evidence/hash-chain/checkpoint',
      headers: customer.headers,
    });
    const end = '2026-01-31T23:59:59.999Z';
    expect(report.body).toEqual({
      success: true,
      data: {
        policyId: id,
        policyVersion: 1,
        framework: 'GDPR',
        period: { start: '2026-01-25T00:00:00.000Z', end },
        evaluatedSignals: 3,
        passingSignals: 1,
        passRate: 0.333333,
        status: 'FAIL',
        rules: [
          { ...rules[0], count: 1, breached: true, sampleSignalIds: [ids[5]] },
          { ...rules[1], count: 2, breached: false, sampleSignalIds: [ids[5], ids[1]] },
          { ...rules[2], count: 4, breached: false, sampleSignalIds: [ids[5], ids[2], ids[1], ids[0]] },
          { ...rules[3], count: 0, breached: false, sampleSignalIds: [] },
        ],
        violationsByCode: { EMAIL: 2, SSN: 1 },
        incidentsOpened: 0,
        checkpoint: checkpoint.data.note,
        generatedAt: checkpoint.data.issuedAt,
        notice: expect.any(String),
      },
    });
    expect((await send('GET', `/${id}/report${query}`)).text).toBe(report.text);
    await send('PATCH', `/${id}`, { rules: [rules[1]] });
    expect((await send('GET', `/${id}/report${query}`)).body.data).toMatchObject({
      status: 'WARN',
      policyVersion: 2,
    });
  });

  test('for all sandboxes and all time counts everything below the checkpoint, and nothing of other customers', async () => {
    await store([signal(0, 20), signal(1, 3, { sandboxId: 'another', riskLevel: 'CRITICAL' })]);
    const report = await reportOf({ rules: [rule({ maxCount: 5, windowDays: 366 })] });
    expect(report).toMatchObject({
      period: { start: null, end: report.generatedAt },
      ...{ evaluatedSignals: 2, passingSignals: 0, passRate: 0, status: 'PASS' },
      rules: [{ count: 2 }],
    });
    await newCustomer();
    expect(await reportOf({})).toMatchObject({
      ...{ evaluatedSignals: 0, passRate: 1, status: 'PASS', violationsByCode: {} },
      ...{ checkpoint: null, generatedAt: null, period: { start: null, end: null } },
    });
  });

  test('fails a framework’s rules with one HIGH signal', async () => {
    await store([signal(0, 3)]);
    const report = await reportOf({}, '?to=2026-01-31');
    expect(report.status).toBe('FAIL');
    const breached = report.rules.filter((one: { breached: boolean }) => one.breached);
    expect(breached).toMatchObject([{ code: 'EMAIL', count: 1 }]);
    expect(report.rules).toHaveLength(frameworkRules('GDPR').length);
  });

  test('refuses an invalid period', async () => {
    const { id } = await create();
    for (const query of [
      '?from=2026-02-01&to=2026-01-01',
      '?from=today',
      '?from=2026-01-01&endDate=2026-01-02',
    ])
      expect(outcome(await send('GET', `/${id}/report${query}`))).toEqual([400, 'INVALID_REQUEST']);
  });
});
