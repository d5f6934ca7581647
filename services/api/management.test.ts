import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { type State, StateUnavailable } from '#platform/state/port.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { addRoutes } from './app.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from './testing/harness.ts';

/** Calls of the state that fail from now on, by name. */
const failing = new Map<string, () => Error>();
const guarded = <Port extends object>(port: Port): Port =>
  new Proxy(port, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const fail = failing.get(String(name));
        return fail ? Promise.reject(fail()) : (member as (...all: unknown[]) => unknown).apply(target, args);
      };
    },
  });
const wrapState = (state: State): State => ({
  ...state,
  documents: guarded(state.documents),
  admission: guarded(state.admission),
  idempotency: guarded(state.idempotency),
});
const down = () => new StateUnavailable('the state does not answer');

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness({ wrapState });
  customer = await harness.customer();
});
afterAll(() => harness.close());

const internal = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, key?: string) =>
  harness.call({
    method,
    url,
    headers: { ...internalHeaders, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  });
const sandbox = (slug: string, key?: string, owner = customer) =>
  harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: { ...owner.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: { name: 'Support', slug, sandboxType: 'CUSTOM', regulations: ['PCI-DSS', 'GDPR', 'PCI_DSS'] },
  });
const whileFailing = async <T>(name: string, error: () => Error, run: () => Promise<T>): Promise<T> => {
  failing.set(name, error);
  return run().finally(() => failing.delete(name));
};

test('the server has exactly one route for every contract', () => {
  const added: string[] = [];
  addRoutes(({ operationId }) => added.push(operationId), {
    ...harness.dependencies,
    directory: {} as never,
    incidents: {} as never,
    auditors: {} as never,
    makeEntry: {} as never,
    policies: {} as never,
    admitted: {} as never,
    receipts: {} as never,
    costly: {} as never,
    freshness: {} as never,
    signalStreams: {} as never,
    passes: {} as never,
    patternRuns: {} as never,
    random: {} as never,
    verificationJobs: {} as never,
  });
  expect(added.sort()).toEqual(ROUTES.map(({ operationId }) => operationId).sort());
});

describe('customers', () => {
  test('are created on plan DEV and listed newest first', async () => {
    const first = await internal('POST', '/internal/customers', { name: 'First', type: 'INDIVIDUAL' });
    expect([first.status, first.body.plan, first.body.auditQuota]).toEqual([201, 'DEV', 1000]);
    expect(first.body.data.id).toBe(first.body.id);
    const second = await internal('POST', '/internal/customers', {
      name: 'S',
      type: 'COMPANY',
      plan: 'ENTERPRISE',
    });
    const list = await internal('GET', '/internal/customers?limit=1');
    expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([second.body.id]);
    const next = await internal(
      'GET',
      `/internal/customers?limit=1&cursor=${list.body.pagination.nextCursor}`,
    );
    expect(next.body.data[0].id).toBe(first.body.id);
    expect(next.body.pagination.page).toBe(2);
    expect((await internal('GET', `/internal/customers/${first.body.id}`)).body.name).toBe('First');
    for (const id of ['x', '01930000-0000-7000-8000-000000000000']) {
      expect((await internal('GET', `/internal/customers/${id}`)).status).toBe(404);
      expect((await internal('POST', `/internal/customers/${id}/api-keys`, {})).status).toBe(404);
      expect((await internal('GET', `/internal/customers/${id}/api-keys`)).status).toBe(404);
    }
  });

  test('are refused with fields that the caller may not set', async () => {
    const sent = { name: 'N', type: 'COMPANY' };
    for (const field of [
      { id: 'mine' },
      { active: false },
      { auditQuota: 5 },
      { overrides: { rate: 1e9 } },
    ]) {
      const { status, body } = await internal('POST', '/internal/customers', { ...sent, ...field });
      expect([status, body.message]).toEqual([400, expect.stringContaining(Object.keys(field)[0]!)]);
    }
  });
});

describe('API keys', () => {
  const path = () => `/internal/customers/${customer.id}/api-keys`;

  test('are shown once, also under an Idempotency-Key', async () => {
    const first = await internal('POST', path(), { name: 'ci' }, 'key-1');
    expect(first.status).toBe(201);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.body.key).toMatch(/^cas_[0-9a-f]{48}$/);
    const { key, data: _data, ...listing } = first.body;
    const again = await internal('POST', path(), { name: 'ci' }, 'key-1');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual({ ...listing, data: listing });
    const listed = await internal('GET', path());
    expect(listed.text).not.toContain(key.slice(8));
    expect(listed.body.data[0]).toEqual(listing);
  });

  test('work until they are revoked', async () => {
    const made = await internal('POST', path(), {});
    const headers = { 'x-service-key': made.body.key };
    expect((await harness.call({ url: '/sandboxes', headers })).status).toBe(200);
    const revoked = await internal('DELETE', `${path()}/${made.body.id}`);
    expect([revoked.status, revoked.body.status, revoked.body.data.status]).toEqual([
      200,
      'revoked',
      'revoked',
    ]);
    const refused = await harness.call({ url: '/sandboxes', headers });
    expect([refused.status, refused.body.message]).toEqual([401, 'Invalid API key']);
    expect((await internal('DELETE', `${path()}/${made.body.id}`)).status).toBe(200);
    expect((await internal('DELETE', `${path()}/01930000-0000-7000-8000-000000000000`)).status).toBe(404);
    const other = await harness.customer();
    expect(
      (await internal('DELETE', `/internal/customers/${other.id}/api-keys/${made.body.id}`)).status,
    ).toBe(404);
  });

  test('of a customer that is being erased are refused', async () => {
    const gone = await harness.customer();
    const ref = { scope: gone.id, collection: 'customers', id: gone.id };
    const stored = await harness.state.documents.get<object>(ref);
    const value = { ...stored!.value, active: false };
    await harness.state.documents.write(gone.id, [{ collection: 'customers', id: gone.id, value }]);
    expect((await harness.call({ url: '/sandboxes', headers: gone.headers })).status).toBe(401);
  });

  test('are found by a repeat after a crash, without their value', async () => {
    const crashed = await whileFailing(
      'settle',
      () => new Error('crash'),
      () => internal('POST', path(), { name: 'crash' }, 'key-2'),
    );
    expect(crashed.status).toBe(500);
    expect(crashed.text).not.toContain('crash');
    expect((await internal('POST', path(), { name: 'crash' }, 'key-2')).body.code).toBe(
      'IDEMPOTENCY_IN_FLIGHT',
    );
    harness.skew += 31_000;
    const again = await internal('POST', path(), { name: 'crash' }, 'key-2');
    expect([again.status, again.body.name, again.body.key]).toEqual([201, 'crash', undefined]);
    const listed = await internal('GET', path());
    expect(listed.body.data.filter((one: { name: string }) => one.name === 'crash')).toHaveLength(1);
  });
});

describe('sandboxes', () => {
  test('are created with their defaults, and read by id and slug', async () => {
    const made = await sandbox('help-desk');
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      slug: 'help-desk',
      version: 1,
      regulations: ['PCI_DSS', 'GDPR'],
      alertThreshold: 'HIGH',
      guardianAction: 'REDACT_AND_CONTINUE',
      customRules: [],
      region: 'GLOBAL',
      active: true,
      redactionStrategy: 'FULL',
    });
    for (const name of [made.body.id, 'help-desk', 'help_desk']) {
      const read = await harness.call({ url: `/sandboxes/${name}`, headers: customer.headers });
      expect(read.body).toEqual(made.body);
    }
    const other = await harness.customer();
    const foreign = await harness.call({ url: `/sandboxes/${made.body.id}`, headers: other.headers });
    expect(foreign.status).toBe(404);
  });

  test('are created once under an Idempotency-Key, concurrently and after a crash', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox('same', 'sandbox-1')));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    await whileFailing(
      'settle',
      () => new Error('crash'),
      () => sandbox('crash', 'sandbox-2'),
    );
    harness.skew += 31_000;
    const again = await sandbox('crash', 'sandbox-2');
    expect(again.status).toBe(201);
    expect((await sandbox('crash', 'sandbox-2')).body.id).toBe(again.body.id);
    expect((await sandbox('crash', 'sandbox-3')).status).toBe(409);
  });

  test('are refused beyond the plan, and the refusal is not remembered', async () => {
    const dev = await harness.customer('DEV');
    expect((await sandbox('one', undefined, dev)).status).toBe(201);
    const refused = await sandbox('two', 'over', dev);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'SANDBOX_LIMIT_REACHED',
      'DEV plan sandbox limit of 1 reached. Upgrade to PRO.',
    ]);
    expect((await sandbox('one', undefined, dev)).status).toBe(409);
    expect((await sandbox('two', 'over', dev)).status).toBe(403);
  });

  test('accept no audits while inactive', async () => {
    const payload = { name: 'Off', slug: 'off', sandboxType: 'CUSTOM', active: false };
    await harness.call({ method: 'POST', url: '/sandboxes', headers: customer.headers, payload });
    const triplet = { sandboxSlug: 'off', provider: 'o', model: 'm', prompt: 'p', response: '' };
    const refused = await harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers: customer.headers,
      payload: triplet,
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'SANDBOX_INACTIVE']);
  });

  test('accept any name, even with half a surrogate pair', async () => {
    const made = await harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers: { ...customer.headers, 'content-type': 'application/json' },
      payload: '{"name":"x\\ud800","slug":"odd","sandboxType":"CUSTOM"}',
    });
    expect([made.status, made.body.name]).toEqual([201, 'x\ufffd']);
  });
});

describe('the ledger', () => {
  test('gets an entry for every key and sandbox, without key or name', async () => {
    const owner = await harness.customer();
    const made = await sandbox('ledger', undefined, owner);
    await harness.settled();
    const records = harness.log.of(LEDGER.name).filter((record) => record.key === owner.id);
    const entries = records.map((record) => harness.dependencies.codec.decodeLedgerEntry(record.value));
    expect(entries.map(({ kind }) => kind)).toEqual(['KEY_EVENT', 'POLICY_EVENT']);
    expect(JSON.parse(entries[1]!.core)).toMatchObject({
      sandboxId: made.body.id,
      version: 1,
      slug: 'ledger',
    });
    const bytes = Buffer.concat(records.map(({ value }) => value)).toString('latin1');
    expect(bytes).not.toContain(owner.key.slice(8));
    expect(bytes).not.toContain('Support');
  });

  test('delays only the entry when it is down: the record is created', async () => {
    const owner = await harness.customer();
    harness.log.mode = 'refuses';
    const made = await sandbox('waits', undefined, owner);
    await harness.settled();
    harness.log.mode = 'takes';
    expect(made.status).toBe(201);
    const waiting = await harness.state.documents.withPending(10);
    expect(waiting.map(({ id }) => id)).toContain(made.body.id);
  });
});

describe('a state outage', () => {
  const ingest = (key?: string) =>
    harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers: { ...customer.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      payload: { sandboxSlug: 'help-desk', provider: 'o', model: 'm', prompt: 'p', response: '' },
    });

  test.each(['authenticate', 'reserve'])(
    'at %s gives 503 with Retry-After, and nothing is appended',
    async (name) => {
      const before = harness.log.records.length;
      const answer = await whileFailing(name, down, ingest);
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
        503,
        'UNAVAILABLE',
        '1',
      ]);
      expect(harness.log.records.length).toBe(before);
    },
  );

  test('after the append gives 202, because the audit is durable', async () => {
    const answer = await whileFailing('settle', down, () => ingest('down-1'));
    expect(answer.status).toBe(202);
    harness.skew += 31_000;
    expect((await ingest('down-1')).body.auditId).toBe(answer.body.auditId);
  });

  test('after a failed append gives 503', async () => {
    harness.log.mode = 'refuses';
    const answer = await whileFailing('abandon', down, ingest);
    harness.log.mode = 'takes';
    expect(answer.status).toBe(503);
    expect(harness.log.of(TRIPLETS.name).some((record) => record.key === answer.body.auditId)).toBe(false);
  });
});
