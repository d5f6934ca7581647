import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { Documents, State } from '#platform/state/port.ts';
import type { EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { RECORD_USAGE, type RecordUsage } from '../changes/record-usage.ts';
import { cleanRecords } from '../erasure/erasures.ts';
import { checkedCollections } from '../testing/checked-collections.ts';
import { AMPLE_BUDGET, AT } from '../testing/records-world.ts';
import { openPolicies, type Policies } from './policies.ts';
import { POLICIES, POLICY_COLLECTIONS, type PolicyRecord, type PolicySettings } from './policy-record.ts';
import { raisePolicyVersion } from './raise-policy-version.ts';

let folder: string;
let state: State;
let policies: Policies;
let customerId: string;
let events: LedgerEvent[];
/** Calls until the state fails as if the process were killed, before or after the call took effect. */
let callsLeft = Number.POSITIVE_INFINITY;
let diesAfter = false;
const killed = new Error('killed here');

const makeEntry: EntryMaker = async (event) => {
  events.push(event);
  const entryId = `${event.kind}:${event.id}`;
  return { entryId, topic: 'ledger', key: event.customerId, valueBase64: '', headers: {} };
};
const announce = (): void => undefined;

async function counted<Result>(call: () => Promise<Result>): Promise<Result> {
  callsLeft -= 1;
  if (callsLeft >= 0) return call();
  if (diesAfter) await call();
  throw killed;
}
const watched = (documents: Documents): Documents => ({
  ...documents,
  get: (ref) => counted(() => documents.get(ref)),
  write: (scope, writes, claims) => counted(() => documents.write(scope, writes, claims)),
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'policies-'));
  state = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now }),
  );
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  customerId = v7();
  [events, callsLeft] = [[], Number.POSITIVE_INFINITY];
  policies = openPolicies({ documents: watched(state.documents), makeEntry, announce });
});

const settings: PolicySettings = {
  name: 'No addresses',
  description: null,
  framework: 'GDPR',
  sandboxSlugs: [],
  rules: [{ code: 'EMAIL', minRiskLevel: 'HIGH', maxCount: 0, windowDays: 30, action: 'OPEN_INCIDENT' }],
  enforcement: 'MONITOR',
  active: true,
};
const create = (id = v7(), budget = AMPLE_BUDGET) =>
  policies.create({ customerId, id, settings, budget, createdAt: AT });
const asked = (policyId: string, changeId = v7(), takenOver = false) => ({
  customerId,
  policyId,
  at: AT,
  changeId,
  takenOver,
});
const rename = (policyId: string, name: string, changeId = v7(), takenOver = false, budget = AMPLE_BUDGET) =>
  policies.change({
    ...asked(policyId, changeId, takenOver),
    budget,
    settings: (record) => ({ ...record, name }),
  });
const usage = async () =>
  (await state.documents.get<RecordUsage>({ scope: customerId, collection: RECORD_USAGE, id: customerId }))!
    .value;
const ids = () => events.map(({ kind, id }) => `${kind}:${id}`);

describe('a policy', () => {
  test('has an entry for each version, with the complete record', async () => {
    const id = v7();
    await create(id);
    await rename(id, 'Other');
    await policies.delete(asked(id));
    expect(ids()).toEqual([1, 2, 3].map((version) => `POLICY_EVENT:policy:${id}:${version}`));
    const { name: _name, description: _description, ...core } = settings;
    expect(events[0]).toMatchObject({
      core: { ...core, type: 'POLICY', policyId: id, version: 1, createdAt: AT, deletedAt: null },
      detail: { name: 'No addresses', description: null },
    });
    expect(events[1]).toMatchObject({ core: { version: 2 }, detail: { name: 'Other' } });
    expect(events[2]).toMatchObject({ core: { version: 3, deletedAt: AT } });
  });

  test('gets no version from a change without effect; a deleted one is unknown', async () => {
    const id = v7();
    await create(id);
    expect(await rename(id, settings.name)).toMatchObject({ ok: true, record: { version: 1 } });
    await policies.delete(asked(id));
    expect(await policies.byId(customerId, id)).toBeNull();
    expect(await policies.ids(customerId)).toEqual([]);
    expect(await rename(id, 'Other')).toEqual({ ok: false, reason: 'NOT_FOUND' });
    expect(await policies.delete(asked(id))).toEqual({ ok: false, reason: 'NOT_FOUND' });
    expect(events).toHaveLength(2);
  });

  test('gets a version for each concurrent change, and the usage is exact', async () => {
    const id = v7();
    await create(id);
    await Promise.all(Array.from({ length: 12 }, (_, n) => rename(id, `Name ${n}`)));
    const record = await policies.byId(customerId, id);
    expect(record?.version).toBe(13);
    expect(await usage()).toMatchObject({ versions: 13, policies: 1 });
    await policies.delete(asked(id));
    expect((await usage()).policies ?? 0).toBe(0);
  });

  test('is refused beyond the budget; deleting it is not', async () => {
    const [one, two] = [v7(), v7()];
    const budget = { ...AMPLE_BUDGET, policies: 1 };
    const made = await Promise.all([create(one, budget), create(two, budget)]);
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'BUDGET', exceeded: 'policies' });
    const [id] = await policies.ids(customerId);
    const full = { ...AMPLE_BUDGET, versionsPerDay: 1 };
    expect(await rename(id!, 'Other', v7(), false, full)).toMatchObject({ exceeded: 'versionsPerDay' });
    expect(await policies.delete(asked(id!))).toMatchObject({ ok: true });
    expect(await create(v7(), budget)).toMatchObject({ ok: true });
  });

  test('leaves nothing when its customer is erased', async () => {
    const id = v7();
    await create(id);
    await rename(id, 'Other');
    await cleanRecords(state.documents, customerId);
    for (const { name: collection } of POLICY_COLLECTIONS)
      expect([collection, await state.documents.ids(customerId, collection)]).toEqual([collection, []]);
  });
});

describe('killed at any call, and repeated', () => {
  /** Runs until there is no call left at which to be killed. */
  async function eachKill(run: (takenOver: boolean) => Promise<unknown>, check: () => Promise<void>) {
    for (const after of [false, true])
      for (let calls = 0; ; calls += 1) {
        [customerId, events] = [v7(), []];
        [callsLeft, diesAfter] = [calls, after];
        const outcome = await run(false).catch((error: unknown) => error);
        callsLeft = Number.POSITIVE_INFINITY;
        if (outcome !== killed) break;
        await run(true);
        await check();
      }
  }

  test('a creation makes one policy', async () => {
    const id = v7();
    await eachKill(
      () => create(id),
      async () => {
        expect(await policies.ids(customerId)).toEqual([id]);
        expect(await usage()).toMatchObject({ policies: 1, versions: 1 });
      },
    );
  });

  test('a change makes one version, and does not undo one made in between', async () => {
    const [id, changeId] = [v7(), v7()];
    await eachKill(
      async (takenOver) => {
        if (!takenOver) {
          const left = callsLeft;
          callsLeft = Number.POSITIVE_INFINITY;
          await create(id);
          callsLeft = left;
        } else await rename(id, 'Between');
        return rename(id, 'Mine', changeId, takenOver);
      },
      async () => {
        const record = await policies.byId(customerId, id);
        // If killed after its write, it is below the change made in between; otherwise above it.
        const { collection } = { collection: POLICIES };
        const stored = await state.documents.get<PolicyRecord>({ scope: customerId, collection, id });
        expect(stored?.value.version).toBe(3);
        expect(['Mine', 'Between']).toContain(record?.name);
      },
    );
  });
});

test('a policy raised above the ledger keeps its settings, and its entry is one version higher', async () => {
  const id = v7();
  await create(id);
  const dependencies = {
    documents: state.documents,
    makeEntry,
    announce,
    now: () => Date.parse(AT) + 1,
    newId: v7,
  };
  const older = { customerId, id, ledgerVersion: 7 };
  await raisePolicyVersion(dependencies, older as Parameters<typeof raisePolicyVersion>[1]);
  await raisePolicyVersion(dependencies, older as Parameters<typeof raisePolicyVersion>[1]);
  expect(await policies.byId(customerId, id)).toMatchObject({ ...settings, version: 8 });
  expect(ids().at(-1)).toBe(`POLICY_EVENT:policy:${id}:8`);
  expect(events).toHaveLength(2);
});
