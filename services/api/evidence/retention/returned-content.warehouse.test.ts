import { afterAll, beforeAll, beforeEach, expect, test } from '#jest';
import { flushOutbox } from '#platform/outbox/flush.ts';
import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { scrubErased } from '#services/sink/jobs/scrub.ts';
import { eventually } from '../../../../test/helpers/eventually.ts';
import type { Answered } from '../../testing/harness.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';
import { backups, blankWhatReturned } from '../../testing/returned-rows.ts';
import { logEndOf, passesHere } from '../chain/passes.ts';
import { scrubSlice } from '../chain/scrub-ledgers.ts';
import { runPackageRound } from '../packages/package-rounds.ts';

let world: ReconciliationWorld;
beforeAll(async () => {
  world = await startReconciliationWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.fold();
  await world.newCustomer();
});

const send = (method: 'GET' | 'DELETE', url: string): Promise<Answered> =>
  world.harness.call({ method, url, headers: world.customer.headers });
const get = (url: string) => send('GET', url);
const erase = (id: string) => send('DELETE', `/evidence/retention/signals/${id}`);
const ledgered = () =>
  world.harness.log.of(LEDGER.name).filter(({ key }) => key === world.customer.id).length;

async function allStored(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await world.accept(ids.length));
  await world.analyse();
  await world.fold();
  return ids;
}
const stored = async (): Promise<string> => (await allStored(1))[0]!;

async function failed(): Promise<string> {
  const id = await world.accept(7);
  const sent = world.harness.log.of(TRIPLETS.name).find(({ key }) => key === id)!;
  const headers = { ...sent.headers, attempt: '2', 'x-failure-code': 'ANALYSIS_FAILED' };
  await world.harness.log.append([{ ...sent, topic: DEAD_LETTERS.name, headers }]);
  await world.fold();
  return id;
}

/** Erases and folds these; returns what the tables held before. */
async function erased(...ids: readonly string[]) {
  const before = await backups(world);
  const entries = ledgered() + ids.length;
  const answers = Promise.all(ids.map(erase));
  await eventually('the entries are in the log', 30_000, async () =>
    ledgered() >= entries ? true : undefined,
  );
  await world.fold();
  for (const { status } of await answers) expect([200, 202]).toContain(status);
  return { ...before, after: await backups(world) };
}

type Backup = Awaited<ReturnType<typeof erased>>;
const isOf =
  (id: string) =>
  (row: Readonly<Record<string, unknown>>): boolean =>
    row.auditId === id;
const isBlank = (id: string) => `auditId = '${id}' AND erased != ''`;

/** Ways in which the content of an erased signal is served again. The first merges rows, so it comes first. */
const RETURNS: Readonly<Record<string, (id: string, backup: Backup) => Promise<void>>> = {
  'a row of the same revision was stored after the blank one': async (id, { signals, after }) => {
    const blank = after.signals.rows.find((row) => row.auditId === id && row.erased !== '');
    await signals.restore(isOf(id), { revision: blank!.revision });
    await world.real.warehouse.command('OPTIMIZE TABLE signals FINAL');
  },
  'its blank row was deleted': async (id, { signals }) => {
    await signals.restore(isOf(id));
    await world.deleteRows('signals', isBlank(id));
  },
  'its first row was brought back, and its blank one is gone': async (id, { signals }) => {
    await world.deleteRows('signals', isBlank(id));
    await signals.restore(isOf(id));
  },
  'a row of a higher revision was put above the blank one': async (id, { signals }) =>
    signals.restore(isOf(id), { revision: 1_000_000 }),
  'its first row was brought back at another time': async (id, { signals }) =>
    signals.restore(isOf(id), { createdAt: '2020-01-01T00:00:00.000Z' }),
  'its detail alone is back': async (id, { signals }) => {
    await world.deleteRows('signals', isBlank(id));
    await signals.restore(isOf(id), { erased: 'DETAIL', revision: 1 });
  },
  'its row in the audit list is back': async (id, { audits }) => {
    await world.deleteRows('audits', `auditId = '${id}' AND erased`);
    await audits.restore(isOf(id));
  },
  'a row of a higher version is in the audit list': async (id, { audits }) =>
    audits.restore(isOf(id), { rank: 2_000_000, version: String(2n ** 62n) }),
};

/** Whether any of its content can be read. */
async function isServed(id: string): Promise<boolean> {
  const listed = (await get('/dashboard/signals')).body.data as { auditId: string }[];
  const audit = (await get(`/audits/${id}`)).body;
  return (
    (await get(`/dashboard/signals/${id}`)).status !== 404 ||
    listed.some(({ auditId }) => auditId === id) ||
    audit.erased !== true ||
    audit.model !== null
  );
}

const verified = async () => (await get('/evidence/hash-chain/verify')).body.data;

/** The background verification of the customer's ledger. */
async function scrub(): Promise<readonly [object[], string[]]> {
  const { warehouse, log } = world.harness.dependencies;
  const { state } = world.harness;
  const cursor = { customerId: world.customer.id, index: 0, since: 0 };
  await state.documents.write(SYSTEM_SCOPE, [{ collection: 'verifications', id: 'scrub', value: cursor }]);
  const logged: object[] = [];
  const counted: string[] = [];
  const dependencies = {
    warehouse,
    state,
    passes: passesHere({ warehouse, logEnd: logEndOf(log) }),
    logger: { warn() {}, error: (fields: object) => void logged.push(fields) } as never,
    metrics: { ledgerFault: (reason: string) => void counted.push(reason) },
    now: Date.now,
    clock: () => performance.now(),
  };
  await scrubSlice(dependencies, new AbortController().signal);
  return [logged, counted];
}

/** One erased signal for each way, each served again. */
async function allReturned(): Promise<readonly (readonly [way: string, id: string])[]> {
  const ids = await allStored(Object.keys(RETURNS).length);
  const backup = await erased(...ids);
  const returned: [string, string][] = [];
  for (const [way, comeBack] of Object.entries(RETURNS)) {
    const id = ids[returned.length]!;
    expect([way, await isServed(id)]).toEqual([way, false]);
    await comeBack(id, backup);
    expect([way, await isServed(id)]).toEqual([way, true]);
    returned.push([way, id]);
  }
  return returned;
}

test('erased signals that are served again are faults until a scrub has them blanked; then the ledger is VALID', async () => {
  const other = await stored();
  const returned = await allReturned();
  const found = await verified();
  const faults = found.errors.map(({ id, reason }: { id: string; reason: string }) => `${id} ${reason}`);
  expect(faults.sort()).toEqual(returned.map(([, id]) => `${id} NOT_ERASED`).sort());
  const [logged, counted] = await scrub();
  expect(logged).toMatchObject([{ customerId: world.customer.id, reason: 'NOT_ERASED' }]);
  expect(counted).toContain('NOT_ERASED');
  expect(await verified()).toMatchObject({ status: 'INVALID' });
  const { errors, blanked } = await blankWhatReturned(world);
  expect(errors).toMatchObject([{ customerId: world.customer.id, entries: returned.length }]);
  expect(blanked).toBe(returned.length);
  for (const [way, id] of returned) expect([way, await isServed(id)]).toEqual([way, false]);
  expect(await verified()).toMatchObject({ status: 'VALID', erasedSignals: returned.length, errors: [] });
  expect((await get(`/dashboard/signals/${other}`)).status).toBe(200);
  expect(await blankWhatReturned(world)).toEqual({ errors: [], blanked: 0 });
}, 120_000);

test('DELETE blanks content that is served again, and answers with the receipt of its erasure', async () => {
  const returned = await allReturned();
  const entries = ledgered();
  const receiptOf = async (id: string) => (await get(`/evidence/retention/erasures/${id}`)).body.data;
  const answers = Promise.all(
    returned.map(async ([way, id]) => {
      const before = await receiptOf(id);
      const { status, body } = await erase(id);
      const { leaf } = before.receipt;
      return { way, status, body: body.data, expected: { signalId: id, erasedAt: before.erasedAt }, leaf };
    }),
  );
  let blanked = 0;
  await eventually('all are blanked', 60_000, async () => {
    blanked += (await blankWhatReturned(world)).blanked;
    return blanked >= returned.length ? true : undefined;
  });
  for (const { way, status, body, expected, leaf } of await answers) {
    expect([way, [200, 202].includes(status)]).toEqual([way, true]);
    expect([way, body]).toMatchObject([way, expected]);
    if (status === 200) expect([way, body]).toMatchObject([way, { deleted: true, receipt: { leaf } }]);
  }
  expect(ledgered()).toBe(entries);
  for (const [way, id] of returned) expect([way, await isServed(id)]).toEqual([way, false]);
  expect(await verified()).toMatchObject({ status: 'VALID' });
  for (const [way, id] of returned) expect([way, (await erase(id)).status]).toEqual([way, 404]);
}, 120_000);

test('the salts of an erased signal that is served again are not returned', async () => {
  const id = await stored();
  const { signals } = await erased(id);
  await world.deleteRows('signals', isBlank(id));
  await signals.restore(isOf(id));
  const proof = await get(`/evidence/hash-chain/proofs/inclusion?auditId=${id}`);
  expect(proof.body.data).toMatchObject({ coreSalt: null, detailSalt: null });
});

/** Erases parts of the customer's entries so far, like a retention policy that anonymizes. */
async function anonymized(): Promise<void> {
  const { dependencies, state, log } = world.harness;
  const kinds = ['SIGNAL', 'POLICY_EVENT'] as const;
  const entry = await entryMaker(dependencies)({
    ...{ kind: 'ERASURE', id: 'run:1', customerId: world.customer.id, at: new Date().toISOString() },
    core: {
      ...{ ranges: [[0, ledgered() - 1]], kinds: [...kinds], scope: 'DETAIL', reason: 'RETENTION' },
      ...{ basis: null, policyId: null, closing: false },
    },
    detail: { actor: 'platform' },
  });
  const ref = { scope: world.customer.id, collection: 'retentionRuns', id: 'run' };
  await state.documents.write(ref.scope, [{ ...ref, value: {}, entries: [entry] }]);
  await flushOutbox({ documents: state.documents, log }, ref);
  await world.fold();
}

test('a restored detail of signals and other entries is blanked, and the rest stays', async () => {
  const id = await stored();
  const own = (row: Readonly<Record<string, unknown>>): boolean => row.customerId === world.customer.id;
  const before = await backups(world);
  await anonymized();
  const after = await backups(world);
  const shown = (await get(`/dashboard/signals/${id}`)).body;
  expect(await verified()).toMatchObject({ status: 'VALID', erasedSignals: 1 });
  await before.signals.restore(own, { revision: 1_000_000 });
  await world.deleteRows('entries', `customerId = '${world.customer.id}' AND revision > 0`);
  await before.entries.restore(own);
  // The job that deletes hidden rows keeps blank rows below rows that are not blank.
  await scrubErased(world.real.warehouse);
  expect((await verified()).errors.map(({ reason }: { reason: string }) => reason)).toEqual([
    'NOT_ERASED',
    'NOT_ERASED',
  ]);
  await scrub();
  expect(await blankWhatReturned(world)).toMatchObject({ blanked: 2 });
  expect(await verified()).toMatchObject({ errors: [], status: 'VALID', erasedSignals: 1 });
  expect((await get(`/dashboard/signals/${id}`)).body).toEqual(shown);
  const again = await backups(world);
  for (const table of ['signals', 'entries'] as const) {
    // Copies of a row count as one.
    const blanks = (rows: typeof again): Set<string> =>
      new Set(
        rows[table].rows.filter((row) => own(row) && row.erased !== '').map((row) => JSON.stringify(row)),
      );
    expect(blanks(again)).toEqual(blanks(after));
  }
}, 60_000);

test('no package is made from restored content, and its failure says why', async () => {
  const id = await stored();
  const { signals } = await erased(id);
  const comeBack = async (): Promise<void> => {
    await world.deleteRows('signals', isBlank(id));
    await signals.restore(isOf(id));
  };
  await comeBack();
  const asked = { framework: 'GDPR', startDate: '2026-01-01', endDate: '2099-12-31' };
  const { headers } = world.customer;
  const request = { method: 'POST', url: '/evidence/packages', headers, payload: asked } as const;
  const made = async () => {
    const { body } = await world.harness.call(request);
    const { dependencies } = world.harness;
    await runPackageRound(
      {
        ...dependencies,
        packages: dependencies.packages!,
        verifyPage: '<!doctype html>\n<title>The page</title>\n',
        makeEntry: entryMaker(dependencies),
        stopping: new AbortController().signal,
      },
      world.customer.id,
    );
    return (await get(`/evidence/packages/${body.data.id}`)).body.data;
  };
  expect(await made()).toMatchObject({
    status: 'FAILED',
    failure: expect.stringContaining('Erased content has reappeared in storage (ledger index '),
  });
  await scrub();
  await blankWhatReturned(world);
  expect(await made()).toMatchObject({ status: 'READY', failure: null });
}, 60_000);

test('a failed audit is erased again if its row in the list is restored', async () => {
  const id = await failed();
  const { audits } = await erased(id);
  const shown = (await get(`/audits/${id}`)).body;
  await world.deleteRows('audits', `auditId = '${id}' AND erased`);
  await audits.restore(isOf(id));
  expect((await get(`/audits/${id}`)).body.model).toBe('gpt-5');
  expect(await verified()).toMatchObject({ status: 'INVALID', brokenAt: { reason: 'NOT_ERASED' } });
  await scrub();
  await blankWhatReturned(world);
  expect((await get(`/audits/${id}`)).body).toEqual(shown);
  expect(await verified()).toMatchObject({ status: 'VALID' });
}, 60_000);
