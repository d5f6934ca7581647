import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type DocumentRef, SANDBOX_SLUGS, type State } from '#platform/state/port.ts';
import type { LedgerEvent } from './changes/ledger-events.ts';
import type { CustomerRecord } from './customers/customer-record.ts';
import { CUSTOMER_CHANGES } from './customers/customers.ts';
import { type Directory, openDirectory } from './directory.ts';
import { SANDBOX_COUNTS, SANDBOX_VERSIONS } from './documents/sandbox-record.ts';
import { apiKeyHash } from './keys/api-keys.ts';
import { checkedCollections } from './testing/checked-collections.ts';

let folder: string;
let state: State;
let directory: Directory;
let customerId: string;
const events: LedgerEvent[] = [];
const announced: DocumentRef[] = [];
const budget = {
  versionsPerDay: 1_000,
  sandboxesEver: 1_000,
  apiKeysEver: 1_000,
  incidentsEver: 1_000,
  auditorsEver: 1_000,
  policies: 1_000,
  storedBytes: 2 ** 30,
};
const AT = '2026-11-01T10:00:00.000Z';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'directory-'));
  state = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now }),
  );
  directory = openDirectory({
    documents: state.documents,
    admission: state.admission,
    makeEntry: async (event) => {
      events.push(event);
      const entryId = `${event.kind}:${event.id}`;
      return { entryId, topic: 'ledger', key: event.customerId, valueBase64: '', headers: {} };
    },
    announce: (ref) => announced.push(ref),
    randomBytes,
  });
  customerId = await newCustomer();
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

async function newCustomer(id: string = v7()): Promise<string> {
  const overrides = { rate: null, burst: null, auditQuota: null, sandboxQuota: null };
  const limits = { ratePerSecond: 10, burst: 50, auditQuota: 1000, sandboxQuota: 1 };
  await directory.createCustomer({
    id,
    name: 'Example Ltd',
    type: 'COMPANY',
    plan: 'DEV',
    overrides,
    limits,
    createdAt: AT,
  });
  return id;
}

const newSandbox = (slug: string, quota: number | null = null, id: string = v7()) => ({
  customerId,
  id,
  quota,
  budget,
  name: 'Support of Ann Example',
  slug,
  sandboxType: 'CUSTOM' as const,
  regulations: [],
  alertThreshold: 'HIGH' as const,
  guardianAction: 'ALLOW_ALL' as const,
  customRules: ['Ann Example'],
  region: 'EU' as const,
  active: true,
  redactionStrategy: 'FULL' as const,
  createdAt: AT,
});

describe('customers', () => {
  test('are created once by a repeat with the same id, and listed once', async () => {
    const id = await newCustomer();
    await newCustomer(id);
    const listed = await directory.customersById(await directory.customerIds());
    expect(listed.filter((customer) => customer.id === id)).toHaveLength(1);
    expect(await directory.getCustomer(id)).toMatchObject({ plan: 'DEV', active: true, ratePerSecond: 10 });
  });

  test('in the index that were never written are skipped', async () => {
    await state.documents.write('system', [{ collection: 'customerIndex', id: v7(), value: {} }]);
    for (const customer of await directory.customersById(await directory.customerIds()))
      expect(customer.id).toBeDefined();
    expect(await state.documents.get({ scope: 'x', collection: CUSTOMERS, id: 'x' })).toBeNull();
  });
});

async function newKey(id: string, name: string) {
  const made = await directory.createApiKey({ customerId, id, name, budget, createdAt: AT });
  if (!made.ok) throw new Error('the budget of the test is used up');
  return made;
}

describe('API keys', () => {
  test('work at once, are stored only as a hash, and fail on the next request after revocation', async () => {
    const id = v7();
    const { record, key } = await newKey(id, 'ci');
    expect(key).toMatch(/^cas_[0-9a-f]{48}$/);
    expect(record.prefix).toBe(key!.slice(0, 8));
    expect(JSON.stringify(await state.documents.list(customerId, 'apiKeys'))).not.toContain(key!.slice(8));
    const hash = apiKeyHash(key!);
    expect(await state.admission.authenticate(hash)).toMatchObject({
      outcome: 'admitted',
      customerId,
      keyId: id,
    });
    expect(await directory.apiKeyIds(customerId)).toContain(id);
    const [listed] = await directory.apiKeysById(customerId, [id, v7()]);
    expect(listed!.lastUsedAt).toMatch(/Z$/);
    const revoked = await directory.revokeApiKey(customerId, id, AT);
    expect(revoked).toMatchObject({ status: 'revoked', revokedAt: AT });
    expect(await state.admission.authenticate(hash)).toEqual({ outcome: 'unknown' });
    expect(await directory.revokeApiKey(customerId, id, 'later')).toMatchObject({ revokedAt: AT });
    expect(await directory.revokeApiKey(customerId, v7(), AT)).toBeNull();
  });

  test('are created only once by a repeat with the same id', async () => {
    const id = v7();
    const first = await newKey(id, 'ci');
    const again = await newKey(id, 'ci');
    expect(again).toEqual({ ok: true, record: first.record, key: null });
  });

  test('make a ledger event per change that shows no key, with the name in the sealed part', async () => {
    const id = v7();
    const { key } = await newKey(id, 'Ann’s key');
    await directory.revokeApiKey(customerId, id, AT);
    const own = events.filter((event) => event.core.keyId === id);
    expect(own.map((event) => [event.kind, event.id, event.core.status])).toEqual([
      ['KEY_EVENT', `${id}:1`, 'active'],
      ['KEY_EVENT', `${id}:2`, 'revoked'],
    ]);
    expect(JSON.stringify(own)).not.toContain(key!.slice(8));
    expect(JSON.stringify(own.map(({ core }) => core))).not.toContain('Ann');
    const pending = await state.documents.pending({ scope: customerId, collection: 'apiKeys', id });
    expect(pending.map(({ entryId }) => entryId)).toEqual([`KEY_EVENT:${id}:1`, `KEY_EVENT:${id}:2`]);
    expect(announced.filter((ref) => ref.id === id)).toHaveLength(2);
  });

  test('make one event when revoked twice at once', async () => {
    const id = v7();
    await newKey(id, 'ci');
    await Promise.all([1, 2, 3].map(() => directory.revokeApiKey(customerId, id, AT)));
    const pending = await state.documents.pending({ scope: customerId, collection: 'apiKeys', id });
    expect(pending).toHaveLength(2);
  });
});

describe('sandboxes', () => {
  test('are found by id and by slug in either spelling', async () => {
    const id = v7();
    expect(await directory.createSandbox(newSandbox('customer-support', null, id))).toMatchObject({
      ok: true,
    });
    for (const name of [id, 'customer-support', 'customer_support']) {
      expect((await directory.getSandbox(customerId, name))?.id).toBe(id);
    }
    expect(await directory.getSandbox(customerId, 'customer')).toBeNull();
    expect(await directory.getSandbox(v7(), 'customer-support')).toBeNull();
    const version = { scope: customerId, collection: SANDBOX_VERSIONS, id: `${id}:1` };
    expect((await state.documents.get(version))?.value).toMatchObject({ id, version: 1 });
  });

  test('have a unique slug, where - equals _', async () => {
    await directory.createSandbox(newSandbox('a-b'));
    expect(await directory.createSandbox(newSandbox('a_b'))).toEqual({ ok: false, reason: 'EXISTS' });
  });

  test('are created and counted only once by a repeat with the same id', async () => {
    const ref = { scope: customerId, collection: SANDBOX_COUNTS, id: customerId };
    const input = newSandbox('repeated');
    const first = await directory.createSandbox(input);
    const before = await state.documents.get(ref);
    expect(await directory.createSandbox({ ...input, quota: 1 })).toEqual(first);
    expect(await state.documents.get(ref)).toEqual(before);
  });

  test('fill a quota exactly when twenty are created at once', async () => {
    customerId = await newCustomer();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => directory.createSandbox(newSandbox(`s${i}`, 7))),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(7);
    expect(made.filter((one) => !one.ok && one.reason === 'LIMIT')).toHaveLength(13);
    expect(await directory.sandboxIds(customerId)).toHaveLength(7);
    expect(await state.documents.list(customerId, SANDBOX_SLUGS)).toHaveLength(7);
  });

  test('make an event per version with free text in the sealed part', async () => {
    const input = newSandbox('event');
    await directory.createSandbox(input);
    const event = events.findLast((one) => one.core.sandboxId === input.id)!;
    expect(event).toMatchObject({ kind: 'POLICY_EVENT', id: `sandbox:${input.id}:1`, at: AT });
    expect(JSON.stringify(event.core)).not.toContain('Ann');
    expect(event.detail).toEqual({ name: input.name, customRules: input.customRules });
  });
});

test('the ids of a customer’s last twenty changes are kept', async () => {
  const id = await newCustomer();
  const made = Array.from({ length: 25 }, (_, n) => `change-${n}`);
  for (const changeId of made) {
    const change = (record: CustomerRecord): CustomerRecord => ({ ...record, name: changeId });
    await directory.changeCustomer({ id, changeId, takenOver: false, change });
  }
  const kept = await state.documents.get({ scope: id, collection: CUSTOMER_CHANGES, id });
  expect(kept?.value).toEqual(made.slice(-20));
});
