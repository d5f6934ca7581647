import { afterEach, beforeEach, expect, test } from '#jest';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { type Documents, type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { COLLECTIONS, collectionsOf } from '#records/erasure/collections.ts';
import { advanceErasure, erasureProgress, requestErasure } from '#records/erasure/erasures.ts';
import { forgetRetention } from '#records/retention/retention-run.ts';
import { EXAMPLES, SAMPLES } from '#schemas/api/openapi/request-examples.ts';
import { updateCorrelationSettings } from '#schemas/endpoints.ts';
import { newEmail, pageOf, signUp } from '../../testing/accounts.ts';
import { type Harness, internalHeaders, startHarness } from '../../testing/harness.ts';
import { erasureStep } from './erasure-steps.ts';
import { phaseWaits } from './phase-waits.ts';

let harness: Harness;
/** Scope -> names of its collections that were written, whether declared or not. */
let written: Map<string, Set<string>>;

const noted = (state: State): State => {
  const { documents } = state;
  const write: Documents['write'] = (scope, writes, claims) => {
    const names = written.get(scope) ?? new Set();
    for (const { collection } of writes) names.add(collection);
    written.set(scope, names);
    return documents.write(scope, writes, claims);
  };
  return { ...state, documents: { ...documents, write } };
};

beforeEach(async () => {
  written = new Map();
  harness = await startHarness({ wrapState: noted });
});
afterEach(() => harness.close());

/** A customer that signed up and used everything that needs no signals. */
async function busyCustomer(): Promise<string> {
  const account = await signUp(harness, { email: newEmail(), name: 'Roe & Co', type: 'COMPANY' });
  const { id } = account.body.customer;
  const send = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: unknown) => {
    const headers = url.startsWith('/internal/') ? internalHeaders : pageOf(account);
    const body = payload === undefined ? {} : { payload: payload as object };
    const { status, text } = await harness.call({ method, url, headers, ...body });
    if (status >= 300) throw new Error(`${method} ${url}: ${status} ${text}`);
  };
  await send('PATCH', `/internal/customers/${id}`, { plan: 'ENTERPRISE' });
  await send('POST', '/sandboxes', {
    ...(EXAMPLES.createSandbox!.body as object),
    slug: SAMPLES.sandboxSlug,
  });
  await send('PATCH', `/sandboxes/${SAMPLES.sandboxSlug}`, { name: 'Renamed' });
  await send('POST', '/sandboxes', { name: 'Trial', slug: 'trial', sandboxType: 'CUSTOM' });
  await send('DELETE', '/sandboxes/trial');
  await send('POST', '/api-keys', { name: 'ci' });
  await send('POST', '/evidence/policies', EXAMPLES.createPolicy!.body);
  await send('POST', '/evidence/retention/policies', EXAMPLES.createRetentionPolicy!.body);
  await send('POST', '/evidence/auditors', EXAMPLES.createAuditor!.body);
  await send('PATCH', updateCorrelationSettings.path, EXAMPLES.updateCorrelationSettings!.body);
  await harness.settled();
  return id;
}

async function erase(customerId: string): Promise<void> {
  const state = noted(harness.state);
  const { documents } = state;
  const dependencies = {
    ...harness.dependencies,
    state,
    documents,
    makeEntry: entryMaker(harness.dependencies),
    keyring: openKeyring({ state, masterKey: Buffer.alloc(32) }),
    crashPoint: () => undefined,
    waits: phaseWaits(harness.dependencies.now, () => performance.now()),
    stopping: new AbortController().signal,
  };
  const at = new Date(harness.dependencies.now()).toISOString();
  await requestErasure(dependencies, { customerId, id: 'erasure', at });
  const stored = await erasureProgress(documents, customerId);
  await advanceErasure(documents, customerId, stored!, { phase: 'DESTROYING' });
  expect(await erasureStep(dependencies, customerId)).toBe('done');
  harness.skew += 60_000;
  expect(await erasureStep(dependencies, customerId)).toBe('ended');
  // As the next retention run does.
  await forgetRetention(documents, customerId);
}

/** Names of the scope's collections, written or declared, with a document that names the customer. */
async function collectionsLeft(scope: string, customerId: string): Promise<string[]> {
  const { documents } = harness.state;
  const names = new Set([...(written.get(scope) ?? []), ...collectionsOf(scope).map(({ name }) => name)]);
  const left = [...names].map(async (name) => {
    const stored = await documents.list(scope, name);
    const isOf = scope === customerId || JSON.stringify(stored).includes(customerId);
    return stored.length > 0 && isOf ? [name] : [];
  });
  return (await Promise.all(left)).flat().sort();
}

const staying = (scope: 'customers' | 'system'): string[] =>
  COLLECTIONS.filter((one) => one.scope === scope)
    .filter(({ erasure: { by } }) => by === 'BLANKING' || by === 'NOTHING')
    .map(({ name }) => name)
    .sort();

test('everything that an erased customer leaves is in collections that declare it', async () => {
  const customerId = await busyCustomer();
  // Collections that need signals, or other services, get an arbitrary document.
  for (const { name } of collectionsOf(customerId)) {
    if ((await harness.state.documents.ids(customerId, name)).length > 0) continue;
    if (name === 'customerErasures' || name === 'keks') continue;
    await harness.state.documents.write(customerId, [{ collection: name, id: 'any', value: { any: true } }]);
  }
  expect((await collectionsLeft(SYSTEM_SCOPE, customerId)).length).toBeGreaterThan(2);
  await erase(customerId);
  expect(await collectionsLeft(customerId, customerId)).toEqual(staying('customers'));
  expect(staying('system')).toEqual(expect.arrayContaining(await collectionsLeft(SYSTEM_SCOPE, customerId)));
});

test('each collection of a scope is declared once, with a reason if it stays', () => {
  const keys = COLLECTIONS.map(({ scope, name }) => `${scope} ${name}`);
  expect(keys).toEqual([...new Set(keys)]);
  expect(staying('customers')).toEqual(['checkpoints', 'customers', 'keks', 'verifications']);
});

test('a write to an undeclared collection of a scope is refused', async () => {
  const customerId = await busyCustomer();
  const write = (scope: string, collection: string) =>
    harness.state.documents.write(scope, [{ collection, id: 'any', value: {} }]);
  await expect(write(customerId, 'forgotten')).rejects.toThrow('forgotten is missing');
  await expect(write(customerId, 'signingKeys')).rejects.toThrow('signingKeys is missing');
  await expect(write(SYSTEM_SCOPE, 'sandboxes')).rejects.toThrow('sandboxes is missing');
});
