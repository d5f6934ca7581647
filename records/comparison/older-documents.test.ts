import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { State } from '#platform/state/port.ts';
import type { FoldedVersion } from '#platform/warehouse/queries/document-versions.ts';
import type { EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { changeCorrelationSettings } from '../correlations/change-settings.ts';
import { correlationSettings } from '../correlations/settings-record.ts';
import { type Directory, openDirectory } from '../directory.ts';
import { createPolicy } from '../retention/change-policy.ts';
import { createLinkUser } from '../users/accounts.ts';
import { endSession, openSession, type SessionRef, sessionRefOfToken } from '../users/sessions.ts';
import { LEDGERED_DOCUMENTS, type LedgeredDocuments } from './ledgered-documents.ts';
import { acceptOlderState, olderDocuments } from './older-documents.ts';

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

let folder: string;
let state: State;
let directory: Directory;
let customerId: string;
/** The ledger's events, independent of the state. */
let events: LedgerEvent[];

const file = () => path.join(folder, 'state.mdb');
const backup = () => path.join(folder, 'backup.mdb');
const makeEntry: EntryMaker = async (event) => {
  events.push(event);
  const entryId = `${event.kind}:${event.id}`;
  return { entryId, topic: 'ledger', key: event.customerId, valueBase64: '', headers: {} };
};
const announce = () => undefined;

async function open(): Promise<void> {
  state = await openEmbeddedState({ path: file(), now: Date.now });
  const { documents, admission } = state;
  directory = openDirectory({ documents, admission, makeEntry, announce, randomBytes });
}
/** Copies the state to another place, or back. */
async function copy(from: string, to: string): Promise<void> {
  await state.close();
  cpSync(from, to);
  await open();
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'older-'));
  events = [];
  await open();
  customerId = await newCustomer();
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

async function newCustomer(): Promise<string> {
  const id = v7();
  const overrides = { rate: null, burst: null, auditQuota: null, sandboxQuota: null };
  const limits = { ratePerSecond: 10, burst: 50, auditQuota: 1000, sandboxQuota: null };
  const about = { name: 'Example Ltd', type: 'COMPANY', plan: 'DEV' } as const;
  await directory.createCustomer({ id, ...about, overrides, limits, createdAt: AT });
  return id;
}
async function newSandbox(slug: string): Promise<string> {
  const id = v7();
  await directory.createSandbox({
    customerId,
    id,
    slug,
    name: slug,
    sandboxType: 'CUSTOM',
    regulations: [],
    alertThreshold: 'HIGH',
    guardianAction: 'ALLOW_ALL',
    customRules: [],
    region: 'EU',
    active: true,
    redactionStrategy: 'FULL',
    quota: null,
    budget,
    createdAt: AT,
  });
  return id;
}
const rename = (idOrSlug: string, name: string) =>
  directory.changeSandbox({
    customerId,
    idOrSlug,
    at: AT,
    changeId: v7(),
    takenOver: false,
    budget,
    settings: (record) => ({ ...record, name }),
  });
async function newKey(): Promise<string> {
  const made = await directory.createApiKey({ customerId, id: v7(), name: 'a key', budget, createdAt: AT });
  if (!made.ok) throw new Error('the budget of the test is used up');
  return made.record.id;
}

/** The warehouse's rows for the events. */
async function* folded({ kind, entryId }: LedgeredDocuments): AsyncGenerator<FoldedVersion[]> {
  const highest = new Map<string, FoldedVersion>();
  for (const event of events.filter((one) => one.kind === kind)) {
    const [found, document = '', version] = new RegExp(entryId).exec(event.id) ?? [];
    if (found === undefined) continue;
    const one = { customerId: event.customerId, document, version: Math.max(Number(version) || 0, 1) };
    const name = `${one.customerId} ${document}`;
    if ((highest.get(name)?.version ?? 0) < one.version) highest.set(name, one);
  }
  yield [...highest.values()];
}
const unfolded = async function* () {};
async function older() {
  const found = [];
  for await (const { sort, ...one } of olderDocuments({ documents: state.documents, folded, unfolded }))
    found.push({ name: sort.name, ...one });
  return found;
}
const accept = () =>
  acceptOlderState({
    documents: state.documents,
    folded,
    unfolded,
    makeEntry,
    announce,
    now: Date.now,
    newId: () => v7(),
  });

test('a state is never older than what it has itself sent to the ledger', async () => {
  const sandbox = await newSandbox('support');
  await rename(sandbox, 'renamed');
  await directory.revokeApiKey(customerId, await newKey(), AT);
  await directory.deleteSandbox({
    customerId,
    idOrSlug: sandbox,
    at: AT,
    changeId: v7(),
    takenOver: false,
  });
  expect(await older()).toEqual([]);
  await directory.eraseCustomer({ customerId, id: 'erasure-1', at: AT });
  expect(await older()).toEqual([]);
});

test('all ledger events of the directory are compared', async () => {
  const sandbox = await newSandbox('support');
  await rename(sandbox, 'renamed');
  await directory.revokeApiKey(customerId, await newKey(), AT);
  await directory.eraseCustomer({ customerId, id: 'erasure-1', at: AT });
  const missed = events.filter(
    ({ kind, id }) =>
      !LEDGERED_DOCUMENTS.some((sort) => sort.kind === kind && new RegExp(sort.entryId).test(id)),
  );
  expect(missed).toEqual([]);
  expect(events).toHaveLength(5);
});

test('changes, ends and documents missing in an older state are found, and permanently raised or given up', async () => {
  const [changed, kept] = [await newSandbox('changed'), await newSandbox('kept')];
  const [revoked, other] = [await newKey(), await newKey()];
  const gone = await newCustomer();
  await copy(file(), backup());
  await rename(changed, 'second');
  await rename(changed, 'third');
  await directory.revokeApiKey(customerId, revoked, AT);
  const [lost, lostKey] = [await newSandbox('lost'), await newKey()];
  await directory.eraseCustomer({ customerId: gone, id: 'erasure-1', at: AT });
  await copy(backup(), file());

  const found = await older();
  expect(found).toHaveLength(5);
  expect(found).toEqual(
    expect.arrayContaining([
      { name: 'sandbox', customerId, id: changed, ledgerVersion: 3, stateVersion: 1 },
      { name: 'sandbox', customerId, id: lost, ledgerVersion: 1, stateVersion: 0 },
      { name: 'API key', customerId, id: revoked, ledgerVersion: 2, stateVersion: 1 },
      { name: 'API key', customerId, id: lostKey, ledgerVersion: 1, stateVersion: 0 },
      { name: 'erasure', customerId: gone, id: 'closing', ledgerVersion: 1, stateVersion: 0 },
    ]),
  );

  const told = events.length;
  expect(await accept()).toEqual({ lifted: 3, givenUp: 2 });
  expect(await older()).toEqual([]);
  // After a crash in between, an operator would repeat the command.
  expect(await accept()).toEqual({ lifted: 0, givenUp: 0 });
  expect(events.slice(told).map(({ kind, id }) => `${kind}:${id}`)).toEqual([
    `POLICY_EVENT:sandbox:${changed}:4`,
    `KEY_EVENT:${revoked}:3`,
    expect.stringMatching(/^ERASURE:.+:closing$/),
  ]);
  expect(new Set(events.map(({ kind, id }) => `${kind}:${id}`)).size).toBe(events.length);
  expect(await directory.getSandbox(customerId, 'changed')).toMatchObject({ version: 4, name: 'changed' });
  expect(await directory.getSandbox(customerId, kept)).toMatchObject({ version: 1 });
  const keys = await directory.apiKeysById(customerId, await directory.apiKeyIds(customerId));
  expect(keys.map(({ id, status }) => [id, status])).toEqual([
    [revoked, 'revoked'],
    [other, 'active'],
  ]);
  expect(await directory.getCustomer(gone)).toMatchObject({
    active: false,
    erasure: { status: 'IN_PROGRESS' },
  });

  // The next changes are new entries.
  await rename(changed, 'fifth');
  expect(events.at(-1)?.id).toBe(`sandbox:${changed}:5`);
  expect(await older()).toEqual([]);
});

test('a customer missing in the state is given up as a whole', async () => {
  await copy(file(), backup());
  const known = customerId;
  customerId = await newCustomer();
  await newSandbox('support');
  await newKey();
  await directory.eraseCustomer({ customerId, id: 'erasure-1', at: AT });
  await copy(backup(), file());
  expect(await older()).toHaveLength(3);
  expect(await accept()).toEqual({ lifted: 0, givenUp: 3 });
  expect(await older()).toEqual([]);
  expect(await directory.getCustomer(known)).toMatchObject({ active: true });
});

describe('legal holds', () => {
  const hold = (policyId: string) =>
    createPolicy(
      { documents: state.documents, makeEntry, announce },
      { customerId, policyId, changeId: policyId, at: AT, actor: 'key:1' },
      {
        name: 'Hold',
        retentionDays: 1,
        framework: null,
        sandboxSlug: null,
        sandboxId: null,
        action: 'DELETE',
        legalHold: true,
        active: true,
      },
    );
  const holdIds = () => events.map(({ id }) => id).filter((id) => id.startsWith('hold:'));

  test('of an older state continue above those of the ledger', async () => {
    await hold('p1');
    await copy(file(), backup());
    await hold('p2');
    await copy(backup(), file());
    expect(
      (await older()).map(({ name, ledgerVersion, stateVersion }) => [name, ledgerVersion, stateVersion]),
    ).toEqual([
      ['retention policy', 1, 0],
      ['list of legal holds', 2, 1],
    ]);
    expect(await accept()).toEqual({ lifted: 1, givenUp: 1 });
    expect(await older()).toEqual([]);
    await hold('p3');
    expect(holdIds()).toEqual(['hold:1', 'hold:2', 'hold:3', 'hold:4']);
  });

  test('missing in a restored state leave none of their numbers to later ones', async () => {
    await copy(file(), backup());
    await hold('p1');
    await copy(backup(), file());
    expect(await accept()).toEqual({ lifted: 0, givenUp: 2 });
    await hold('p2');
    expect(holdIds()).toEqual(['hold:1', 'hold:2']);
    expect(await older()).toEqual([]);
  });
});

describe('settings of patterns', () => {
  const change = (minSignals: number) =>
    changeCorrelationSettings(
      { documents: state.documents, makeEntry, announce },
      { customerId, at: AT, changeId: v7(), actor: 'key:1', budget, change: { minSignals } },
    );
  const ids = () => events.map(({ id }) => id).filter((id) => id.startsWith('settings:'));
  const current = () => correlationSettings(state.documents, customerId);

  test('of an older state continue above those of the ledger', async () => {
    await change(7);
    await copy(file(), backup());
    await change(8);
    await copy(backup(), file());
    expect(await older()).toEqual([
      { name: 'settings of patterns', customerId, id: 'settings', ledgerVersion: 2, stateVersion: 1 },
    ]);
    expect(await accept()).toEqual({ lifted: 1, givenUp: 0 });
    expect(await older()).toEqual([]);
    expect(events.at(-1)).toMatchObject({ core: { version: 3, minSignals: 7 }, detail: { actor: null } });
    await change(9);
    expect(ids()).toEqual(['settings:1', 'settings:2', 'settings:3', 'settings:4']);
  });

  test('missing in a restored state leave none of their numbers to later ones, nor to the defaults', async () => {
    await copy(file(), backup());
    await change(7);
    await copy(backup(), file());
    expect(await accept()).toEqual({ lifted: 0, givenUp: 1 });
    // According to the ledger 7 applies: the value in the state must be recorded to apply again.
    await change(3);
    expect(ids()).toEqual(['settings:1', 'settings:2']);
    expect(await current()).toMatchObject({ minSignals: 3, version: 2 });
    expect(await older()).toEqual([]);
  });
});

describe('ended sessions', () => {
  const records = () => ({ documents: state.documents, makeEntry, announce });
  async function signedIn(): Promise<SessionRef> {
    const userId = v7();
    await createLinkUser(state.documents, { customerId, userId, at: AT });
    const asked = { customerId, userId, at: Date.now(), network: 'n' };
    return sessionRefOfToken(String(await openSession(records(), randomBytes, asked)))!;
  }
  const isOpen = async ({ sessionId }: SessionRef): Promise<boolean> => {
    const size = { ratePerSecond: 10, burst: 50 };
    return (await state.admission.authenticateSession(customerId, sessionId, size)).outcome === 'admitted';
  };

  test('reveal an older state, and accepting it ends all sessions of the customer', async () => {
    const [ended, kept] = [await signedIn(), await signedIn()];
    await copy(file(), backup());
    await endSession(records(), ended, Date.now());
    await copy(backup(), file());
    expect(await isOpen(ended)).toBe(true);
    expect(await older()).toEqual([
      { name: 'ended sessions', customerId, id: 'ended', ledgerVersion: 1, stateVersion: 0 },
    ]);
    expect(await accept()).toEqual({ lifted: 1, givenUp: 0 });
    expect([await isOpen(ended), await isOpen(kept)]).toEqual([false, false]);
    expect(await older()).toEqual([]);
    await endSession(records(), await signedIn(), Date.now());
    expect(events.map(({ id }) => id).filter((id) => id.startsWith('session:'))).toEqual([
      'session:ended:1',
      'session:ended:2',
      'session:ended:3',
    ]);
  });
});
