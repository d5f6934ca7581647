import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type Documents, type State } from '#platform/state/port.ts';
import type { EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { RECORD_USAGE, type RecordUsage } from '../changes/record-usage.ts';
import { cleanRecords } from '../erasure/erasures.ts';
import { checkedCollections } from '../testing/checked-collections.ts';
import { AMPLE_BUDGET, AT } from '../testing/records-world.ts';
import { ACTIVE_AUDITORS, MAX_ACTIVE_AUDITORS } from './active-auditors.ts';
import { AUDITOR_CALLS, MAX_CALLS_A_DAY } from './auditor-calls.ts';
import { AUDITORS, auditorRef } from './auditor-record.ts';
import { type Auditors, openAuditors } from './auditors.ts';
import { auditorTokenHash } from './issue-auditor.ts';
import { raiseAuditorVersion } from './revoke-auditor.ts';

let folder: string;
let state: State;
let auditors: Auditors;
let customerIds: string[];
let events: LedgerEvent[];
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
  folder = await mkdtemp(path.join(os.tmpdir(), 'auditors-'));
  state = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now }),
  );
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  [customerIds, events, callsLeft] = [[v7(), v7()], [], Number.POSITIVE_INFINITY];
  for (const id of customerIds)
    await state.documents.write(id, [{ collection: CUSTOMERS, id, value: { id, active: true } }]);
  const randomBytes = (size: number) =>
    Buffer.from(v7().replaceAll('-', '').repeat(2), 'hex').subarray(0, size);
  auditors = openAuditors({ documents: watched(state.documents), makeEntry, announce, randomBytes });
});

const LATER = '2099-01-01T00:00:00.000Z';
const issuing = (id = v7(), of = customerIds, budget = AMPLE_BUDGET) => ({
  id,
  name: 'Ann Auditor',
  email: null,
  permissions: ['READ_SIGNALS'] as const,
  frameworks: null,
  periodStart: null,
  periodEnd: null,
  expiresAt: LATER,
  createdAt: AT,
  createdByKeyId: null,
  grants: of.map((customerId) => ({ customerId, budget })),
});
const grantsOf = async (token: string): Promise<string[]> =>
  (await auditors.grantsOf(auditorTokenHash(token), AT)).map(({ customerId }) => customerId);
const usage = async (id: string) =>
  (await state.documents.get<RecordUsage>({ scope: id, collection: RECORD_USAGE, id }))!.value;

describe('issuing an auditor', () => {
  test('makes one auditor for all its customers with one token, however often it is killed and repeated', async () => {
    for (diesAfter of [false, true]) {
      const id = v7();
      let died = true;
      for (let calls = 0; died; calls += 1) {
        callsLeft = calls;
        died = await auditors.issue(issuing(id)).then(
          () => false,
          (error: unknown) => {
            expect(error).toBe(killed);
            return true;
          },
        );
      }
      callsLeft = Number.POSITIVE_INFINITY;
      const records = await Promise.all(customerIds.map((one) => auditors.byId(one, [id])));
      expect(records.flat()).toMatchObject([
        { id, status: 'active' },
        { id, status: 'active' },
      ]);
      const [first, second] = records.flat();
      expect(first!.tokenHash).toBe(second!.tokenHash);
      const open = (await auditors.grantsOf(first!.tokenHash, AT)).map(({ customerId }) => customerId);
      expect(open).toEqual(customerIds);
    }
    for (const id of customerIds) expect(await usage(id)).toMatchObject({ auditors: 2 });
  });

  test('makes only as many as may be active when requests are concurrent', async () => {
    const [customerId = ''] = customerIds;
    const made = await Promise.all(
      Array.from({ length: 30 }, () => auditors.issue(issuing(v7(), [customerId]))),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(MAX_ACTIVE_AUDITORS);
    expect(made.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'ACTIVE', until: LATER, customerId });
    expect(await auditors.ids(customerId)).toHaveLength(MAX_ACTIVE_AUDITORS);
    expect(await usage(customerId)).toMatchObject({ auditors: MAX_ACTIVE_AUDITORS });
  });

  test('grants nothing to any customer when one has no budget', async () => {
    const of = issuing();
    const poor = { ...AMPLE_BUDGET, auditorsEver: 0 };
    const grants = of.grants.map((grant, position) => (position === 1 ? { ...grant, budget: poor } : grant));
    expect(await auditors.issue({ ...of, grants })).toEqual({
      ok: false,
      reason: 'BUDGET',
      exceeded: 'auditorsEver',
      customerId: customerIds[1],
    });
    expect(await auditors.byId(customerIds[0]!, [of.id])).toMatchObject([{ status: 'revoked' }]);
    expect(await auditors.byId(customerIds[1]!, [of.id])).toEqual([]);
  });
});

describe('revoking an auditor', () => {
  test('is one change with one entry, even concurrently with others', async () => {
    const issued = await auditors.issue(issuing());
    if (!issued.ok || issued.token === null) throw new Error('not issued');
    const { record, token } = issued;
    const [customerId = '', other = ''] = customerIds;
    await Promise.all([
      ...Array.from({ length: 10 }, () => auditors.revoke(customerId, record.id, AT)),
      ...Array.from({ length: 5 }, () => auditors.issue(issuing(v7(), [customerId]))),
    ]);
    expect(await grantsOf(token)).toEqual([other]);
    const pending = await state.documents.pending(auditorRef(customerId, record.id));
    const entryIds = [1, 2].map((version) => `KEY_EVENT:auditor:${record.id}:${version}`);
    expect(pending.map(({ entryId }) => entryId)).toEqual(entryIds);
    expect(await auditors.revoke(other, v7(), AT)).toBeNull();
  });

  test('is repeated when an older state has lost it', async () => {
    const issued = await auditors.issue(issuing());
    if (!issued.ok || issued.token === null) throw new Error('not issued');
    const [customerId = ''] = customerIds;
    const { id } = issued.record;
    const dependencies = { documents: state.documents, makeEntry, announce, now: Date.now, newId: v7 };
    const older = { customerId, id, ledgerVersion: 3, stateVersion: 1 };
    for (let round = 0; round < 2; round += 1) await raiseAuditorVersion(dependencies, older);
    expect(await grantsOf(issued.token)).toEqual(customerIds.slice(1));
    expect((await state.documents.get(auditorRef(customerId, id)))!.version).toBe(4);
    expect(events.filter((event) => event.id === `auditor:${id}:4`)).toHaveLength(1);
  });
});

describe('auditor calls', () => {
  const today = '2026-11-20T23:59:59.999Z';
  test('are each counted under concurrency, up to the daily limit', async () => {
    const [customerId = '', other = ''] = customerIds;
    const second = openAuditors({
      documents: state.documents,
      makeEntry,
      announce,
      randomBytes: Buffer.alloc,
    });
    const write = (calls: number) =>
      state.documents.write(customerId, [
        { collection: AUDITOR_CALLS, id: customerId, value: { day: '2026-11-20', calls } },
      ]);
    await write(MAX_CALLS_A_DAY - 15);
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? auditors : second).countCall(customerId, today)),
    );
    expect(counts.filter(Boolean)).toHaveLength(15);
    expect(await auditors.countCall(other, today)).toBe(true);
    expect(await auditors.countCall(customerId, '2026-11-21T00:00:00.000Z')).toBe(true);
    // A process whose clock is behind counts towards the day that has already started.
    await state.documents.write(customerId, [
      { collection: AUDITOR_CALLS, id: customerId, value: { day: '2026-11-21', calls: MAX_CALLS_A_DAY } },
    ]);
    expect(await auditors.countCall(customerId, today)).toBe(false);
  });
});

test('nothing of an auditor is left when the customer is erased', async () => {
  const [customerId = ''] = customerIds;
  await auditors.issue(issuing());
  await auditors.countCall(customerId, AT);
  await cleanRecords(state.documents, customerId);
  for (const collection of [AUDITORS, ACTIVE_AUDITORS, AUDITOR_CALLS])
    expect([collection, await state.documents.ids(customerId, collection)]).toEqual([collection, []]);
});
