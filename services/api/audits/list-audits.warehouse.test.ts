import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { AUDITS, type AuditRow } from '#schemas/tables/tables.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { type Answered, startHarness } from '../testing/harness.ts';
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
const ids = (answer: Answered): string[] => answer.body.audits.map(({ id }: { id: string }) => id);
const found = async (query: string): Promise<string[]> => ids(await get(`/audits?${query}`));

/** Minutes after 2026-11-01T10:00. */
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 1, 10, minute)).toISOString();
const idAt = (minute: number): string => harness.dependencies.newId(Date.parse(at(minute)));

const queued = (minute: number, change: Partial<AuditRow> = {}): AuditRow => ({
  customerId: customer.id,
  acceptedAt: at(minute),
  auditId: idAt(minute),
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
  steps: `[{"name":"ACCEPTED","at":"${at(minute)}"}]`,
  erased: false,
  topic: TRIPLETS.name,
  epoch: 1,
  partition: 0,
  offset: 0,
  ...change,
});
const completed = (row: AuditRow, change: Partial<AuditRow> = {}): AuditRow => ({
  ...row,
  version: '9007199254740997',
  rank: 1_000_000,
  status: 'COMPLETED',
  attempts: 1,
  riskLevel: 'LOW',
  completedAt: row.acceptedAt,
  durationMs: 3.5,
  ...change,
});
/** Stores each batch in a separate insert, in the given order, as the sink may deliver them. */
async function store(...inserts: readonly (readonly AuditRow[])[]): Promise<void> {
  for (const rows of inserts) await real.insert(AUDITS, rows);
}

describe('the list of audits', () => {
  test('is newest first, in its envelope, without steps and unknown fields', async () => {
    const rows = [queued(1), queued(2), queued(3)] as [AuditRow, AuditRow, AuditRow];
    const failed = queued(4, { status: 'FAILED', failureCode: 'LOST', completedAt: at(5), version: '9' });
    await store([...rows, failed], [completed(rows[1], { violations: ['EMAIL'], riskLevel: 'HIGH' })]);
    const answer = await get('/audits');
    expect(answer.status).toBe(200);
    const { audits, pagination, ...counts } = answer.body;
    expect(counts).toEqual({ total: 4, page: 1, limit: 20 });
    expect(pagination).toEqual({ page: 1, limit: 20, total: 4, pages: 1, nextCursor: null });
    expect(ids(answer)).toEqual([failed, ...rows.toReversed()].map(({ auditId }) => auditId));
    expect(audits.slice(0, 3)).toEqual([
      {
        id: failed.auditId,
        auditId: failed.auditId,
        sandboxSlug: 'support-chat',
        provider: 'openai',
        model: 'm',
        source: 'INGEST',
        status: 'FAILED',
        attempts: 0,
        violations: [],
        failureCode: 'LOST',
        createdAt: at(4),
        completedAt: at(5),
      },
      expect.objectContaining({ status: 'QUEUED' }),
      expect.objectContaining({
        status: 'COMPLETED',
        attempts: 1,
        riskLevel: 'HIGH',
        violations: ['EMAIL'],
        createdAt: at(2),
        durationMs: 3.5,
      }),
    ]);
  });

  test('is empty without audits', async () => {
    expect((await get('/audits')).body).toMatchObject({ audits: [], total: 0, page: 1, limit: 20 });
    expect((await get('/audits?page=3')).body).toMatchObject({ audits: [], total: 0, page: 3 });
  });

  test('shows and filters by the winning row, whatever the order of inserts', async () => {
    const rows = [queued(1), queued(2)] as [AuditRow, AuditRow];
    const done = rows.map((row) => completed(row, { riskLevel: 'HIGH' }));
    await store(rows.slice(0, 1), done, rows, rows);
    expect(await found('status=QUEUED')).toEqual([]);
    expect((await get('/audits?status=QUEUED')).body.total).toBe(0);
    expect(await found('status=COMPLETED&riskLevel=HIGH')).toEqual([rows[1].auditId, rows[0].auditId]);
    const erased = completed(rows[1], {
      version: '9007199254740999',
      rank: 1_000_001,
      provider: null,
      model: null,
      riskLevel: null,
      erased: true,
    });
    await store([erased]);
    expect(await found('provider=openai')).toEqual([rows[0].auditId]);
    expect(await found('riskLevel=HIGH')).toEqual([rows[0].auditId]);
    const all = await get('/audits');
    expect(all.body.audits[0]).toMatchObject({ erased: true, provider: null, model: null, violations: [] });
  });

  test('filters combine with AND; both spellings of a slug match; an unknown one is an empty list', async () => {
    const [a, b, c, d] = [
      queued(1),
      queued(2, { provider: 'gemini' }),
      queued(3, { model: 'other', source: 'INTERNAL' }),
      queued(4, { sandboxId: 'another' }),
    ] as [AuditRow, AuditRow, AuditRow, AuditRow];
    await store([a, b, c, d], [completed(c)]);
    expect(await found('provider=openai')).toEqual([d.auditId, c.auditId, a.auditId]);
    expect(await found('provider=openai&sandboxSlug=support_chat')).toEqual([c.auditId, a.auditId]);
    expect(await found('model=other')).toEqual([c.auditId]);
    expect(await found('status=QUEUED&provider=gemini')).toEqual([b.auditId]);
    expect(await found('riskLevel=LOW')).toEqual([c.auditId]);
    expect(await found('riskLevel=CRITICAL,LOW')).toEqual([c.auditId]);
    expect(await found('riskLevel=CRITICAL,HIGH')).toEqual([]);
    expect(await found('sandboxSlug=unknown')).toEqual([]);
    expect(await found('model=unknown')).toEqual([]);
    expect(await found(`from=${at(2)}&to=${at(3)}`)).toEqual([c.auditId, b.auditId]);
    expect(await found(`startDate=${at(4)}`)).toEqual([d.auditId]);
    expect(await found('from=2026-11-01&to=2026-11-01')).toHaveLength(4);
    expect(await found('to=2026-10-31')).toEqual([]);
  });

  test.each([
    'status=DONE',
    'riskLevel=low',
    'riskLevel=LOW,',
    'riskLevel=LOW,LOW,LOW,LOW,LOW',
    'from=tomorrow',
    'from=2026-02-01&to=2026-01-01',
    'page=0',
  ])('%s is refused', async (query) => {
    const answer = await get(`/audits?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  test('pages and cursors show every audit once, including simultaneous ones', async () => {
    const rows = [1, 2, 2, 2, 2, 3, 4].map((minute) => queued(minute));
    await store(
      rows,
      rows.slice(0, 5).map((row) => completed(row)),
    );
    const all = await found('');
    const byTimeAndId = rows.toSorted((x, y) =>
      x.acceptedAt + x.auditId < y.acceptedAt + y.auditId ? 1 : -1,
    );
    expect(all).toEqual(byTimeAndId.map(({ auditId }) => auditId));
    expect(await found('page=2&limit=3')).toEqual(all.slice(3, 6));
    expect(await found('page=4&limit=3')).toEqual([]);
    for (const filter of ['', '&status=COMPLETED']) {
      const wanted = await found(filter);
      const seen: string[] = [];
      let url: string | null = `/audits?limit=2${filter}`;
      while (url !== null) {
        const answer: Answered = await get(url);
        seen.push(...ids(answer));
        const { page, total, nextCursor } = answer.body.pagination;
        expect([page, total]).toEqual([Math.ceil(seen.length / 2), wanted.length]);
        url = nextCursor === null ? null : `/audits?limit=2${filter}&cursor=${nextCursor}`;
      }
      expect(seen).toEqual(wanted);
    }
  });

  test('is complete although audits leave the filter between its two reads', async () => {
    const rows = [1, 2, 3, 4, 5].map((minute) => queued(minute));
    await store(rows);
    const { query } = real.warehouse;
    let reads = 0;
    const changing: typeof query = async (...sent) => {
      reads += 1;
      if (reads === 2) await store(rows.slice(3).map((row) => completed(row)));
      return query(...sent);
    };
    const other = await startHarness({
      warehouse: { ...real.warehouse, query: changing },
      wrapState: () => harness.state,
    });
    const answer = await other.call({ url: '/audits?status=QUEUED&limit=2', headers: customer.headers });
    await other.app.close();
    expect(ids(answer)).toEqual([rows[2]!.auditId, rows[1]!.auditId]);
    expect(answer.body.pagination.nextCursor).not.toBeNull();
  });

  test('contains no audit of another customer, even with its cursor or sandbox', async () => {
    await store([queued(1), queued(2)]);
    const other = await harness.customer();
    expect(ids(await get('/audits', other.headers))).toEqual([]);
    const { nextCursor } = (await get('/audits?limit=1')).body.pagination;
    expect(ids(await get(`/audits?cursor=${nextCursor}`, other.headers))).toEqual([]);
    expect(ids(await get('/audits?sandboxSlug=support-chat', other.headers))).toEqual([]);
  });
});
