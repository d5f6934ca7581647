import { BUDGET_TEXTS, RECORD_BUDGETS } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { ACTIVE_AUDITORS } from '#records/auditors/active-auditors.ts';
import { AUDITORS, type AuditorRecord } from '#records/auditors/auditor-record.ts';
import { auditorTokenHash } from '#records/auditors/issue-auditor.ts';
import { NO_USAGE, RECORD_USAGE } from '#records/changes/record-usage.ts';
import { LEDGER } from '#schemas/topics.ts';
import {
  type Answered,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../../testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
let other: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  [customer, other] = [await harness.customer(), await harness.customer()];
});

const DAY_MS = 86_400_000;
const NEW = { name: 'Ann Auditor', permissions: ['READ_SIGNALS'] };
const inDays = (days: number): string => new Date(Date.now() + harness.skew + days * DAY_MS).toISOString();

const create = (payload: object = NEW, headers: object = {}, owner = customer): Promise<Answered> =>
  harness.call({
    method: 'POST',
    url: '/evidence/auditors',
    headers: { ...owner.headers, ...headers },
    payload,
  });
const share = (customerIds: readonly string[], extra: object = {}, headers: object = {}) =>
  harness.call({
    method: 'POST',
    url: '/internal/auditors',
    headers: { ...internalHeaders, ...headers },
    payload: { ...NEW, customerIds, ...extra },
  });
const list = async (query = '', owner = customer) =>
  (await harness.call({ url: `/evidence/auditors${query}`, headers: owner.headers })).body;
const revoke = (id: string, owner = customer): Promise<Answered> =>
  harness.call({ method: 'DELETE', url: `/evidence/auditors/${id}`, headers: owner.headers });
const asks = async (token: string, customerId?: string): Promise<unknown> => {
  const url = `/auditor/signals${customerId === undefined ? '' : `?customerId=${customerId}`}`;
  const { status, body } = await harness.call({ url, headers: { authorization: `Bearer ${token}` } });
  return status === 200 ? 200 : [status, body.code];
};
const outcome = ({ status, body }: Answered) => [status, body.code];
const ended = [401, 'INVALID_AUDITOR_TOKEN'];

/** Cores of the customer's entries about auditors, in order. */
async function events(owner = customer): Promise<readonly Record<string, unknown>[]> {
  await harness.settled();
  return harness.log
    .of(LEDGER.name)
    .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value))
    .filter(
      ({ customerId, kind, id }) => customerId === owner.id && kind === 'KEY_EVENT' && /^auditor:/.test(id),
    )
    .map(({ core }) => JSON.parse(core));
}

describe('a customer’s auditor', () => {
  test('is shown with its token once, and stored without it', async () => {
    const made = await create({ ...NEW, email: 'ann@audits.example' });
    expect(made.status).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    const { token, ...shown } = made.body.data;
    expect(token).toMatch(/^aud_[0-9a-f]{64}$/);
    expect(shown).toMatchObject({
      name: 'Ann Auditor',
      email: 'ann@audits.example',
      prefix: token.slice(0, 8),
      permissions: ['READ_SIGNALS'],
      frameworks: null,
      periodStart: null,
      periodEnd: null,
      status: 'active',
      revokedAt: null,
    });
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(30 * DAY_MS);
    const listed = await list();
    expect(listed.data).toEqual([shown]);
    const ref = { scope: customer.id, collection: AUDITORS, id: shown.id };
    const stored = (await harness.state.documents.get<AuditorRecord>(ref))!.value;
    expect(stored.tokenHash).toBe(auditorTokenHash(token));
    expect(JSON.stringify(stored)).not.toContain(token.slice(8));
    const logged = harness.log.records.map(({ value }) => Buffer.from(value).toString('latin1')).join();
    expect(logged).not.toContain(token.slice(8));
    expect(logged).not.toContain('Ann Auditor');
    expect(await asks(token)).toBe(200);
  });

  test('is recorded in the ledger when made and when revoked, and fails from then on', async () => {
    const limits = {
      frameworks: ['GDPR', 'SOC2', 'GDPR'],
      periodStart: '2026-01-01',
      periodEnd: '2026-03-31',
    };
    const { id, token } = (await create({ ...NEW, ...limits })).body.data;
    expect(await asks(token)).toBe(200);
    const revoked = await revoke(id);
    expect(revoked.status).toBe(200);
    expect(revoked.body.data).toMatchObject({ id, status: 'revoked', revokedAt: expect.any(String) });
    expect(await asks(token)).toEqual(ended);
    expect((await revoke(id)).body).toEqual(revoked.body);
    const core = {
      type: 'AUDITOR',
      auditorId: id,
      prefix: token.slice(0, 8),
      permissions: ['READ_SIGNALS'],
      frameworks: ['GDPR', 'SOC2'],
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-03-31T23:59:59.999Z',
      expiresAt: expect.any(String),
    };
    expect(await events()).toEqual([
      { ...core, version: 1, status: 'active' },
      { ...core, version: 2, status: 'revoked' },
    ]);
  });

  test('ends when it expires, after a year at most', async () => {
    const until = inDays(365);
    const { token } = (await create({ ...NEW, expiresAt: until })).body.data;
    harness.skew += 365 * DAY_MS - 5_000;
    expect(await asks(token)).toBe(200);
    harness.skew += 5_000;
    expect(await asks(token)).toEqual(ended);
    expect((await list()).data).toMatchObject([{ status: 'expired', expiresAt: until }]);
  });

  test('is refused with the field if its request is invalid', async () => {
    for (const [field, change] of [
      ['expiresAt', { expiresAt: inDays(-1) }],
      ['expiresAt', { expiresAt: inDays(366) }],
      ['expiresAt', { expiresAt: 'soon' }],
      ['permissions', { permissions: [] }],
      ['permissions.0', { permissions: ['WRITE'] }],
      ['frameworks', { frameworks: [] }],
      ['frameworks.0', { frameworks: ['gdpr'] }],
      ['periodStart', { periodStart: '2026-02-01', periodEnd: '2026-01-31' }],
      ['email', { email: 'ann' }],
      ['name', { name: '' }],
    ] as const) {
      const { status, body } = await create({ ...NEW, ...change });
      expect([status, body.details?.[0]?.path]).toEqual([400, field]);
    }
    expect((await list()).data).toEqual([]);
  });

  test('is made once under an Idempotency-Key, with its token shown once', async () => {
    const key = { 'idempotency-key': 'one-auditor' };
    const { token, ...shown } = (await create(NEW, key)).body.data;
    const again = await create(NEW, key);
    expect([again.status, again.headers['idempotent-replayed'], again.body.data]).toEqual([
      201,
      'true',
      shown,
    ]);
    expect((await list()).data).toHaveLength(1);
    expect(await asks(token)).toBe(200);
  });

  test('is unknown to other customers', async () => {
    const { id, token } = (await create()).body.data;
    expect((await list('', other)).data).toEqual([]);
    expect(outcome(await revoke(id, other))).toEqual([404, 'NOT_FOUND']);
    expect(await asks(token, other.id)).toEqual([403, 'CUSTOMER_NOT_GRANTED']);
    expect(await asks(token, customer.id)).toBe(200);
  });

  test('is one of at most twenty; another needs one to be revoked or expire', async () => {
    const days = [...Array.from({ length: 19 }, () => 30), 1];
    const made: string[] = [];
    for (const each of days) made.push((await create({ ...NEW, expiresAt: inDays(each) })).body.data.id);
    const refused = await create();
    expect(outcome(refused)).toEqual([429, 'ACTIVE_AUDITORS_REACHED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0.9 * 86_400);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    expect((await revoke(made[0]!)).status).toBe(200);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(429);
    harness.skew += DAY_MS;
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(429);
    const page = await list('?limit=5');
    expect(page.pagination).toMatchObject({ total: 22, nextCursor: expect.any(String) });
    expect(page.data.map(({ status }: { status: string }) => status)).toEqual(
      Array(5).fill('active').with(2, 'expired'),
    );
  });

  test('counts against the plan’s budget', async () => {
    const owner = await harness.customer('DEV');
    const { auditorsEver } = RECORD_BUDGETS.DEV;
    const usage = { ...NO_USAGE, day: inDays(0).slice(0, 10), auditors: auditorsEver - 1 };
    const write = (value: object) =>
      harness.state.documents.write(owner.id, [{ collection: RECORD_USAGE, id: owner.id, value }]);
    await write(usage);
    expect((await create(NEW, {}, owner)).status).toBe(201);
    const refused = await create(NEW, {}, owner);
    expect([refused.body.code, refused.body.message]).toEqual([
      'AUDITOR_TOTAL_REACHED',
      BUDGET_TEXTS.auditorsEver('DEV', auditorsEver),
    ]);
    await write({ ...NO_USAGE, bytes: RECORD_BUDGETS.DEV.storedBytes });
    expect(outcome(await create(NEW, {}, owner))).toEqual([403, 'STORAGE_LIMIT_REACHED']);
  });
});

describe('an auditor of several customers', () => {
  test('shows the named customer, and each customer revokes its own grant', async () => {
    const made = await share([customer.id, other.id, customer.id]);
    expect(made.status).toBe(201);
    const { id, token, customerIds, createdByKeyId } = made.body.data;
    expect([customerIds, createdByKeyId]).toEqual([[customer.id, other.id], null]);
    for (const owner of [customer, other]) {
      expect((await list('', owner)).data).toMatchObject([{ id, status: 'active', createdByKeyId: null }]);
      expect(JSON.stringify(await list('', owner))).not.toContain(
        owner === customer ? other.id : customer.id,
      );
      expect(await events(owner)).toMatchObject([{ auditorId: id, version: 1 }]);
      expect(await asks(token, owner.id)).toBe(200);
    }
    expect(await asks(token)).toEqual([400, 'INVALID_REQUEST']);
    await revoke(id, other);
    expect(await asks(token, other.id)).toEqual([403, 'CUSTOMER_NOT_GRANTED']);
    expect(await asks(token)).toBe(200);
    await revoke(id, customer);
    expect(await asks(token)).toEqual(ended);
  });

  test('is revoked by the platform for all of them', async () => {
    const { id, token } = (await share([customer.id, other.id])).body.data;
    const url = `/internal/auditors/${id}`;
    const answer = () => harness.call({ method: 'DELETE', url, headers: internalHeaders });
    const revoked = await answer();
    expect(revoked.body.data).toMatchObject({ status: 'revoked', customerIds: [customer.id, other.id] });
    for (const owner of [customer, other]) expect(await asks(token, owner.id)).toEqual(ended);
    expect((await answer()).body).toEqual(revoked.body);
    const own = (await create()).body.data;
    const ofCustomer = {
      method: 'DELETE',
      url: `/internal/auditors/${own.id}`,
      headers: internalHeaders,
    } as const;
    expect((await harness.call(ofCustomer)).status).toBe(200);
    expect(await asks(own.token)).toEqual(ended);
  });

  test('is granted for all of them or for none', async () => {
    const full = Array.from({ length: 20 }, (_, n) => ({ id: `other-${n}`, expiresAt: inDays(9) }));
    await harness.state.documents.write(other.id, [
      { collection: ACTIVE_AUDITORS, id: other.id, value: full },
    ]);
    expect(outcome(await share([customer.id, other.id]))).toEqual([429, 'ACTIVE_AUDITORS_REACHED']);
    expect((await list()).data).toMatchObject([{ status: 'revoked' }]);
    expect((await list('', other)).data).toEqual([]);
    expect(await events()).toMatchObject([{ status: 'active' }, { status: 'revoked' }]);
  });

  test('is made once under an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'shared' };
    const { token, data, ...shown } = (await share([customer.id], {}, key)).body;
    expect(data.token).toBe(token);
    const { data: _data, ...again } = (await share([customer.id], {}, key)).body;
    expect(again).toEqual(shown);
  });

  test('needs existing customers', async () => {
    const unknownId = harness.dependencies.newId(Date.now());
    expect(outcome(await share([customer.id, unknownId]))).toEqual([404, 'NOT_FOUND']);
    const erased = await harness.customer();
    const url = `/internal/customers/${erased.id}`;
    await harness.call({ method: 'DELETE', url, headers: internalHeaders });
    expect(outcome(await share([customer.id, erased.id]))).toEqual([409, 'CUSTOMER_ERASED']);
    expect(outcome(await share([]))).toEqual([400, 'INVALID_REQUEST']);
    expect(outcome(await share(Array.from({ length: 21 }, () => customer.id)))).toEqual([
      400,
      'INVALID_REQUEST',
    ]);
    expect((await list()).data).toEqual([]);
  });

  test('still shows the others when one of them is erased', async () => {
    const { token } = (await share([customer.id, other.id])).body.data;
    await harness.call({
      method: 'DELETE',
      url: `/internal/customers/${other.id}`,
      headers: internalHeaders,
    });
    expect(await asks(token, other.id)).toEqual([403, 'CUSTOMER_NOT_GRANTED']);
    expect(await asks(token)).toBe(200);
  });
});
