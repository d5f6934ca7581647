import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type State } from '#platform/state/port.ts';
import { checkedCollections } from '../testing/checked-collections.ts';
import { packageWork } from './package-list.ts';
import type { PackageRecord } from './package-record.ts';
import { changeInProgress, packagesAt, requestPackage } from './packages.ts';

const AT = '2026-06-01T10:00:00.000Z';
const BUDGET = { packages: 3, bytes: 100 };
let folder: string;
let state: State & { close(): Promise<void> };
let customerId = '';
let customers = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'shelf-'));
  state = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now }),
  );
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  customers += 1;
  customerId = `customer-${customers}`;
  await state.documents.write(customerId, [
    { collection: CUSTOMERS, id: customerId, value: { active: true } },
  ]);
});

const record = (id: string, change: Partial<PackageRecord> = {}): PackageRecord => ({
  id,
  framework: 'GDPR',
  startDate: id,
  endDate: AT,
  includeIncidents: true,
  includeHashChain: true,
  basis: { size: 1, root: 'r', chainHead: 'h', epoch: 0, issuedAt: AT, note: 'n' },
  status: 'GENERATING',
  progress: 0,
  createdAt: AT,
  createdByKeyId: 'key',
  expiresAt: '2026-07-01T10:00:00.000Z',
  attempts: 0,
  failure: null,
  file: null,
  ...change,
});
const ask = (one: PackageRecord, isSame = true) =>
  requestPackage(state.documents, {
    customerId,
    record: one,
    budget: BUDGET,
    isSameLedger: async () => isSame,
  });
const end = (id: string, change: Partial<PackageRecord>): Promise<boolean> =>
  changeInProgress(state.documents, customerId, id, (current) => ({ ...current, ...change }));
const ready = (id: string, sizeBytes: number) =>
  end(id, {
    status: 'READY',
    file: { name: `${id}.zip`, sizeBytes, sha256: 's', holds: null, scope: 'NAMED' },
  });
const idsNow = async (): Promise<string[]> =>
  (await packagesAt(state.documents, customerId, AT)).map(({ id }) => id);

describe('a request for a package', () => {
  test('makes a package and puts the customer on the work list', async () => {
    expect(await ask(record('a'))).toMatchObject({ ok: true, isNew: true });
    expect((await packageWork(state.documents)).map((one) => one.customerId)).toContain(customerId);
  });

  test('returns the result of its earlier attempt, or a package that satisfies the same request', async () => {
    await ask(record('a'));
    expect(await ask(record('a'))).toMatchObject({ ok: true, isNew: true, record: { id: 'a' } });
    const same = record('b', { startDate: 'a' });
    expect(await ask(same)).toMatchObject({ ok: true, isNew: false, record: { id: 'a' } });
    expect(await ask(same, false)).toMatchObject({ ok: true, isNew: true, record: { id: 'b' } });
  });

  test('many times at once makes as many as may be in progress, and one of equal ones', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => ask(record(id))));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    customerId = `${customerId}-b`;
    await state.documents.write(customerId, [
      { collection: CUSTOMERS, id: customerId, value: { active: true } },
    ]);
    const same = await Promise.all(['a', 'b', 'c', 'd'].map((id) => ask(record(id, { startDate: 'x' }))));
    expect(new Set(same.map((one) => one.ok && one.record.id)).size).toBe(1);
  });

  test('is refused beyond the limits on packages and bytes', async () => {
    for (const id of ['a', 'b', 'c']) {
      await ask(record(id));
      await ready(id, 1);
    }
    expect(await ask(record('d'))).toEqual({ ok: false, reason: 'BUDGET' });
    customerId = `${customerId}-b`;
    await state.documents.write(customerId, [
      { collection: CUSTOMERS, id: customerId, value: { active: true } },
    ]);
    await ask(record('a'));
    await ready('a', BUDGET.bytes);
    expect(await ask(record('b'))).toEqual({ ok: false, reason: 'BUDGET' });
  });

  test('is refused for a customer that is being erased', async () => {
    const value = { active: false, erasure: { status: 'IN_PROGRESS', requestedAt: AT } };
    await state.documents.write(customerId, [{ collection: CUSTOMERS, id: customerId, value }]);
    expect(await ask(record('a'))).toEqual({ ok: false, reason: 'ERASED' });
  });

  test('drops ended packages from the list, the oldest first', async () => {
    for (let number = 0; number < 45; number += 1) {
      await ask(record(`package-${number}`));
      await end(`package-${number}`, { status: 'FAILED', failure: 'on purpose' });
    }
    const ids = await idsNow();
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([40, 'package-5', 'package-44']);
  });

  test('does not change once its package has ended', async () => {
    await ask(record('a'));
    await end('a', { status: 'FAILED', failure: 'on purpose' });
    expect(await ready('a', 1)).toBe(false);
  });
});
