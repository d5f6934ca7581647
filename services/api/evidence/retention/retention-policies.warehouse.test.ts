import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { CUSTOMERS } from '#platform/state/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { createPolicy, MAX_POLICIES, MAX_POLICY_VERSIONS } from '#records/retention/change-policy.ts';
import { LEGAL_HOLDS } from '#records/retention/legal-holds.ts';
import { RETENTION_POLICIES } from '#records/retention/policy-record.ts';
import { SIGNAL_ERASURES } from '#records/retention/signal-erasure.ts';
import { LEDGER } from '#schemas/topics.ts';
import { eventually } from '../../../../test/helpers/eventually.ts';
import { type Answered, internalHeaders } from '../../testing/harness.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';

const PATH = '/evidence/retention/policies';
const DAY_MS = 86_400_000;

let world: ReconciliationWorld;
beforeAll(async () => {
  world = await startReconciliationWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  world.harness.skew = 0;
  await world.fold();
  await world.newCustomer();
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const send = (method: Method, url: string, payload?: object, more: Record<string, string> = {}) =>
  world.harness.call({
    method,
    url,
    headers: { ...world.customer.headers, ...more },
    ...(payload ? { payload } : {}),
  });
const make = (change: object = {}) => send('POST', PATH, { name: 'A year', retentionDays: 365, ...change });
const made = async (change: object = {}): Promise<string> => (await make(change)).body.data.id;
const refusal = ({ status, body }: Answered) => [status, body.code];
const erase = (id: string, query = '') => send('DELETE', `/evidence/retention/signals/${id}${query}`);
const sandbox = (change: object) => send('PATCH', '/sandboxes/support-chat', change);

async function stored(): Promise<string> {
  const id = await world.accept(1);
  await world.analyse();
  await world.fold();
  return id;
}

/** True when the erasure is decided. */
async function erasable(id: string, query = ''): Promise<boolean> {
  const { documents } = world.harness.state;
  const answer = erase(id, query);
  const decided = await Promise.race([
    answer.then(({ status }) => status < 300),
    eventually('the answer, or the decision', 30_000, async () =>
      (await documents.ids(world.customer.id, SIGNAL_ERASURES)).includes(id) ? true : undefined,
    ),
  ]);
  await world.fold();
  await answer;
  return decided;
}

const events = async (): Promise<object[]> => {
  await world.harness.settled();
  return world.harness.log
    .of(LEDGER.name)
    .filter(({ key }) => key === world.customer.id)
    .map(({ value }) => world.harness.dependencies.codec.decodeLedgerEntry(value))
    .filter(({ id }) => /^(retention|hold):/.test(id))
    .map(({ kind, id, core }) => ({ kind, id, core: JSON.parse(core) }));
};

describe('retention policies', () => {
  test('are made with defaults, read, listed, changed and deleted', async () => {
    const answer = await make();
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toMatchObject({
      name: 'A year',
      retentionDays: 365,
      framework: null,
      sandboxSlug: null,
      action: 'DELETE',
      legalHold: false,
      active: true,
      version: 1,
      deletedAt: null,
    });
    const url = `${PATH}/${data.id}`;
    expect((await send('GET', url)).body.data).toEqual(data);
    const other = await made({ name: 'Other', sandboxSlug: 'support_chat' });
    expect((await send('GET', PATH)).body.data.map(({ id }: { id: string }) => id)).toEqual([other, data.id]);
    const changed = await send('PATCH', url, { retentionDays: 400, action: 'ANONYMIZE' });
    expect(changed.body.data).toMatchObject({ retentionDays: 400, action: 'ANONYMIZE', version: 2 });
    expect((await send('DELETE', url)).body.data).toMatchObject({ version: 3 });
    for (const method of ['GET', 'DELETE'] as const)
      expect(refusal(await send(method, url))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await send('PATCH', url, { name: 'x' }))).toEqual([404, 'NOT_FOUND']);
    expect((await send('GET', PATH)).body.pagination.total).toBe(1);
    expect((await events()).map((event) => (event as { id: string }).id)).toEqual([
      `retention:${data.id}:1`,
      `retention:${other}:1`,
      `retention:${data.id}:2`,
      `retention:${data.id}:3`,
    ]);
  });

  test('under one Idempotency-Key are made and changed once', async () => {
    const key = { 'idempotency-key': 'one' };
    const bodies = [];
    for (let n = 0; n < 2; n += 1)
      bodies.push((await send('POST', PATH, { name: 'A', retentionDays: 9 }, key)).body);
    expect(bodies[1]).toEqual(bodies[0]);
    const url = `${PATH}/${bodies[0].data.id}`;
    for (let n = 0; n < 2; n += 1) await send('PATCH', url, { name: 'B' }, key);
    expect((await send('GET', url)).body.data).toMatchObject({ name: 'B', version: 2 });
  });

  test.each([
    ['HIPAA', 2_190],
    ['EU_AI_ACT', 183],
    ['PCI_DSS', 365],
  ])('of %s keep at least %i days', async (framework, floor) => {
    const below = await make({ framework, retentionDays: floor - 1 });
    expect(refusal(below)).toEqual([400, 'RETENTION_BELOW_MINIMUM']);
    expect(below.body.message).toContain(`${floor} days`);
    const id = await made({ framework, retentionDays: floor });
    expect(refusal(await send('PATCH', `${PATH}/${id}`, { retentionDays: floor - 1 }))).toEqual([
      400,
      'RETENTION_BELOW_MINIMUM',
    ]);
    const general = await made({ retentionDays: 1 });
    expect(refusal(await send('PATCH', `${PATH}/${general}`, { framework }))).toEqual([
      400,
      'RETENTION_BELOW_MINIMUM',
    ]);
  });

  test('are refused if invalid', async () => {
    for (const change of [
      { retentionDays: 0 },
      { retentionDays: 1.5 },
      { retentionDays: 36_501 },
      { name: '' },
      { framework: 'OTHER' },
      { action: 'KEEP' },
      { legalHold: 'yes' },
      { sandboxSlug: 'X' },
    ])
      expect(refusal(await make(change))).toEqual([400, 'INVALID_REQUEST']);
    expect(refusal(await make({ sandboxSlug: 'nobody-has-it' }))).toEqual([400, 'SANDBOX_NOT_FOUND']);
  });

  test('are limited in number and in changes per customer', async () => {
    const { documents } = world.harness.state;
    const id = await made();
    const ref = { scope: world.customer.id, collection: RETENTION_POLICIES, id };
    const { value } = (await documents.get<object>(ref))!;
    await documents.write(world.customer.id, [
      { ...ref, value: { ...value, version: MAX_POLICY_VERSIONS } },
      ...Array.from({ length: MAX_POLICIES - 1 }, (_, n) => ({
        ...ref,
        id: `0-${n}`,
        value: { ...value, id: `0-${n}`, deletedAt: '2026-01-01T00:00:00.000Z' },
      })),
    ]);
    expect(refusal(await make())).toEqual([403, 'RETENTION_POLICIES_REACHED']);
    expect(refusal(await send('PATCH', `${PATH}/${id}`, { name: 'x' }))).toEqual([
      409,
      'RETENTION_CHANGES_REACHED',
    ]);
    expect((await send('DELETE', `${PATH}/${id}`)).status).toBe(200);
  });
});

describe('a framework’s retention floor', () => {
  test('keeps a signal if any version of its sandbox named the framework, until its time is over', async () => {
    const id = await stored();
    await sandbox({ regulations: ['PCI_DSS'] });
    await sandbox({ regulations: [] });
    await world.fold();
    const policy = await made({ framework: 'PCI_DSS', retentionDays: 2_000 });
    expect(refusal(await erase(id))).toEqual([409, 'RETENTION_ACTIVE']);
    await send('PATCH', `${PATH}/${policy}`, { active: false });
    const other = await made({ framework: 'HIPAA', retentionDays: 2_190 });
    await send('PATCH', `${PATH}/${policy}`, { active: true });
    // The framework's days count, not the policy's.
    world.harness.skew = 366 * DAY_MS;
    expect(await erasable(id)).toBe(true);
    expect(other).not.toBe(policy);
  });

  test('gives way to a data subject, and applies to no other sandbox', async () => {
    await sandbox({ regulations: ['HIPAA'] });
    const [one, other] = [await stored(), await stored()];
    await made({ framework: 'HIPAA', retentionDays: 2_190 });
    expect(refusal(await erase(one))).toEqual([409, 'RETENTION_ACTIVE']);
    expect(await erasable(one, '?reason=DATA_SUBJECT_REQUEST')).toBe(true);
    await send('POST', '/sandboxes', { name: 'Other', slug: 'other', sandboxType: 'FULL_SPECTRUM' });
    await made({ sandboxSlug: 'other', framework: 'HIPAA', retentionDays: 2_190 });
    expect(refusal(await erase(other))).toEqual([409, 'RETENTION_ACTIVE']);
  });
});

describe('a legal hold', () => {
  const hold = (change: object = {}) => made({ legalHold: true, ...change });

  test('protects its signals from every caller until it ends', async () => {
    const id = await stored();
    const policy = await hold({ sandboxSlug: 'support-chat' });
    for (const query of ['', '?reason=DATA_SUBJECT_REQUEST'])
      expect(refusal(await erase(id, query))).toEqual([409, 'LEGAL_HOLD']);
    await send('PATCH', `${PATH}/${policy}`, { active: false });
    expect(await erasable(id)).toBe(true);
  });

  test('keeps the whole customer', async () => {
    const policy = await hold({ sandboxSlug: 'support-chat' });
    const url = `/internal/customers/${world.customer.id}`;
    const remove = () => world.harness.call({ method: 'DELETE', url, headers: internalHeaders });
    expect(refusal(await remove())).toEqual([409, 'LEGAL_HOLD']);
    expect((await send('DELETE', `${PATH}/${policy}`)).status).toBe(200);
    expect((await remove()).status).toBe(202);
  });

  test('wins over an erasure decided without it if it comes before the write', async () => {
    const id = await stored();
    const { documents } = world.harness.unsealedState;
    const { dependencies } = world.harness;
    const { write } = documents;
    const cutIn = (collection: string) => {
      documents.write = async (scope, writes, claims) => {
        if (writes.some((one) => one.collection === collection)) {
          documents.write = write;
          const announce = dependencies.announce;
          const policy = {
            name: 'Hold',
            retentionDays: 1,
            framework: null,
            sandboxSlug: null,
            sandboxId: null,
          };
          await createPolicy(
            { documents, makeEntry: entryMaker(dependencies), announce },
            {
              customerId: world.customer.id,
              policyId: dependencies.newId(0),
              changeId: 'change',
              at: new Date(0).toISOString(),
              actor: 'key:1',
            },
            { ...policy, action: 'DELETE', legalHold: true, active: true },
          );
        }
        return write(scope, writes, claims);
      };
    };
    cutIn(SIGNAL_ERASURES);
    expect(refusal(await erase(id, '?reason=DATA_SUBJECT_REQUEST'))).toEqual([409, 'LEGAL_HOLD']);
    expect(await documents.ids(world.customer.id, SIGNAL_ERASURES)).toEqual([]);
    for (const { id: policy } of (await send('GET', PATH)).body.data)
      await send('DELETE', `${PATH}/${policy}`);
    cutIn(CUSTOMERS);
    const url = `/internal/customers/${world.customer.id}`;
    const removed = await world.harness.call({ method: 'DELETE', url, headers: internalHeaders });
    expect(refusal(removed)).toEqual([409, 'LEGAL_HOLD']);
    expect((await send('GET', PATH)).status).toBe(200);
  });

  test('is recorded with each change of its scope, and with no other', async () => {
    const one = await hold();
    await send('PATCH', `${PATH}/${one}`, { name: 'Another name' });
    const other = await hold({ sandboxSlug: 'support-chat' });
    await send('PATCH', `${PATH}/${other}`, { sandboxSlug: null });
    await send('DELETE', `${PATH}/${one}`);
    const held = (await events()).filter((event) => (event as { id: string }).id.startsWith('hold:'));
    expect(held.map((event) => (event as { core: { policyIds: string[] } }).core.policyIds)).toEqual([
      [one],
      [one, other],
      [one, other],
      [other],
    ]);
    const ref = { scope: world.customer.id, collection: LEGAL_HOLDS, id: world.customer.id };
    expect((await world.harness.state.documents.get(ref))?.value).toMatchObject({
      version: 4,
      holds: [{ policyId: other, framework: null, sandboxId: null }],
    });
  });
});
