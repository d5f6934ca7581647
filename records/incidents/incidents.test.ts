import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type Documents, type State } from '#platform/state/port.ts';
import type { IncidentStatus } from '#schemas/vocabulary.ts';
import type { EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { RECORD_USAGE, type RecordUsage } from '../changes/record-usage.ts';
import { cleanRecords } from '../erasure/erasures.ts';
import { checkedCollections } from '../testing/checked-collections.ts';
import { AMPLE_BUDGET, AT } from '../testing/records-world.ts';
import { INCIDENT_INDEX_COLLECTIONS } from './incident-index.ts';
import { INCIDENT_COLLECTIONS, INCIDENTS } from './incident-record.ts';
import { type Incidents, openIncidents } from './incidents.ts';
import { MAX_TRANSITIONS } from './move-incident.ts';
import { MAX_INCIDENTS_OF_SIGNAL } from './open-incident.ts';
import { raiseIncidentVersion } from './raise-incident-version.ts';

let folder: string;
let state: State;
let incidents: Incidents;
let customerId: string;
let events: LedgerEvent[];
let asked: string[];
/** Calls until the state fails as if the process were killed, before or after the call took effect. */
let callsLeft = Number.POSITIVE_INFINITY;
let diesAfter = false;

const makeEntry: EntryMaker = async (event) => {
  events.push(event);
  const entryId = `${event.kind}:${event.id}`;
  return { entryId, topic: 'ledger', key: event.customerId, valueBase64: '', headers: {} };
};
const announce = (): void => undefined;
const killed = new Error('killed here');

async function counted<Result>(what: string, call: () => Promise<Result>): Promise<Result> {
  asked.push(what);
  callsLeft -= 1;
  if (callsLeft >= 0) return call();
  if (diesAfter) await call();
  throw killed;
}
const watched = (documents: Documents): Documents => ({
  ...documents,
  get: (ref) => counted(`get ${ref.collection}`, () => documents.get(ref)),
  ids: (scope, collection) => counted(`ids ${collection}`, () => documents.ids(scope, collection)),
  list: (scope, collection) => counted(`list ${collection}`, () => documents.list(scope, collection)),
  write: (scope, writes, claims) => counted('write', () => documents.write(scope, writes, claims)),
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'incidents-'));
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
  [events, asked, callsLeft] = [[], [], Number.POSITIVE_INFINITY];
  incidents = openIncidents({ documents: watched(state.documents), makeEntry, announce });
});

const opening = (signalId: string, id = v7(), budget = AMPLE_BUDGET) => ({
  customerId,
  id,
  signalId,
  auditId: signalId,
  severity: 'HIGH' as const,
  violations: ['EMAIL'],
  title: 'Address of Ann Example',
  description: null,
  createdAt: AT,
  createdByKeyId: 'key-1',
  dueAt: null,
  notifyBy: null,
  budget,
});
async function opened(signalId = v7()): Promise<string> {
  const made = await incidents.open(opening(signalId));
  if (!made.ok) throw new Error(made.reason);
  return made.record.id;
}
const moving = (incidentId: string, to: IncidentStatus, userId: string) => ({
  customerId,
  incidentId,
  to,
  mover: { userId, role: 'DPO' as const },
  assertedByKeyId: 'key-1',
  comment: null as string | null,
  resolution: null,
  seenVersion: null as number | null,
  budget: AMPLE_BUDGET,
  at: AT,
  changeId: v7(),
  takenOver: false,
});
const move = async (id: string, to: IncidentStatus, userId: string, extra: object = {}) => {
  const result = await incidents.move({ ...moving(id, to, userId), ...extra });
  return result.ok ? result.record.version : result.reason;
};
const usage = async () =>
  (await state.documents.get<RecordUsage>({ scope: customerId, collection: RECORD_USAGE, id: customerId }))!
    .value;
const collections = async (): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {};
  for (const { name: collection } of [...INCIDENT_COLLECTIONS, ...INCIDENT_INDEX_COLLECTIONS]) {
    const ids = await state.documents.ids(customerId, collection);
    if (ids.length > 0) found[collection] = ids;
  }
  return found;
};

describe('opening an incident', () => {
  test('ten times at once makes one incident with one entry', async () => {
    const signalId = v7();
    const made = await Promise.all(Array.from({ length: 10 }, () => incidents.open(opening(signalId))));
    const records = made.map((one) => (one.ok ? one.record : null));
    expect(new Set(records.map((record) => record?.id)).size).toBe(1);
    expect(made.filter((one) => one.ok && one.isNew)).toHaveLength(1);
    expect(await state.documents.ids(customerId, INCIDENTS)).toHaveLength(1);
    expect(await usage()).toMatchObject({ incidents: 1 });
    const ref = { scope: customerId, collection: INCIDENTS, id: records[0]!.id };
    expect((await state.documents.pending(ref)).map(({ entryId }) => entryId)).toEqual([
      `INCIDENT_EVENT:${ref.id}:1`,
    ]);
  });

  test('with the same id, killed at any call and repeated, makes it once', async () => {
    for (diesAfter of [false, true]) {
      const [id, signalId] = [v7(), v7()];
      let died = true;
      for (let calls = 0; died; calls += 1) {
        callsLeft = calls;
        died = await incidents.open(opening(signalId, id)).then(
          (made) => {
            expect(made).toMatchObject({ ok: true, isNew: true, record: { id, version: 1 } });
            return false;
          },
          (error: unknown) => {
            expect(error).toBe(killed);
            return true;
          },
        );
      }
      callsLeft = Number.POSITIVE_INFINITY;
      expect(await incidents.ids(customerId, { signalId })).toEqual([id]);
    }
    expect(await usage()).toMatchObject({ incidents: 2 });
  });

  test('is limited per signal over time', async () => {
    const signalId = v7();
    for (let n = 0; n < MAX_INCIDENTS_OF_SIGNAL; n += 1)
      expect(await move(await opened(signalId), 'DISMISSED', 'ann')).toBe(2);
    expect(await incidents.open(opening(signalId))).toEqual({ ok: false, reason: 'SIGNAL_LIMIT' });
    expect(await incidents.ids(customerId, { signalId })).toHaveLength(MAX_INCIDENTS_OF_SIGNAL);
  });

  test('is limited by the customer’s budget, even under concurrency', async () => {
    const budget = { ...AMPLE_BUDGET, incidentsEver: 3 };
    const made = await Promise.all(
      Array.from({ length: 8 }, () => incidents.open(opening(v7(), v7(), budget))),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(3);
    expect(made.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'BUDGET', exceeded: 'incidentsEver' });
  });
});

describe('moving an incident', () => {
  test('by two verifiers at once succeeds for one; the other is refused as outdated', async () => {
    const id = await opened();
    await move(id, 'INVESTIGATING', 'ann');
    await move(id, 'RESOLVED', 'ben');
    const results = await Promise.all([move(id, 'VERIFIED', 'cleo'), move(id, 'VERIFIED', 'dan')]);
    expect(results.map(String).sort()).toEqual(['4', 'VERSION']);
    expect(events.filter(({ id: entry }) => entry === `${id}:4`).length).toBeGreaterThan(0);
    expect(await incidents.byId(customerId, id)).toMatchObject({ status: 'VERIFIED', version: 4 });
    expect(await incidents.history(customerId, (await incidents.byId(customerId, id))!)).toHaveLength(4);
  });

  test('succeeds for different incidents at once', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => opened()));
    const results = await Promise.all(ids.map((id) => move(id, 'INVESTIGATING', 'ann')));
    expect(new Set(results)).toEqual(new Set([2]));
  });

  test('killed at any call and repeated makes one move, for any version seen', async () => {
    for (diesAfter of [false, true]) {
      const id = await opened();
      const request = { ...moving(id, 'INVESTIGATING', 'ann'), seenVersion: 1 };
      let died = true;
      for (let calls = 0; died; calls += 1) {
        callsLeft = calls;
        died = await incidents.move({ ...request, takenOver: calls > 0 }).then(
          (made) => {
            expect(made).toMatchObject({ ok: true, record: { version: 2, investigatorId: 'ann' } });
            return false;
          },
          () => true,
        );
      }
      callsLeft = Number.POSITIVE_INFINITY;
      expect((await incidents.byId(customerId, id))!.version).toBe(2);
    }
  });

  test('is refused for an outdated version, after every other fault', async () => {
    const id = await opened();
    expect(await move(id, 'VERIFIED', 'ann', { seenVersion: 7 })).toBe('STATUS');
    expect(await move(id, 'INVESTIGATING', 'ann', { seenVersion: 7 })).toBe('VERSION');
    expect(await move(id, 'INVESTIGATING', 'ann', { seenVersion: 1 })).toBe(2);
  });

  test('ends after a maximum number of moves', async () => {
    const id = await opened();
    await move(id, 'INVESTIGATING', 'ann');
    for (let n = 2; n <= MAX_TRANSITIONS; n += 1)
      expect(await move(id, n % 2 === 0 ? 'RESOLVED' : 'INVESTIGATING', 'ann')).toBe(n + 1);
    expect(await move(id, 'INVESTIGATING', 'ann')).toBe('TRANSITION_LIMIT');
    const record = (await incidents.byId(customerId, id))!;
    expect(await incidents.history(customerId, record)).toHaveLength(MAX_TRANSITIONS + 1);
  });

  test('is only refused for lack of budget if it adds texts', async () => {
    const id = await opened();
    const budget = { ...AMPLE_BUDGET, storedBytes: 1 };
    expect(await move(id, 'INVESTIGATING', 'ann', { budget, comment: 'seen' })).toBe('BUDGET');
    expect(await move(id, 'INVESTIGATING', 'ann', { budget })).toBe(2);
  });

  test('to its end makes room for another; it cannot be reopened while that one is open', async () => {
    const signalId = v7();
    const first = await opened(signalId);
    expect(await opened(signalId)).toBe(first);
    await move(first, 'DISMISSED', 'ann');
    const second = await opened(signalId);
    expect(second).not.toBe(first);
    expect(await move(first, 'INVESTIGATING', 'ann')).toBe('OTHER_OPEN');
    await move(second, 'DISMISSED', 'ann');
    expect(await move(first, 'INVESTIGATING', 'ann')).toBe(3);
    expect(await opened(signalId)).toBe(first);
  });
});

describe('the index', () => {
  test('has the ids of single and combined filters, and reads no incident', async () => {
    const signals = [v7(), v7(), v7()];
    const ids = [];
    for (const signalId of signals) ids.push(await opened(signalId));
    await move(ids[1]!, 'INVESTIGATING', 'ann');
    asked = [];
    const of = (filter: object) => incidents.ids(customerId, filter);
    expect(await of({})).toEqual(ids);
    expect(await of({ status: 'OPEN' })).toEqual([ids[0], ids[2]]);
    expect(await of({ status: 'INVESTIGATING', severity: 'HIGH' })).toEqual([ids[1]]);
    expect(await of({ severity: 'LOW' })).toEqual([]);
    expect(await of({ signalId: signals[2], status: 'OPEN' })).toEqual([ids[2]]);
    expect(await of({ signalId: signals[2], status: 'CLOSED' })).toEqual([]);
    expect(asked.filter((one) => /^(list|get incidents$)/.test(one))).toEqual([]);
    // The usage shows that nothing changed, so each collection is read once.
    expect(asked.filter((one) => one === 'ids incidents.status.OPEN')).toHaveLength(1);
    await move(ids[0]!, 'INVESTIGATING', 'ann');
    expect(await of({ status: 'OPEN' })).toEqual([ids[2]]);
  });

  test('evicts the ids of the least recently used customer', async () => {
    const asks = async (of: string): Promise<number> => {
      asked = [];
      await incidents.ids(of, {});
      return asked.filter((one) => one === 'ids incidents').length;
    };
    const customers = Array.from({ length: 21 }, () => v7());
    for (const one of customers.slice(0, 20)) expect(await asks(one)).toBe(1);
    expect(await asks(customers[0]!)).toBe(0);
    expect(await asks(customers[20]!)).toBe(1);
    expect([await asks(customers[0]!), await asks(customers[1]!)]).toEqual([0, 1]);
  });

  test('is deleted with the incidents of its customer', async () => {
    const id = await opened();
    await move(id, 'INVESTIGATING', 'Ann Example', { comment: 'Ann' });
    await move(await opened(), 'DISMISSED', 'ann');
    expect(Object.keys(await collections()).length).toBeGreaterThan(5);
    const record = { id: customerId, name: 'Example Ltd' };
    await state.documents.write(customerId, [{ collection: CUSTOMERS, id: customerId, value: record }]);
    await cleanRecords(state.documents, customerId);
    expect(await collections()).toEqual({});
  });
});

test('personal fields and all texts are in the detail of the entry', async () => {
  const id = await opened();
  await move(id, 'INVESTIGATING', 'ann@example.org', { comment: 'a comment' });
  await move(id, 'RESOLVED', 'ben@example.org', { resolution: 'a resolution' });
  for (const { core } of events)
    expect(JSON.stringify(core)).not.toMatch(/example|comment|resolution|Address/i);
  expect(events.at(-1)).toMatchObject({
    kind: 'INCIDENT_EVENT',
    id: `${id}:3`,
    core: {
      version: 3,
      status: 'RESOLVED',
      transition: { from: 'INVESTIGATING', to: 'RESOLVED', userRole: 'DPO' },
    },
    detail: {
      investigatorId: 'ann@example.org',
      resolverId: 'ben@example.org',
      userId: 'ben@example.org',
      resolution: 'a resolution',
      comment: null,
    },
  });
});

test('an incident older than the ledger gets a version above it, and continues from its own status', async () => {
  const id = await opened();
  const dependencies = { documents: state.documents, makeEntry, announce, now: Date.now, newId: v7 };
  const older = { customerId, id, ledgerVersion: 4, stateVersion: 1 };
  await raiseIncidentVersion(dependencies, older);
  await raiseIncidentVersion(dependencies, older);
  expect(events.at(-1)).toMatchObject({
    id: `${id}:5`,
    core: { version: 5, transition: { from: 'OPEN', to: 'OPEN', assertedByKeyId: null } },
  });
  expect(await move(id, 'INVESTIGATING', 'ann')).toBe(6);
  const record = (await incidents.byId(customerId, id))!;
  const history = await incidents.history(customerId, record);
  expect(history.map(({ version }) => version)).toEqual([1, 5, 6]);
});
