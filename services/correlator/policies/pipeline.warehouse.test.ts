import { breachIncidentId, enforcedRules } from '#core/evidence/policies/enforced.ts';
import { RECORD_BUDGETS } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { Contended } from '#platform/state/change-document.ts';
import { CUSTOMERS, type Documents } from '#platform/state/port.ts';
import { NO_USAGE, RECORD_USAGE } from '#records/changes/record-usage.ts';
import { cleanRecords } from '#records/erasure/erasures.ts';
import { INCIDENTS } from '#records/incidents/incident-record.ts';
import { incidentsOpenedBy, readProgress } from '#records/policies/enforcement-records.ts';
import type { FoldedEntry } from '#schemas/events/events.ts';
import type { BreachOutcome } from './open-breach.ts';
import {
  type CorrelatorWorld,
  enforced,
  type Given,
  Killed,
  POLICY_ID,
  rule,
  startCorrelatorWorld,
} from './testing/correlator-world.ts';

let world: CorrelatorWorld;
let customerId: string;
beforeAll(async () => {
  world = await startCorrelatorWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  customerId = await world.customer();
});

const signalIds = async (): Promise<string[]> => {
  const ids = await world.incidents.ids(customerId, {});
  const found = await Promise.all(ids.map((id) => world.incidents.byId(customerId, id)));
  return found.map((incident) => incident!.signalId).sort();
};
/** Stores the ledger and has a new correlator read all of it, one entry per record. */
async function run(given: readonly Given[]): Promise<FoldedEntry[]> {
  const entries = await world.store(customerId, given);
  await world.correlator().process(
    world.batch(
      customerId,
      entries.map((entry) => [entry]),
    ),
  );
  return entries;
}
const end = async (id: string): Promise<void> => {
  const asked = { customerId, incidentId: id, assertedByKeyId: 'key', comment: null, resolution: null };
  const moved = await world.incidents.move({
    ...asked,
    to: 'DISMISSED',
    mover: { userId: 'ann', role: 'DPO' },
    seenVersion: null,
    budget: RECORD_BUDGETS.PRO,
    at: new Date().toISOString(),
    changeId: `end-${id}`,
    takenOver: false,
  });
  expect(moved).toMatchObject({ ok: true });
};

describe('a breach', () => {
  test('opens an incident as the system, with an id derived from the breach', async () => {
    const entries = await run([enforced({ version: 3 }), { hour: 1 }]);
    const [id] = await world.incidents.ids(customerId, {});
    const [acting] = enforcedRules(enforced({ version: 3 }).policy, 0);
    expect(id).toBe(breachIncidentId(customerId, acting!, entries[1]!.id));
    const record = (await world.incidents.byId(customerId, id!))!;
    expect(record).toMatchObject({
      ...{ signalId: entries[1]!.id, status: 'OPEN', severity: 'HIGH', violations: ['EMAIL'] },
      ...{ createdByKeyId: null, title: 'Policy breached: EMAIL, HIGH or above, more than 0 in 1 day' },
      notifyBy: new Date(Date.parse(record.createdAt) + 72 * 3_600_000).toISOString(),
    });
    expect(await world.incidents.history(customerId, record)).toMatchObject([
      { from: null, to: 'OPEN', userId: 'system', userRole: null, assertedByKeyId: null },
    ]);
    const range = { from: Date.parse(record.createdAt), to: Date.parse(record.createdAt) };
    expect(await incidentsOpenedBy(world.documents, customerId, POLICY_ID, range)).toBe(1);
    expect(await incidentsOpenedBy(world.documents, customerId, POLICY_ID, { to: range.to - 1 })).toBe(0);
  });

  test("opens none while its rule's incident is open, and one again when that has ended", async () => {
    const given: Given[] = [enforced(), { hour: 1 }, { hour: 2 }];
    const entries = await run(given);
    expect(await signalIds()).toEqual([entries[1]!.id]);
    await end((await world.incidents.ids(customerId, {}))[0]!);
    const more = await world.store(customerId, [...given, { hour: 3 }, { hour: 4 }]);
    await world.correlator().process(world.batch(customerId, [more.slice(3)]));
    expect(await signalIds()).toEqual([entries[1]!.id, more[3]!.id]);
  });

  test('opens none when it is repeated after its incident ended', async () => {
    const entries = await run([enforced(), { hour: 1 }, { hour: 2 }]);
    await end((await world.incidents.ids(customerId, {}))[0]!);
    await world.correlator().process(world.batch(customerId, [entries, entries.slice(1), entries]));
    expect(await signalIds()).toEqual([entries[1]!.id]);
  });

  test('of two rules by one signal opens one incident, which belongs to both', async () => {
    const rules = [rule(), rule({ code: '*' })];
    const entries = await run([enforced({ rules }), { hour: 1 }, { hour: 2, violations: ['SSN'] }]);
    expect(await signalIds()).toEqual([entries[1]!.id]);
  });

  test('is found whether its last signal is the newest in the window or came late', async () => {
    const rules = [rule({ maxCount: 2 })];
    const spread = await run([enforced({ rules }), { hour: 1 }, { hour: 2 }, { hour: 26 }, { hour: 50 }]);
    expect(spread).toHaveLength(5);
    expect(await signalIds()).toEqual([]);
    customerId = await world.customer();
    const newest = await run([enforced({ rules }), { hour: 1 }, { hour: 2 }, { hour: 24.9 }]);
    expect(await signalIds()).toEqual([newest[3]!.id]);
    customerId = await world.customer();
    const late = await run([enforced({ rules }), { hour: 3 }, { hour: 20 }, { hour: 26.9 }, { hour: 19 }]);
    expect(await signalIds()).toEqual([late[3]!.id]);
    customerId = await world.customer();
    const latest = await run([enforced({ rules }), { hour: 3 }, { hour: 20 }, { hour: 28 }, { hour: 5 }]);
    expect(await signalIds()).toEqual([latest[4]!.id]);
  });

  test.each<[string, Given[]]>([
    ['MONITOR', [enforced({ enforcement: 'MONITOR' }), { hour: 1 }]],
    ['not active', [enforced({ active: false }), { hour: 1 }]],
    ['deleted', [enforced(), enforced({ version: 2, deletedAt: 'then' }), { hour: 1 }]],
    ['with ALERT', [enforced({ rules: [rule({ action: 'ALERT' })] }), { hour: 1 }]],
    ['of another sandbox', [enforced({ sandboxSlugs: ['other'] }), { hour: 1 }]],
    ['made behind the signal', [{ hour: 1 }, enforced()]],
    ['of another level', [enforced(), { hour: 1, riskLevel: 'MEDIUM' }]],
    ['of another code', [enforced(), { hour: 1, violations: ['SSN'] }]],
    ['without violations', [enforced({ rules: [rule({ code: '*' })] }), { hour: 1, violations: [] }]],
  ])('opens none under a policy that is %s', async (_name, given) => {
    await run(given);
    expect(await signalIds()).toEqual([]);
  });

  test.each([25, 30, 366])('is counted within a window of %i days', async (windowDays) => {
    const hours = windowDays * 24;
    const policy = enforced({ rules: [rule({ maxCount: 1, windowDays })] });
    // A window excludes the moment at which it starts.
    const entries = await run([policy, { hour: 0 }, { hour: hours }, { hour: 2 * hours - 1 }]);
    expect(await signalIds()).toEqual([entries[3]!.id]);
  });

  test('opens one in a sandbox that the policy spells differently', async () => {
    await run([enforced({ sandboxSlugs: ['help-desk'] }), { hour: 1, sandboxSlug: 'help_desk' }]);
    expect(await signalIds()).toHaveLength(1);
  });

  test('opens none beyond the plan’s limit or for an erased customer, and blocks nothing', async () => {
    const outcomes: BreachOutcome[] = [];
    const correlator = () => world.correlator(undefined, { onBreach: (one) => outcomes.push(one) });
    const entries = await world.store(customerId, [enforced(), { hour: 1 }]);
    const value = { ...NO_USAGE, incidents: RECORD_BUDGETS.PRO.incidentsEver };
    await world.documents.write(customerId, [{ collection: RECORD_USAGE, id: customerId, value }]);
    await correlator().process(world.batch(customerId, [entries]));
    customerId = await world.customer();
    const erased = await world.store(customerId, [enforced(), { hour: 1 }]);
    const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
    const stored = (await world.documents.get<object>(ref))!;
    const closed = { ...stored.value, active: false };
    await world.documents.write(customerId, [{ collection: CUSTOMERS, id: customerId, value: closed }]);
    await correlator().process(world.batch(customerId, [erased]));
    expect(outcomes).toEqual(['FULL', 'CLOSED']);
    expect(await signalIds()).toEqual([]);
  });
});

test('an incident whose writes keep conflicting is opened when the batch is retried', async () => {
  const entries = await world.store(customerId, [enforced(), { hour: 1 }]);
  const batch = world.batch(customerId, [entries]);
  const documents: Documents = Object.create(world.documents, {
    write: { value: async () => ({ ok: false, conflict: { collection: INCIDENTS, id: 'other' } }) },
  });
  const lost: unknown = await world
    .correlator(undefined, { documents })
    .process(batch)
    .catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(Contended);
  expect(await signalIds()).toEqual([]);
  await world.correlator().process(batch);
  expect(await signalIds()).toEqual([entries[1]!.id]);
});

describe('repeated, missing and replaced records', () => {
  test('a kill between any two writes and a retry make one incident', async () => {
    for (let killedAt = 1; ; killedAt += 1) {
      customerId = await world.customer();
      const entries = await world.store(customerId, [enforced(), { hour: 1 }, { hour: 2 }]);
      const batch = world.batch(customerId, [entries]);
      const outcome = await world
        .correlator(killedAt)
        .process(batch)
        .catch((error: unknown) => error);
      if (!(outcome instanceof Killed)) break;
      await world.correlator().process(batch);
      expect(await signalIds()).toEqual([entries[1]!.id]);
      expect((await readProgress(world.documents, customerId))?.value.index).toBe(2);
      const opened = world.events.filter((event) => event.customerId === customerId);
      expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    }
  });

  test('expired records are read from the warehouse, with the policies in force at the time', async () => {
    const given: Given[] = [
      enforced(),
      { hour: 1, violations: ['SSN'] },
      enforced({ version: 2, rules: [rule({ code: 'SSN' })] }),
      { hour: 2, violations: ['SSN'] },
      enforced({ version: 3, enforcement: 'MONITOR' }),
      { hour: 3 },
      enforced({ version: 4, rules: [rule({ code: 'PHONE' })] }),
      { hour: 4, violations: ['PHONE'] },
    ];
    const entries = await world.store(customerId, given);
    await world.correlator().process(world.batch(customerId, [entries.slice(0, 2)]));
    await world.correlator().process(world.batch(customerId, [entries.slice(7)]));
    expect(await signalIds()).toEqual([entries[3]!.id, entries[7]!.id]);
  });

  test('at the first contact, history is compared from the first policy that is now enforced', async () => {
    const given: Given[] = [{ hour: 0 }, enforced(), { hour: 1 }, { hour: 2, violations: [] }];
    const entries = await world.store(customerId, given);
    await world.correlator().process(world.batch(customerId, [entries.slice(3)]));
    expect(await signalIds()).toEqual([entries[2]!.id]);
  });

  test('another epoch continues if the ledger is the same, and starts again if it differs', async () => {
    const given: Given[] = [enforced(), { hour: 1 }];
    const entries = await run(given);
    await end((await world.incidents.ids(customerId, {}))[0]!);
    const more = await world.store(customerId, [...given, { hour: 2, violations: [] }]);
    await world.correlator().process(world.batch(customerId, [more.slice(2)], 2));
    expect(await signalIds()).toEqual([entries[1]!.id]);
    const progress = (await readProgress(world.documents, customerId))!;
    expect(progress.value).toMatchObject({ epoch: 2, index: 2 });
    // The ledger is shorter now and has another signal at that index.
    await world.documents.write(customerId, [
      { collection: 'policyProgress', id: customerId, value: { ...progress.value, index: 9, hash: 'f0' } },
    ]);
    const other = await world.store(customerId, [...given, { hour: 2, violations: [] }, { hour: 3 }]);
    await world.correlator().process(world.batch(customerId, [other.slice(3)], 3));
    expect(await signalIds()).toEqual([entries[1]!.id, other[3]!.id]);
  });

  test('decodes and notes nothing for a customer without an enforced policy', async () => {
    const entries = await world.store(customerId, [enforced({ enforcement: 'MONITOR' }), { hour: 1 }]);
    let decoded = 0;
    const correlator = world.correlator(undefined, {
      decodeFoldedEntries: () => {
        decoded += 1;
        throw new Error('nobody needs it');
      },
    });
    await correlator.process(world.batch(customerId, [entries.slice(1)]));
    expect(decoded).toBe(0);
    expect(await readProgress(world.documents, customerId)).toBeNull();
  });

  test('a policy that is no longer enforced leaves no progress', async () => {
    await run([enforced(), { hour: 1, violations: [] }, enforced({ version: 2, active: false })]);
    expect(await readProgress(world.documents, customerId)).toBeNull();
  });

  test('the erasure of a customer removes all progress', async () => {
    await run([enforced(), { hour: 1 }]);
    await cleanRecords(world.documents, customerId);
    for (const collection of ['policyProgress', 'ruleIncidents', 'policyIncidents'])
      expect([collection, await world.documents.ids(customerId, collection)]).toEqual([collection, []]);
  });
});
