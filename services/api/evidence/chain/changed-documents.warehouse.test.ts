import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { API_KEYS, CUSTOMERS, type DocumentRef, SANDBOX_SLUGS, SESSIONS } from '#platform/state/port.ts';
import { AUDITORS } from '#records/auditors/auditor-record.ts';
import { checkedSeals } from '#records/comparison/changed-documents.ts';
import { LEDGERED_DOCUMENTS } from '#records/comparison/ledgered-documents.ts';
import { CORRELATION_SETTINGS } from '#records/correlations/settings-record.ts';
import { SANDBOX_VERSIONS, SANDBOXES } from '#records/documents/sandbox-record.ts';
import { INCIDENT_CHANGES, INCIDENTS } from '#records/incidents/incident-record.ts';
import { LIVE_POLICIES, POLICIES } from '#records/policies/policy-record.ts';
import { LEGAL_HOLDS } from '#records/retention/legal-holds.ts';
import { RETENTION_POLICIES } from '#records/retention/policy-record.ts';
import { USERS } from '#records/users/user-record.ts';
import { EXAMPLES } from '#schemas/api/openapi/request-examples.ts';
import { changeDocument } from '../../testing/change-document.ts';
import { type Answered, internalHeaders } from '../../testing/harness.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';

/** An attacker writes to the state directly and leaves the versions unchanged. */

let world: ReconciliationWorld;
let owner: string;
const ids = new Map<string, string>();

const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  world.harness.call({ method, url, headers: world.customer.headers, ...(payload ? { payload } : {}) });
const made = ({ status, body }: Answered) => {
  if (status !== 201 && status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data ?? body;
};
const verify = async () => made(await call('GET', '/evidence/hash-chain/verify'));
const bodyOf = (operation: string): object =>
  (EXAMPLES as Record<string, { body?: object }>)[operation]!.body!;

/** A document of each type, with two versions where a type has versions. */
beforeAll(async () => {
  world = await startReconciliationWorld();
  await world.newCustomer();
  owner = world.customer.id;
  const internal = { headers: internalHeaders, url: `/internal/customers/${owner}/api-keys` };
  const key = made(await world.harness.call({ ...internal, method: 'POST', payload: { name: 'second' } }));
  await world.harness.call({ ...internal, method: 'DELETE', url: `${internal.url}/${key.id}` });
  ids.set('API key', key.id);
  const sandbox = made(await call('PATCH', '/sandboxes/support-chat', { guardianAction: 'BLOCK_ON_DETECT' }));
  ids.set('sandbox', sandbox.id);
  const policy = { ...bodyOf('createPolicy'), sandboxSlugs: ['support-chat'] };
  ids.set('policy', made(await call('POST', '/evidence/policies', policy)).id);
  ids.set('auditor', made(await call('POST', '/evidence/auditors', bodyOf('createAuditor'))).id);
  const retention = { ...bodyOf('createRetentionPolicy'), sandboxSlug: 'support-chat', legalHold: true };
  ids.set('retention policy', made(await call('POST', '/evidence/retention/policies', retention)).id);
  ids.set('list of legal holds', owner);
  await call('PATCH', '/evidence/correlations/settings', { minSignals: 7 });
  ids.set('settings of patterns', owner);
  const signalId = await world.accept(1);
  await world.analyse();
  await world.fold();
  const incident = made(await call('POST', '/evidence/incidents', { signalId, title: 'One' }));
  const move = { status: 'INVESTIGATING', userId: 'ann', userRole: 'ANALYST' };
  made(await call('PATCH', `/evidence/incidents/${incident.id}/status`, move));
  ids.set('incident', incident.id);
  await world.fold();
}, 120_000);
afterAll(() => world.close());

const ref = (collection: string, id: string): DocumentRef => ({ scope: owner, collection, id });
const refOf = (name: string): DocumentRef =>
  LEDGERED_DOCUMENTS.find((sort) => sort.name === name)!.refOf(owner, ids.get(name)!);
type Fields = Record<string, unknown>;

test('unchanged documents are compared without faults', async () => {
  const found = await verify();
  expect(found).toMatchObject({ valid: true, status: 'VALID', errors: [] });
  expect(found.checkedDocuments).toBeGreaterThan(20);
});

/** The attacker's gain, and the last part of the entry's id. */
const CHANGES: readonly [name: string, change: object, entry: string][] = [
  ['sandbox', { guardianAction: 'ALLOW_ALL' }, ':2'],
  ['sandbox', { name: 'Other' }, ':2'],
  ['sandbox', { customRules: ['anything'] }, ':2'],
  ['policy', { rules: [] }, ':1'],
  ['policy', { enforcement: 'MONITOR' }, ':1'],
  ['policy', { description: 'Not agreed.' }, ':1'],
  ['API key', { status: 'active', revokedAt: null }, ':2'],
  ['API key', { name: 'other' }, ':2'],
  ['auditor', { permissions: ['READ_SIGNALS', 'READ_PACKAGES'] }, ':1'],
  ['auditor', { expiresAt: '2036-01-01T00:00:00.000Z' }, ':1'],
  ['auditor', { email: 'eve@audits.example' }, ':1'],
  ['incident', { status: 'CLOSED', verifierId: 'who never was' }, ':2'],
  ['incident', { severity: 'CRITICAL' }, ':2'],
  ['incident', { resolution: 'Nothing happened.' }, ':2'],
  ['retention policy', { legalHold: false }, ':1'],
  ['retention policy', { retentionDays: 1 }, ':1'],
  ['list of legal holds', { holds: [] }, 'hold:1'],
  ['settings of patterns', { minSignals: 1_000 }, 'settings:1'],
];

describe('a document that contradicts its last entry', () => {
  test.each(CHANGES)('%s %j', async (name, change, entry) => {
    // Even with the master key: the ledger contradicts it.
    const undo = await changeDocument<Fields>(
      world.harness,
      refOf(name),
      (value) => ({ ...value, ...change }),
      'FORGED',
    );
    const { valid, errors, brokenAt } = await verify();
    expect(errors).toEqual([
      { index: expect.any(Number), id: expect.stringContaining(entry), reason: 'DOCUMENT_CHANGED' },
    ]);
    expect([valid, brokenAt]).toEqual([false, errors[0]]);
    await undo();
  });

  test('has a case for every type', () => {
    const names = LEDGERED_DOCUMENTS.map(({ name }) => name).filter(
      (name) => !['erasure', 'ended sessions'].includes(name),
    );
    expect(names.filter((name) => !CHANGES.some(([of]) => of === name))).toEqual([]);
  });

  test('is found when it is gone', async () => {
    const undo = await changeDocument(world.harness, refOf('policy'), () => null);
    expect((await verify()).errors).toMatchObject([{ reason: 'DOCUMENT_CHANGED' }]);
    await undo();
  });
});

async function brokenSeals() {
  const { state, keyring } = world.harness.dependencies;
  const found = [];
  for await (const { changed } of checkedSeals(
    { documents: state.documents, seals: keyring.documentSeals },
    owner,
  ))
    found.push(...changed.map(({ ref: at, by }) => [at, by]));
  return found;
}

const other = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}0`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, 'one more'];
  return value === null ? 'something' : null;
};

const LEDGERED = [SANDBOXES, POLICIES, API_KEYS, AUDITORS, INCIDENTS, RETENTION_POLICIES, LEGAL_HOLDS];
const SEALED = [
  ...LEDGERED,
  CORRELATION_SETTINGS,
  SANDBOX_VERSIONS,
  SANDBOX_SLUGS,
  INCIDENT_CHANGES,
  CUSTOMERS,
];

describe('a document that the service did not write', () => {
  test.each(SEALED)('is found for each field of %s', async (collection) => {
    const [id] = await world.harness.state.documents.ids(owner, collection);
    const where = ref(collection, id!);
    const { value } = (await world.harness.state.documents.get<Fields>(where))!;
    for (const field of Object.keys(value)) {
      // An inactive owner could not request the verification.
      if (collection === CUSTOMERS && field === 'active') continue;
      const undo = await changeDocument<Fields>(world.harness, where, (before) => ({
        ...before,
        [field]: other(before[field]),
      }));
      const found = await brokenSeals();
      await undo();
      expect([field, ...found]).toEqual([field, [where, 'SEAL']]);
    }
  });

  test.each([
    ['a role of a user', USERS, { email: 'ann@example.org', passwordHash: 'x' }],
    ['a session of a user', SESSIONS, { userId: 'u-1', openedAt: 1 }],
  ])('is found when added: %s', async (_, collection, value) => {
    const { documents } = world.harness.unsealedState;
    await documents.write(owner, [{ collection, id: 'added', value }]);
    const { errors, treeSize } = await verify();
    expect(errors).toEqual([
      { index: treeSize, id: `document of ${collection} added`, reason: 'DOCUMENT_CHANGED' },
    ]);
    await documents.write(owner, [{ collection, id: 'added', value: null }]);
  });

  test.each([
    ['a policy that the enforcement does not read', LIVE_POLICIES, 'policy'],
    ['an incident that no list shows', `${INCIDENTS}.status.INVESTIGATING`, 'incident'],
    ['the head of a sandbox', SANDBOX_SLUGS, 'sandbox'],
  ])('is found when removed next to a document: %s', async (_, collection, name) => {
    const id = collection === SANDBOX_SLUGS ? 'support_chat' : ids.get(name)!;
    const undo = await changeDocument(world.harness, ref(collection, id), () => null);
    const { errors } = await verify();
    expect(errors).toMatchObject([{ id: expect.stringContaining(ids.get(name)!) }]);
    await undo();
  });
});

test('an older version written by the service is found through the ledger', async () => {
  const { documents } = world.harness.unsealedState;
  const where = refOf('sandbox');
  const versionOne = ref(SANDBOX_VERSIONS, `${ids.get('sandbox')}:1`);
  const { value } = (await documents.get<Fields>(versionOne))!;
  const undo = await changeDocument<Fields>(world.harness, where, () => ({ ...value, version: 2 }), 'FORGED');
  expect((await verify()).errors).toMatchObject([{ id: expect.stringMatching(/^sandbox:.+:2$/) }]);
  await undo();
  expect(await verify()).toMatchObject({ valid: true });
});

test('the result says what the comparison does not cover', async () => {
  expect((await verify()).notCovered).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^A record without an entry in the ledger/),
      expect.stringMatching(/^What changes with each request/),
    ]),
  );
});
