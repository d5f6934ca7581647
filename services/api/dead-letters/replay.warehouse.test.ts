import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '#jest';
import { LogUnavailable } from '#platform/event-log/port.ts';
import { AUDITS, type AuditRow, LOG_EPOCHS } from '#schemas/tables/tables.ts';
import { DEAD_LETTERS, TRIPLETS } from '#schemas/topics.ts';
import { EPOCH, failingPipeline } from '../testing/dead-letter.ts';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../testing/real-warehouse.ts';

let real: RealWarehouse;
let harness: Harness;
let customer: TestCustomer;
let pipeline: ReturnType<typeof failingPipeline>;
let crash = false;

beforeAll(async () => {
  real = await startRealWarehouse();
  harness = await startHarness({
    warehouse: real.warehouse,
    dependencies: {
      probe: () => {
        if (crash) throw new Error('the process dies here');
      },
    },
  });
  pipeline = failingPipeline(harness, real);
}, 60_000);
afterAll(async () => {
  await harness.close();
  await real.close();
});
beforeEach(async () => {
  await real.clear();
  await real.insert(LOG_EPOCHS, [{ epoch: EPOCH, setUp: 'tests', at: '2026-11-01T00:00:00.000Z' }]);
  harness.log.mode = 'takes';
  harness.skew = 0;
  crash = false;
  customer = await harness.customer();
  for (const slug of ['support-chat', 'other']) await pipeline.sandbox(customer.headers, slug);
});

const ingest = (count: number, slug = 'support-chat', headers = customer.headers): Promise<string[]> =>
  pipeline.ingest(headers, count, slug);
async function deadLetter(
  ...change: Parameters<typeof pipeline.fail> extends [unknown, ...infer C] ? C : never
) {
  const [auditId] = await ingest(1);
  const [row] = await pipeline.fail([auditId!], ...change);
  return { auditId: auditId!, row: row! };
}
const get = (url: string, headers = customer.headers) => harness.call({ url, headers });
const replay = (auditId: string, headers: Record<string, string> = customer.headers) =>
  harness.call({ method: 'POST', url: `/dead-letters/${auditId}/replay`, headers });
const replayAll = (payload: object, headers: Record<string, string> = customer.headers) =>
  harness.call({ method: 'POST', url: '/dead-letters/replay', headers, payload });
const replayed = (auditId: string) =>
  harness.log.of(TRIPLETS.name).filter((one) => one.key === auditId && one.headers.generation !== '0');
const outcome = (answer: {
  status: number;
  body: { matched: number; replayed: number; skipped: unknown };
}) => [answer.status, answer.body.matched, answer.body.replayed, answer.body.skipped];

describe('a replay', () => {
  test('appends the dead-lettered record with the same id and sealed bytes and the next generation', async () => {
    const { auditId } = await deadLetter();
    const answer = await replay(auditId);
    expect(outcome(answer)).toEqual([202, 1, 1, []]);
    const dead = harness.log.of(DEAD_LETTERS.name).at(-1)!;
    const [record, ...more] = replayed(auditId);
    expect(more).toEqual([]);
    expect(record!.value).toEqual(dead.value);
    expect(record!.headers).toMatchObject({
      auditId,
      customerId: customer.id,
      generation: '1',
      attempt: '2',
    });
    expect(Object.keys(record!.headers).filter((name) => name.startsWith('x-'))).toEqual([]);
    const names = (JSON.parse(record!.headers.steps!) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['ACCEPTED', 'ANALYZING', 'DEAD_LETTERED', 'RETRYING']);
  });

  test('is shown by the audit at once and later by the list; a repeat replays nothing', async () => {
    const { auditId, row } = await deadLetter();
    expect((await get(`/audits/${auditId}`)).body).toMatchObject({
      status: 'FAILED',
      failureCode: 'ANALYSIS_FAILED',
    });
    await replay(auditId);
    const queued = (await get(`/audits/${auditId}`)).body;
    expect(queued).toMatchObject({ status: 'QUEUED', attempts: 1 });
    expect(queued).not.toHaveProperty('failureCode');
    expect(queued).not.toHaveProperty('completedAt');
    const again = [202, 1, 0, [{ auditId, reason: 'ALREADY_REPLAYED' }]];
    expect(outcome(await replay(auditId))).toEqual(again);
    expect(outcome(await replayAll({ filter: {} }))).toEqual(again);

    await pipeline.list(TRIPLETS.name, auditId);
    const { status, steps } = (await get(`/audits/${auditId}`)).body;
    expect([status, steps]).toEqual(['QUEUED', queued.steps]);
    expect((await get('/dead-letters')).body.data).toEqual([]);
    expect(outcome(await replay(auditId))).toEqual(again);

    await real.insert(AUDITS, [pipeline.completed(row, 1)]);
    expect((await get(`/audits/${auditId}`)).body.status).toBe('COMPLETED');
    expect((await replay(auditId)).body.code).toBe('NOT_FOUND');
    expect(replayed(auditId)).toHaveLength(1);
  });

  test('can itself be replayed if it fails', async () => {
    const { auditId } = await deadLetter();
    await replay(auditId);
    await pipeline.fail([auditId], { code: 'UNDECODABLE' });
    expect((await get(`/audits/${auditId}`)).body).toMatchObject({ status: 'FAILED', attempts: 2 });
    expect(outcome(await replay(auditId))).toEqual([202, 1, 1, []]);
    expect(replayed(auditId).map(({ headers }) => headers.generation)).toEqual(['1', '2']);
  });

  test('requested many times at once appends one record', async () => {
    const { auditId } = await deadLetter();
    const answers = await Promise.all(Array.from({ length: 20 }, () => replay(auditId)));
    expect(answers.map(({ body }) => body.replayed).filter((count) => count === 1)).toHaveLength(1);
    expect(replayed(auditId)).toHaveLength(1);
  });

  test('of an unknown, a foreign or an unfinished audit is 404', async () => {
    const other = await harness.customer();
    await pipeline.sandbox(other.headers, 'support-chat');
    const { auditId } = await deadLetter();
    const [unfinished] = await ingest(1);
    await pipeline.list(TRIPLETS.name, unfinished!);
    const unknown = harness.dependencies.newId(harness.dependencies.now());
    const answers = [
      await replay(auditId, other.headers),
      await replay(unfinished!),
      await replay(unknown),
      await replay('no-id'),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [404, 'NOT_FOUND']),
    );
    expect(replayed(auditId)).toEqual([]);
  });

  test('is refused with a reason if it cannot help', async () => {
    const destroyed = await deadLetter({ code: 'KEY_DESTROYED' });
    const gone = await deadLetter();
    const older = await deadLetter();
    const swapped = await deadLetter();
    const lost = await deadLetter({ code: 'LOST' });
    const tired = await deadLetter();
    const version = (row: AuditRow) => String(BigInt(row.version) + 1n);
    const change = (row: AuditRow, fields: Partial<AuditRow>): AuditRow => ({
      ...row,
      version: version(row),
      ...fields,
    });
    await real.insert(AUDITS, [
      change(gone.row, { offset: 10_000 }),
      change(older.row, { epoch: EPOCH - 1 }),
      change(swapped.row, { partition: gone.row.partition, offset: gone.row.offset }),
      change(lost.row, { topic: TRIPLETS.name }),
      change(tired.row, { generation: 100 }),
    ]);
    const reasonOf = async ({ auditId }: { auditId: string }) => {
      const answer = await replay(auditId);
      return [answer.body.matched, answer.body.replayed, answer.body.skipped[0]?.reason];
    };
    expect(await reasonOf(destroyed)).toEqual([1, 0, 'KEY_DESTROYED']);
    for (const one of [gone, older, swapped, lost])
      expect(await reasonOf(one)).toEqual([1, 0, 'RECORD_GONE']);
    expect(await reasonOf(tired)).toEqual([1, 0, 'REPLAY_LIMIT']);
  });

  test.each(['UNDECODABLE', 'CANNOT_OPEN', 'CRASHED'] as const)('of %s is retried', async (code) => {
    const { auditId } = await deadLetter({ code });
    expect(outcome(await replay(auditId))).toEqual([202, 1, 1, []]);
  });
});

describe('an interrupted replay', () => {
  const withKey = (key: string) => ({ ...customer.headers, 'idempotency-key': key });

  test.each(['refuses', 'lost answer'] as const)(
    'by a log that %s is 503, and a repeat replays',
    async (mode) => {
      const { auditId } = await deadLetter();
      harness.log.mode = mode;
      expect((await replay(auditId)).status).toBe(503);
      harness.log.mode = 'takes';
      expect((await get(`/audits/${auditId}`)).body.status).toBe('FAILED');
      expect(outcome(await replay(auditId))).toEqual([202, 1, 1, []]);
      // Both have the same generation: the first signal wins, and the list shows one of them.
      expect(new Set(replayed(auditId).map(({ headers }) => headers.generation))).toEqual(new Set(['1']));
    },
  );

  test('after the death of the process continues under its Idempotency-Key', async () => {
    const { auditId } = await deadLetter();
    crash = true;
    expect((await replay(auditId, withKey('once'))).status).toBe(500);
    crash = false;
    // Another request cannot know the outcome, and waits until the lease expires.
    expect((await replay(auditId)).body.skipped).toEqual([{ auditId, reason: 'ALREADY_REPLAYED' }]);
    const repeat = await replay(auditId, withKey('once'));
    expect(outcome(repeat)).toEqual([202, 1, 1, []]);
    const replayedAnswer = await replay(auditId, withKey('once'));
    expect([replayedAnswer.text, replayedAnswer.headers['idempotent-replayed']]).toEqual([
      repeat.text,
      'true',
    ]);
  });

  test('after the death of the process recognises its own run in the list', async () => {
    const { auditId } = await deadLetter();
    crash = true;
    await replayAll({ filter: {} }, withKey('listed'));
    crash = false;
    await pipeline.fail([auditId]);
    expect(outcome(await replayAll({ filter: {} }, withKey('listed')))).toEqual([202, 1, 1, []]);
    expect(replayed(auditId)).toHaveLength(1);
  });

  test('after the death of the process blocks others only briefly', async () => {
    const { auditId } = await deadLetter();
    crash = true;
    await replay(auditId);
    crash = false;
    harness.skew = 31_000;
    expect(outcome(await replay(auditId))).toEqual([202, 1, 1, []]);
  });
});

test('a log that cannot be read is 503 and leaves no claims', async () => {
  const ids = await ingest(3);
  await pipeline.fail(ids);
  const read = jest.spyOn(harness.log, 'read');
  read.mockImplementationOnce(() => Promise.reject(new LogUnavailable('no broker')));
  const refused = await replayAll({ filter: {} });
  expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(outcome(await replayAll({ filter: {} }))).toEqual([202, 3, 3, []]);
  read.mockRestore();
});

describe('a replay by filter', () => {
  test('replays what matches; a dry run only counts', async () => {
    const here = await ingest(3);
    const there = await ingest(2, 'other');
    await pipeline.fail(here);
    await pipeline.fail(there, { code: 'CRASHED' });
    const records = harness.log.records.length;
    for (const [filter, count] of [
      [{}, 5],
      [{ sandboxSlug: 'other' }, 2],
      [{ sandboxSlug: 'other', reason: 'ANALYSIS_FAILED' }, 0],
      [{ to: '2020-01-01' }, 0],
    ] as const) {
      expect(outcome(await replayAll({ filter, dryRun: true }))).toEqual([202, count, 0, []]);
    }
    expect(harness.log.records.length).toBe(records);
    expect(outcome(await replayAll({ filter: { reason: 'CRASHED' } }))).toEqual([202, 2, 2, []]);
    expect([...here, ...there].map((id) => replayed(id).length)).toEqual([0, 0, 0, 1, 1]);
    const rest = await replayAll({ filter: {} });
    expect([rest.body.matched, rest.body.replayed, rest.body.nextCursor]).toEqual([5, 3, null]);
    expect(rest.body.skipped.map(({ auditId }: { auditId: string }) => auditId).sort()).toEqual(
      [...there].sort(),
    );
  });

  test('is bounded: the cursor continues, and audits that fail again are not visited twice', async () => {
    const small = await harness.customer('PRO', { burst: 1, rate: 1e6 });
    await pipeline.sandbox(small.headers, 'support-chat');
    const ids: string[] = [];
    while (ids.length < 130) ids.push(...(await ingest(1, 'support-chat', small.headers)));
    for (const [i, id] of ids.entries()) await pipeline.fail([id], { at: Date.parse('2026-11-10') + i });
    const first = await replayAll({ filter: {} }, small.headers);
    expect([first.body.matched, first.body.replayed]).toEqual([130, 100]);
    await pipeline.fail(ids.slice(-3));
    const second = await replayAll({ filter: {}, cursor: first.body.nextCursor }, small.headers);
    expect([second.body.matched, second.body.replayed, second.body.nextCursor]).toEqual([30, 30, null]);
    expect(ids.map((id) => replayed(id).length)).toEqual(ids.map(() => 1));
  }, 60_000);

  test('costs as much as a batch', async () => {
    const poor = await harness.customer('PRO', { burst: 3, rate: 0.001 });
    await pipeline.sandbox(poor.headers, 'support-chat');
    const [row] = await pipeline.fail(await ingest(1, 'support-chat', poor.headers));
    const more = Array.from({ length: 150 }, () => harness.dependencies.newId(harness.dependencies.now()));
    await real.insert(
      AUDITS,
      more.map((auditId) => ({ ...row!, auditId })),
    );
    // Sandbox, ingest and this request used the bucket's three tokens; the second hundred needs one more.
    const answer = await replayAll({ filter: {} }, poor.headers);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '1000',
    ]);
    expect(replayed(row!.auditId)).toEqual([]);
  });

  test.each([
    [{}, 'INVALID_REQUEST'],
    [{ filter: { sandbox: 'support-chat' } }, 'INVALID_REQUEST'],
    [{ filter: { reason: 'NONE' } }, 'INVALID_REQUEST'],
    [{ filter: { from: '2026-11-02', to: '2026-11-01' } }, 'INVALID_REQUEST'],
    [{ filter: {}, cursor: 'broken' }, 'INVALID_CURSOR'],
    [{ filter: { sandboxSlug: 'nowhere' } }, 'SANDBOX_NOT_FOUND'],
  ])('refuses %j', async (payload, code) => {
    const answer = await replayAll(payload);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});
