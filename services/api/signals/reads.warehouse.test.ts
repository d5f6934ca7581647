import {
  blanked,
  type StoredRows,
  sampleCore,
  sampleDraft,
  sampleErasure,
  storedRows,
} from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { getAudit } from '#schemas/api/audits.ts';
import type { Signal } from '#schemas/api/signals.ts';
import {
  AUDITS,
  type AuditRow,
  ENTRIES,
  LEDGER,
  POSITIONS,
  SIGNALS,
  type SignalRow,
} from '#schemas/tables/tables.ts';
import { LEDGER as LEDGER_TOPIC, TRIPLETS } from '#schemas/topics.ts';
import { storeDerived } from '../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../testing/stored-world.ts';

let world: StoredWorld;
let real: StoredWorld['real'];
let harness: StoredWorld['harness'];
let customer: StoredWorld['customer'];
let sandboxId: string;

beforeAll(async () => {
  world = await startStoredWorld();
  ({ real, harness, customer, sandboxId } = world);
}, 60_000);
afterAll(() => world.close());
beforeEach(() => real.clear());

const get = (url: string, headers = customer.headers) => harness.call({ url, headers });

interface Change {
  readonly riskLevel?: string;
  readonly provider?: string;
  readonly violations?: string[];
  readonly sandboxId?: string;
  readonly createdAt?: string;
}

/** Stores a chain of signals of the customer, one per change. */
async function storeSignals(changes: readonly Change[], owner = customer.id): Promise<StoredRows> {
  const rows = storedRows(
    changes.map((change, index) => {
      const core = { ...sampleCore(index), sandboxId, sandboxSlug: 'support-chat', ...change };
      const draft = sampleDraft(index, 'SIGNAL', { ...core, createdAt: sampleCore(index).createdAt });
      return { ...draft, customerId: owner };
    }),
  );
  await real.insert(SIGNALS, rows.signals);
  await real.insert(LEDGER, rows.ledger);
  return rows;
}

describe('the list of signals', () => {
  const ids = (answer: { body: { signals: { auditId: string }[] } }) =>
    answer.body.signals.map(({ auditId }) => auditId);

  test('is newest first, in both envelopes, with the name of the sandbox', async () => {
    const rows = await storeSignals([{}, {}, {}]);
    const answer = await get('/dashboard/signals');
    expect(answer.status).toBe(200);
    expect(answer.body.signals).toEqual(answer.body.data);
    expect(ids(answer)).toEqual(rows.signals.map(({ auditId }) => auditId).reverse());
    expect(answer.body.pagination).toEqual({ page: 1, limit: 20, total: 3, pages: 1, nextCursor: null });
    expect(answer.body.signals[0]).toMatchObject({
      sandbox: { slug: 'support-chat', name: 'Support' },
      index: 2,
      hash: rows.ledger[2]!.hash,
      reasoning: 'masked j***@x.org in "2"\n',
      createdAt: rows.signals[2]!.createdAt,
    });
  });

  test('filters combine with AND; both spellings of a slug match; an unknown one is an empty list', async () => {
    const rows = await storeSignals([
      { riskLevel: 'LOW' },
      { riskLevel: 'HIGH', provider: 'gemini' },
      { riskLevel: 'HIGH', violations: ['SSN'] },
      { riskLevel: 'HIGH', sandboxId: 'another' },
    ]);
    const [first, second, third, fourth] = rows.signals.map(({ auditId }) => auditId);
    const found = async (query: string) => ids(await get(`/dashboard/signals?${query}`));
    expect(await found('riskLevel=HIGH')).toEqual([fourth, third, second]);
    expect(await found('riskLevel=HIGH&provider=gemini')).toEqual([second]);
    expect(await found('violation=SSN')).toEqual([third]);
    expect(await found('riskLevel=HIGH&sandboxSlug=support_chat')).toEqual([third, second]);
    expect(await found('sandboxSlug=unknown')).toEqual([]);
    const at = rows.signals[1]!.createdAt;
    expect(await found(`from=${at}&to=${at}`)).toEqual([second]);
    expect(await found(`startDate=${at}`)).toEqual([fourth, third, second]);
    expect(await found('from=2026-01-01&to=2026-01-01')).toEqual([fourth, third, second, first]);
    expect(await found('to=2025-12-31')).toEqual([]);
  });

  test('pages and cursors show every signal once; a limit above 100 is lowered', async () => {
    await storeSignals(Array.from({ length: 7 }, () => ({})));
    const all = ids(await get('/dashboard/signals'));
    const second = await get('/dashboard/signals?page=2&limit=3');
    expect(ids(second)).toEqual(all.slice(3, 6));
    const seen: string[] = [];
    let url: string | null = '/dashboard/signals?limit=3';
    while (url !== null) {
      const answer: Awaited<ReturnType<typeof get>> = await get(url);
      seen.push(...ids(answer));
      const { page, pages, total, nextCursor } = answer.body.pagination;
      expect([page, pages, total]).toEqual([Math.ceil(seen.length / 3), 3, 7]);
      url = nextCursor === null ? null : `/dashboard/signals?limit=3&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(all);
    expect((await get('/dashboard/signals?limit=1000')).body.pagination.limit).toBe(100);
  });

  test('contains no signal of another customer, even with its cursor or sandbox', async () => {
    const rows = await storeSignals([{}, {}]);
    const other = await harness.customer();
    expect(ids(await get('/dashboard/signals', other.headers))).toEqual([]);
    const mine = await get('/dashboard/signals?limit=1');
    const { nextCursor } = mine.body.pagination;
    expect(ids(await get(`/dashboard/signals?cursor=${nextCursor}`, other.headers))).toEqual([]);
    expect(ids(await get('/dashboard/signals?sandboxSlug=support-chat', other.headers))).toEqual([]);
    const foreign = await get(`/dashboard/signals/${rows.signals[0]!.auditId}`, other.headers);
    const unknown = await get('/dashboard/signals/01930000-0000-7000-8000-000000000000', other.headers);
    expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([
      unknown.status,
      { ...unknown.body, requestId: '' },
    ]);
  });

  test('shows one row after a repeated insert, none when erased, and a blank one when anonymized', async () => {
    const rows = await storeSignals([{}, {}, {}]);
    const [kept, erased, anonymized] = rows.signals as [SignalRow, SignalRow, SignalRow];
    await real.insert(SIGNALS, [kept, blanked(erased, 'ALL', 5), blanked(anonymized, 'DETAIL', 6)]);
    expect(ids(await get('/dashboard/signals'))).toEqual([anonymized.auditId, kept.auditId]);
    expect((await get(`/dashboard/signals/${erased.auditId}`)).status).toBe(404);
    const blank = await get(`/dashboard/signals/${anonymized.auditId}`);
    expect(blank.body).toMatchObject({ reasoning: null, detections: [], anonymized: true });
    expect(blank.body.data.auditId).toBe(anonymized.auditId);
    expect((await get(`/dashboard/signals/${kept.auditId}`)).body.anonymized).toBeUndefined();
  });
});

test('a signal of version 4 is served with a confidence for each detection, an older one without', async () => {
  const { signals } = await storeSignals([{}, {}, {}]);
  const [older, newer, anonymized] = signals as [SignalRow, SignalRow, SignalRow];
  const confidences = [0.9, 0.30000000000000004];
  const fourth = { v: 4, confidences, fingerprint: null };
  await real.clear();
  await real.insert(SIGNALS, [
    older,
    { ...newer, ...fourth },
    { ...blanked(anonymized, 'DETAIL', 5), ...fourth },
  ]);
  const of = async ({ auditId }: SignalRow) => (await get(`/dashboard/signals/${auditId}`)).body;
  expect(await of(older)).not.toHaveProperty('confidences');
  const served = await of(newer);
  expect(served.confidences).toEqual(confidences);
  expect(served.detections).toHaveLength(confidences.length);
  expect(await of(anonymized)).toMatchObject({ anonymized: true, detections: [], confidences: [] });
  const list = await get('/dashboard/signals');
  expect(list.body.signals.map((signal: Signal) => signal.confidences)).toEqual([[], confidences, undefined]);
});

const auditRow = (auditId: string, change: Partial<AuditRow> = {}): AuditRow => ({
  customerId: customer.id,
  acceptedAt: '2026-11-01T10:00:00.000Z',
  auditId,
  rank: 1,
  version: '9007199254740995',
  sandboxId,
  sandboxSlug: 'support-chat',
  provider: 'openai',
  model: 'm',
  source: 'INGEST',
  status: 'QUEUED',
  generation: 0,
  attempts: 0,
  riskLevel: null,
  violations: [],
  failureCode: null,
  completedAt: null,
  durationMs: null,
  steps: '[{"name":"ACCEPTED","at":"2026-11-01T10:00:00.000Z"}]',
  erased: false,
  topic: TRIPLETS.name,
  epoch: 1,
  partition: 0,
  offset: 0,
  ...change,
});
const completed = (auditId: string): AuditRow =>
  auditRow(auditId, {
    version: '9007199254740996',
    status: 'COMPLETED',
    attempts: 1,
    riskLevel: 'LOW',
    completedAt: '2026-11-01T10:00:01.000Z',
    durationMs: 3.5,
  });

describe('one audit', () => {
  const idAt = (at: number) => harness.dependencies.newId(at);

  test('is read from the list; the newest row wins; absent fields are left out', async () => {
    const auditId = idAt(Date.parse('2026-11-01T10:00:00.000Z'));
    await real.insert(AUDITS, [auditRow(auditId)]);
    const queued = await get(`/audits/${auditId}`);
    expect(queued.body).toMatchObject({ status: 'QUEUED', attempts: 0, steps: [{ name: 'ACCEPTED' }] });
    expect(queued.body.riskLevel).toBeUndefined();
    await real.insert(AUDITS, [completed(auditId)]);
    const done = await get(`/audits/${auditId}?wait=5`);
    expect(done.body).toMatchObject({ status: 'COMPLETED', riskLevel: 'LOW', durationMs: 3.5 });
    const failed = idAt(harness.dependencies.now());
    await real.insert(AUDITS, [auditRow(failed, { status: 'FAILED', failureCode: 'LOST', erased: true })]);
    expect((await get(`/audits/${failed}`)).body).toMatchObject({ failureCode: 'LOST', erased: true });
  });

  test('waits at most 30 s, whatever is requested', () => {
    expect(getAudit.query.parse({ wait: '86400' })).toEqual({ wait: 30 });
  });

  test('waits until it is final', async () => {
    const auditId = idAt(harness.dependencies.now());
    await real.insert(AUDITS, [auditRow(auditId)]);
    const held = get(`/audits/${auditId}?wait=20`);
    await real.insert(AUDITS, [completed(auditId)]);
    expect((await held).body.status).toBe('COMPLETED');
  });

  test('is answered unfinished when the time is up', async () => {
    const auditId = idAt(harness.dependencies.now());
    await real.insert(AUDITS, [auditRow(auditId)]);
    expect((await get(`/audits/${auditId}?wait=1`)).body.status).toBe('QUEUED');
  });

  test('is unknown to other customers', async () => {
    const other = await harness.customer();
    const auditId = idAt(harness.dependencies.now());
    await real.insert(AUDITS, [auditRow(auditId)]);
    expect((await get(`/audits/${auditId}`, other.headers)).status).toBe(404);
  });

  test('is 404 if unknown, and 503 only while the list lags more than an hour', async () => {
    const accepted = await harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers: customer.headers,
      payload: { sandboxSlug: 'support-chat', provider: 'o', model: 'm', prompt: 'p', response: '' },
    });
    expect(accepted.status).toBe(202);
    const older = idAt(harness.dependencies.now() - 10_000);
    const newer = idAt(harness.dependencies.now() + 1_000);
    expect((await get(`/audits/${newer}`)).status).toBe(404);
    harness.skew += 2 * 3_600_000;
    const missed = await get(`/audits/${newer}`);
    expect([missed.status, missed.headers['retry-after']]).toEqual([503, '1']);
    expect((await get(`/audits/${older}`)).status).toBe(404);
    const { partition, offset } = accepted.body.data.receipt;
    await real.insert(POSITIONS, [
      {
        epoch: 1,
        topic: TRIPLETS.name,
        partition,
        nextOffset: offset + 1,
        lastDigest: '',
        lastAt: '2026-11-01T10:00:00.000Z',
      },
    ]);
    expect((await get(`/audits/${newer}`)).status).toBe(404);
  });
});

describe('verification of the chain', () => {
  const verify = async () => (await get('/evidence/hash-chain/verify')).body.data;

  test('accepts an empty ledger', async () => {
    expect(await verify()).toMatchObject({ valid: true, status: 'EMPTY', treeSize: 0, checkedEntries: 0 });
  });

  test('is valid over many chunks, and a repeated insert changes nothing', async () => {
    const rows = await storeSignals(Array.from({ length: 2_100 }, () => ({})));
    await real.insert(LEDGER, rows.ledger.slice(10, 20));
    await real.insert(SIGNALS, rows.signals.slice(995, 1_005));
    expect(await verify()).toMatchObject({
      valid: true,
      status: 'VALID',
      treeSize: 2_100,
      checkedEntries: 2_100,
      verifiedFrom: 0,
      verifiedTo: 2_099,
      chainHead: rows.ledger.at(-1)!.hash,
      brokenAt: null,
      errors: [],
    });
  });

  test.each([
    ['an edited column', "ALTER TABLE signals UPDATE riskLevel = 'LOW' WHERE `index` = 2", 2, 'MODIFIED'],
    ['an edited text', "ALTER TABLE signals UPDATE reasoning = 'x' WHERE `index` = 1", 1, 'MODIFIED'],
    ['deleted content', 'ALTER TABLE signals DELETE WHERE `index` = 1', 1, 'MISSING'],
    ['a deleted entry', 'ALTER TABLE ledger DELETE WHERE `index` = 1', 1, 'MISSING'],
    ['an edited hash', "ALTER TABLE ledger UPDATE hash = repeat('0', 64) WHERE `index` = 1", 1, 'MODIFIED'],
  ])('finds %s', async (_name, statement, index, reason) => {
    await storeSignals([{}, {}, {}, {}]);
    await real.warehouse.command(`${statement} SETTINGS mutations_sync = 2`);
    const found = await verify();
    expect(found).toMatchObject({ valid: false, status: 'INVALID', brokenAt: { index, reason } });
  });

  const cutOffTheLast = async (): Promise<void> => {
    for (const table of ['ledger', 'signals'])
      await real.warehouse.command(
        `ALTER TABLE ${table} DELETE WHERE \`index\` = 3 SETTINGS mutations_sync = 2`,
      );
  };

  test('cannot detect a chain whose end was cut off before anything was signed', async () => {
    await storeSignals([{}, {}, {}, {}]);
    await cutOffTheLast();
    const found = await verify();
    expect(found).toMatchObject({ valid: true, status: 'VALID', treeSize: 3 });
    expect(found.notCovered.slice(0, 2)).toEqual([
      expect.stringMatching(/^Entries truncated from the end of the chain/),
      expect.stringMatching(/^A chain recomputed from/),
    ]);
  });

  test('finds content without an entry, except content being folded', async () => {
    const rows = await storeSignals([{}, {}]);
    await storeDerived({ real }, rows);
    const next = {
      ...rows.signals[1]!,
      index: 2,
      offset: 20,
      auditId: harness.dependencies.newId(harness.dependencies.now()),
    };
    await real.insert(SIGNALS, [next]);
    expect(await verify()).toMatchObject({ valid: true, treeSize: 2 });
    const partition = partitionOf(customer.id, LEDGER_TOPIC.partitions);
    const position = {
      epoch: 1,
      topic: LEDGER_TOPIC.name,
      partition,
      lastDigest: '',
      lastAt: next.acceptedAt,
    };
    await real.insert(POSITIONS, [{ ...position, nextOffset: 21 }]);
    expect(await verify()).toMatchObject({ valid: false, brokenAt: { index: 2, reason: 'EXTRA' } });
  });

  test('accepts only blank rows that an ERASURE explains', async () => {
    const drafts = [
      sampleDraft(0, 'SIGNAL', { ...sampleCore(0), sandboxId }),
      sampleDraft(1, 'SIGNAL', { ...sampleCore(1), sandboxId }),
      sampleDraft(2, 'ERASURE', sampleErasure()),
    ].map((draft) => ({ ...draft, customerId: customer.id }));
    const rows = storedRows(drafts);
    await real.insert(ENTRIES, rows.entries);
    await real.insert(SIGNALS, [blanked(rows.signals[0]!, 'ALL', 2), rows.signals[1]!]);
    await real.insert(LEDGER, rows.ledger);
    expect(await verify()).toMatchObject({ valid: true, erasedSignals: 1, checkedEntries: 3 });
    await real.insert(SIGNALS, [blanked(rows.signals[1]!, 'ALL', 2)]);
    expect(await verify()).toMatchObject({ valid: false, brokenAt: { index: 1 } });
  });
});
