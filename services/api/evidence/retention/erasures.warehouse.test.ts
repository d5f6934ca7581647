import { v7 } from 'uuid';
import { parseCheckpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import { openNote } from '#core/evidence/checkpoint/signed-note.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { leafHash } from '#core/evidence/hashing.ts';
import { rootFromInclusion } from '#core/evidence/tree/verify-proofs.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { flushOutbox } from '#platform/outbox/flush.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { Directory } from '#records/directory.ts';
import { openIncidentOf } from '#records/incidents/incident-index.ts';
import { changePackageList, packageListOf } from '#records/packages/package-list.ts';
import type { PackageRecord } from '#records/packages/package-record.ts';
import { MAX_OPEN_ERASURES, SIGNAL_ERASURES } from '#records/retention/signal-erasure.ts';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { eventually } from '../../../../test/helpers/eventually.ts';
import { callerByKey } from '../../operations/caller.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { Answered } from '../../testing/harness.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';
import { storedRunText, storeRunNaming } from '../../testing/stored-run.ts';
import { eraseSignal } from './erase-signal.ts';

const AT = '2026-01-01T00:00:00.000Z';

let world: ReconciliationWorld;
beforeAll(async () => {
  world = await startReconciliationWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  world.harness.log.mode = 'takes';
  await world.fold();
  await world.newCustomer();
});

const send = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object): Promise<Answered> =>
  world.harness.call({ method, url, headers: world.customer.headers, ...(payload ? { payload } : {}) });
const get = (url: string) => send('GET', url);
const erase = (id: string, query = '') => send('DELETE', `/evidence/retention/signals/${id}${query}`);
const refusal = ({ status, body }: Answered) => [status, body.code];

const erasures = () => world.harness.log.of(LEDGER.name).filter(({ key }) => key === world.customer.id);

const noted = (before: number) =>
  eventually('the entry is in the log', 30_000, async () => (erasures().length > before ? true : undefined));

/**
 * Erases, folds as soon as the entry is in the log, and reads the erasure: a slow machine may answer before the fold.
 */
async function erased(id: string, query = ''): Promise<Answered> {
  const before = erasures().length;
  const answer = erase(id, query);
  await noted(before);
  await world.fold();
  expect([200, 202]).toContain((await answer).status);
  return get(`/evidence/retention/erasures/${id}`);
}

/** Calls the operation directly, with one customer's key; `change`: changes to the dependencies. */
function erasing(id: string, waitMs: number, change: Partial<ApiDependencies> = {}) {
  const { dependencies } = world.harness;
  return eraseSignal(
    {
      ...dependencies,
      makeEntry: entryMaker(dependencies),
      directory: { sandboxById: async () => null } as unknown as Directory,
      ...change,
    },
    callerByKey(world.customer.id, {} as never, 'key-1'),
    { signalId: id, reason: 'CUSTOMER_REQUEST', waitMs, gone: new AbortController().signal },
  );
}

async function stored(): Promise<string> {
  const id = await world.accept(1);
  await world.analyse();
  await world.fold();
  return id;
}

/** An audit whose analysis failed. */
async function failed(): Promise<string> {
  const id = await world.accept(7);
  const sent = world.harness.log.of(TRIPLETS.name).find(({ key }) => key === id)!;
  const headers = { ...sent.headers, attempt: '2', 'x-failure-code': 'ANALYSIS_FAILED' };
  await world.harness.log.append([{ ...sent, topic: DEAD_LETTERS.name, headers }]);
  await world.fold();
  return id;
}

describe('erasing a signal', () => {
  test('removes it from the patterns of earlier runs, in the state too', async () => {
    const [id, other, third] = [await stored(), await stored(), await stored()];
    await storeRunNaming(world.harness, world.customer.id, [id, other, third]);
    const before = await storedRunText(world.harness, world.customer.id);
    expect([id, other, third].map((one) => before.includes(one))).toEqual([true, true, true]);
    await erased(id);
    const after = await storedRunText(world.harness, world.customer.id);
    expect([id, other, third].map((one) => after.includes(one))).toEqual([false, true, true]);
  });

  test('answers with a receipt that proves it, and the chain verifies', async () => {
    const id = await stored();
    const answer = await erased(id);
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({ signalId: id, deleted: true, status: 'ERASED', reason: 'CUSTOMER_REQUEST' });
    const { receipt } = data;
    expect(receipt.leaf).toMatchObject({ kind: 'ERASURE', id: `signal:${id}`, index: receipt.index });
    const keys = await get('/evidence/hash-chain/keys');
    const key = parseVerifierKey(keys.body.data[0].vkey)!;
    const signed = parseCheckpoint(openNote(receipt.checkpoint, [key])!.text)!;
    expect(signed.size).toBe(receipt.treeSize);
    const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
    const leaf = leafHash(receipt.leaf);
    expect(rootFromInclusion(leaf, receipt.index, receipt.treeSize, receipt.hashes.map(bytes))).toEqual(
      signed.root,
    );
    const verified = await get('/evidence/hash-chain/verify');
    expect(verified.body.data).toMatchObject({ status: 'VALID', erasedSignals: 1, errors: [] });
  });

  test('is reported as undone when its blank row is deleted and the signal reappears', async () => {
    const id = await stored();
    await erased(id);
    const statement = "ALTER TABLE signals DELETE WHERE erased != '' SETTINGS mutations_sync = 2";
    await world.harness.dependencies.warehouse.command(statement);
    expect((await get(`/dashboard/signals/${id}`)).status).toBe(200);
    const { data } = (await get('/evidence/hash-chain/verify')).body;
    expect(data).toMatchObject({ status: 'INVALID', brokenAt: { id, reason: 'NOT_ERASED' } });
  });

  test('removes the signal, and keeps its audit and its proof', async () => {
    const id = await stored();
    const before = (await get(`/evidence/hash-chain/proofs/inclusion?auditId=${id}`)).body.data;
    expect(before.coreSalt).toMatch(/^[0-9a-f]{64}$/);
    await erased(id);
    expect((await get(`/dashboard/signals/${id}`)).status).toBe(404);
    expect((await get('/dashboard/signals')).body.data).toEqual([]);
    const audit = (await get(`/audits/${id}`)).body;
    expect(audit).toMatchObject({ erased: true, status: 'COMPLETED', provider: null, model: null });
    expect(audit.riskLevel).toBeUndefined();
    expect((await get('/audits')).body.audits).toMatchObject([{ id, erased: true }]);
    const proof = await get(`/evidence/hash-chain/proofs/inclusion?auditId=${id}`);
    expect(proof.status).toBe(200);
    expect(proof.body.data).toMatchObject({ leaf: before.leaf, coreSalt: null, detailSalt: null });
    expect(await world.reconciliation()).toMatchObject({ erased: 1, stored: 0, balanced: true });
  });

  test('refuses a repeat of the platform’s request for it from then on', async () => {
    const auditId = v7();
    expect((await world.signal(auditId)).status).toBe(201);
    await world.fold();
    expect((await world.signal(auditId)).status).toBe(200);
    await erased(auditId);
    const { status, body } = await world.signal(auditId);
    expect([status, body.code, body.data]).toEqual([409, 'CONFLICT', undefined]);
  });

  test('removes the packages that contain it, and no others', async () => {
    const id = await stored();
    const { documents } = world.harness.state;
    const ready = (name: string, holds: readonly [number, number]): PackageRecord => ({
      ...{ id: name, framework: 'GDPR', status: 'READY', progress: 1, attempts: 1, failure: null },
      ...{ startDate: AT, endDate: AT, includeIncidents: true, includeHashChain: true },
      ...{ createdAt: AT, createdByKeyId: 'key-1', expiresAt: '2099-01-01T00:00:00.000Z' },
      basis: { size: 0, root: '', chainHead: '', epoch: 0, issuedAt: AT, note: '' },
      file: { name: `${name}.zip`, sizeBytes: 1, sha256: '', holds, scope: 'NAMED' },
    });
    await changePackageList(documents, world.customer.id, () => ({
      shelf: { erasures: 0, packages: [ready('holds', [0, 1_000]), ready('other', [2_000, 3_000])] },
    }));
    await erased(id);
    const { packages } = await packageListOf(documents, world.customer.id);
    expect(packages.map((one) => [one.id, one.status])).toEqual([
      ['holds', 'EXPIRED'],
      ['other', 'READY'],
    ]);
  });

  test('reports what remains, and until when', async () => {
    const { data } = (await erased(await stored())).body;
    const named = data.remains.map((one: { in: string; days: number | null }) => [one.in, one.days]);
    expect(named).toEqual([
      ['EVENT_LOG', 7],
      ['STATE', 1],
      ['WAREHOUSE_FILES', 1],
      ['FREE_PAGES', null],
      ['DOWNLOADS', null],
      ['INCIDENTS', null],
    ]);
  });

  test('is 404 a second time, even during the first; the receipt stays available', async () => {
    const id = await stored();
    const before = erasures().length;
    const first = erasing(id, 60_000);
    await noted(before);
    expect(refusal(await erase(id))).toEqual([404, 'NOT_FOUND']);
    await world.fold();
    const { isComplete, data } = await first;
    expect(isComplete).toBe(true);
    expect(refusal(await erase(id))).toEqual([404, 'NOT_FOUND']);
    const { status, body } = await get(`/evidence/retention/erasures/${id}`);
    expect([status, body.data]).toEqual([200, data]);
  });

  test('happens once for concurrent requests', async () => {
    const id = await stored();
    const before = erasures().length;
    const answers = Promise.all(Array.from({ length: 8 }, () => erase(id)));
    await noted(before);
    await world.fold();
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(7);
    expect(erasures()).toHaveLength(before + 1);
  });

  test('is 202 until it is folded, and its record says PENDING and then ERASED', async () => {
    const id = await stored();
    const { isComplete, data } = await erasing(id, 0);
    expect([isComplete, data]).toMatchObject([false, { deleted: false, status: 'PENDING', receipt: null }]);
    const pending = await get(`/evidence/retention/erasures/${id}`);
    expect([pending.status, pending.body.data]).toEqual([200, data]);
    await world.fold();
    const done = (await get(`/evidence/retention/erasures/${id}`)).body.data;
    expect(done).toMatchObject({ deleted: true, status: 'ERASED', erasedAt: data.erasedAt });
    expect(done.receipt.leaf.id).toBe(`signal:${id}`);
  });
});

describe('an erasure is refused', () => {
  test('for an audit that has not ended', async () => {
    const id = await world.accept(1);
    expect(refusal(await erase(id))).toEqual([409, 'AUDIT_IN_FLIGHT']);
    await world.fold();
    expect(refusal(await erase(id))).toEqual([409, 'AUDIT_IN_FLIGHT']);
  });

  test('for an id that is unknown, invalid, or another customer’s', async () => {
    const id = await stored();
    await world.newCustomer();
    for (const unknown of [id, '01993d5a-7c00-7000-8000-0000000000ff', 'x', 'constructor']) {
      expect(refusal(await erase(unknown))).toEqual([404, 'NOT_FOUND']);
      expect(refusal(await get(`/evidence/retention/erasures/${unknown}`))).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('for an invalid reason', async () => {
    const id = await stored();
    for (const reason of ['CUSTOMER_REQUEST', 'x', ''])
      expect(refusal(await erase(id, `?reason=${reason}`))).toEqual([400, 'INVALID_REQUEST']);
  });

  test('for a signal with an open incident, unless a data subject asked; the incident continues', async () => {
    const id = await stored();
    const { body } = await send('POST', '/evidence/incidents', { signalId: id });
    const incident = `/evidence/incidents/${body.data.id}`;
    expect(refusal(await erase(id))).toEqual([409, 'INCIDENT_OPEN']);
    expect((await erased(id, '?reason=DATA_SUBJECT_REQUEST')).body.data).toMatchObject({
      deleted: true,
      reason: 'DATA_SUBJECT_REQUEST',
    });
    expect((await get(incident)).body.data).toMatchObject({ signalId: id, status: 'OPEN' });
  });

  test('for a signal whose incident was opened first, whatever happened in between', async () => {
    const id = await stored();
    const { documents } = world.harness.state;
    const { dependencies } = world.harness;
    const opensFirst: typeof documents.write = async (scope, writes, claims) => {
      if (writes[0]?.collection === SIGNAL_ERASURES)
        await send('POST', '/evidence/incidents', { signalId: id });
      return documents.write(scope, writes, claims);
    };
    const state = { ...dependencies.state, documents: { ...documents, write: opensFirst } };
    const racing = erasing(id, 0, { state });
    await expect(racing).rejects.toMatchObject({ code: 'INCIDENT_OPEN' });
    expect(await openIncidentOf(documents, world.customer.id, id)).not.toBeNull();
    expect(await documents.ids(world.customer.id, SIGNAL_ERASURES)).toEqual([]);
  });
});

test('erasures in progress are limited, and finished ones make room', async () => {
  const { documents } = world.harness.state;
  const note = (id: string, at: number) => ({
    collection: SIGNAL_ERASURES,
    id,
    value: { at: new Date(at).toISOString(), reason: 'CUSTOMER_REQUEST' },
  });
  const done = await stored();
  await erased(done);
  const id = await stored();
  const now = world.harness.dependencies.now();
  const others = Array.from({ length: MAX_OPEN_ERASURES - 1 }, (_, n) =>
    note(`other-${n}`, now - 86_400_000),
  );
  await documents.write(world.customer.id, others);
  const refused = await erase(id);
  expect([...refusal(refused), refused.headers['retry-after']]).toEqual([429, 'ERASURES_UNDER_WAY', '60']);
  await documents.write(world.customer.id, [note(done, now - 3_600_000)]);
  expect((await erased(id)).status).toBe(200);
  expect(await documents.ids(world.customer.id, SIGNAL_ERASURES)).toHaveLength(MAX_OPEN_ERASURES);
});

test('an erasure is carried out even if its process dies after the write', async () => {
  const id = await stored();
  const dying = erasing(id, 60_000, {
    announce: () => undefined,
    probe: (point) => {
      if (point === 'api.erasure-noted') throw new Error('the process dies here');
    },
  });
  await expect(dying).rejects.toThrow('the process dies here');
  const ref = { scope: world.customer.id, collection: SIGNAL_ERASURES, id };
  // As the sweeper does.
  await flushOutbox({ documents: world.harness.state.documents, log: world.harness.log }, ref);
  await world.fold();
  expect((await get(`/evidence/retention/erasures/${id}`)).body.data).toMatchObject({ status: 'ERASED' });
});

describe('a failed audit', () => {
  test('is erased without a separate entry, and never replayed', async () => {
    const id = await failed();
    const answer = await erased(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data.remains[0]).toMatchObject({ in: 'DEAD_LETTERS', days: 14 });
    const audit = (await get(`/audits/${id}`)).body;
    expect(audit).toMatchObject({
      erased: true,
      status: 'FAILED',
      failureCode: 'ANALYSIS_FAILED',
      attempts: 1,
      provider: null,
      model: null,
    });
    expect(refusal(await erase(id))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await send('POST', `/dead-letters/${id}/replay`))).toEqual([404, 'NOT_FOUND']);
    expect((await get('/dead-letters')).body.data).toEqual([]);
    expect((await get('/evidence/hash-chain/verify')).body.data).toMatchObject({ status: 'VALID' });
    expect(await world.reconciliation()).toMatchObject({ erased: 1, deadLettered: 0, balanced: true });
  });

  test('is not replayed during its erasure', async () => {
    const id = await failed();
    const sent = world.harness.log.of(TRIPLETS.name).length;
    expect((await erasing(id, 0)).isComplete).toBe(false);
    // Also after the claim of the erasure has expired.
    world.harness.skew += 3_600_001;
    const { body } = await send('POST', `/dead-letters/${id}/replay`);
    expect(body.data).toMatchObject({ replayed: 0, skipped: [{ auditId: id, reason: 'ERASED' }] });
    expect(world.harness.log.of(TRIPLETS.name)).toHaveLength(sent);
    await world.fold();
    expect((await get(`/audits/${id}`)).body).toMatchObject({ erased: true });
  });

  test('is in flight while it is being replayed', async () => {
    const id = await failed();
    expect((await send('POST', `/dead-letters/${id}/replay`)).body.data.replayed).toBe(1);
    expect(refusal(await erase(id))).toEqual([409, 'AUDIT_IN_FLIGHT']);
  });
});
