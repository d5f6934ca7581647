import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { AUDITS } from '#schemas/tables/tables.ts';
import { erasedRow } from '#services/sink/rows/audit-rows.ts';
import { failingPipeline } from '../testing/dead-letter.ts';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../testing/real-warehouse.ts';

let real: RealWarehouse;
let harness: Harness;
let customer: TestCustomer;
let pipeline: ReturnType<typeof failingPipeline>;

beforeAll(async () => {
  real = await startRealWarehouse();
  harness = await startHarness({ warehouse: real.warehouse });
  pipeline = failingPipeline(harness, real);
}, 60_000);
afterAll(async () => {
  await harness.close();
  await real.close();
});
beforeEach(async () => {
  await real.clear();
  customer = await harness.customer();
  for (const slug of ['support-chat', 'other']) await pipeline.sandbox(customer.headers, slug);
});

const ingest = (count: number, slug = 'support-chat'): Promise<string[]> =>
  pipeline.ingest(customer.headers, count, slug);
const get = (url: string, headers = customer.headers) => harness.call({ url, headers });

describe('the list of dead letters', () => {
  test('shows failed audits, newest first, without those that are erased or have a signal', async () => {
    const ids = await ingest(5);
    const at = Date.parse('2026-11-10T10:00:00.000Z');
    const rows = (
      await Promise.all(ids.map((id, i) => pipeline.fail([id], { at: at + [3, 1, 2, 0, 4][i]! * 1_000 })))
    ).flat();
    await real.insert(AUDITS, [
      pipeline.completed(rows[2]!, 0),
      erasedRow(pipeline.completed(rows[3]!, 0), { epoch: 1, offset: 9 }),
    ]);
    const answer = await get('/dead-letters');
    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[4], ids[0], ids[1]]);
    expect(answer.body.data[1]).toEqual({
      id: ids[0],
      auditId: ids[0],
      sandboxSlug: 'support-chat',
      reason: 'ANALYSIS_FAILED',
      attempts: 1,
      at: '2026-11-10T10:00:03.000Z',
    });
    expect(answer.body.pagination).toEqual({ page: 1, limit: 20, total: 3, pages: 1, nextCursor: null });
    const other = await harness.customer();
    expect((await get('/dead-letters', other.headers)).body.data).toEqual([]);
  });

  test('filters combine with AND; pages and cursors show every row once', async () => {
    const at = Date.parse('2026-11-10T10:00:00.000Z');
    const [first, second, third] = await ingest(3);
    const [elsewhere] = await ingest(1, 'other');
    await pipeline.fail([first!], { at });
    await pipeline.fail([second!, elsewhere!], { at: at + 60_000, code: 'CANNOT_OPEN' });
    await pipeline.fail([third!], { at: at + 120_000, code: 'CANNOT_OPEN' });
    const found = async (query: string): Promise<string[]> =>
      (await get(`/dead-letters?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found('reason=ANALYSIS_FAILED')).toEqual([first]);
    expect(await found('reason=CANNOT_OPEN&sandboxSlug=support_chat')).toEqual([third, second]);
    expect(await found('sandboxSlug=nowhere')).toEqual([]);
    expect(await found('from=2026-11-10T10:01:00Z&to=2026-11-10T10:01:30Z&sandboxSlug=other')).toEqual([
      elsewhere,
    ]);
    expect(await found('endDate=2026-11-09')).toEqual([]);
    const all = await found('');
    const pages = [await found('limit=2'), await found('limit=2&page=2')];
    expect(pages.flat()).toEqual(all);
    const { nextCursor } = (await get('/dead-letters?limit=2')).body.pagination;
    expect(await found(`limit=2&cursor=${nextCursor}`)).toEqual(pages[1]);
  });

  test.each(['reason=SOMETHING', 'from=yesterday', 'limit=0', 'cursor=broken', 'page=9999&limit=100'])(
    'refuses %s',
    async (query) => {
      expect((await get(`/dead-letters?${query}`)).status).toBe(400);
    },
  );
});

describe('the reasons of dead letters', () => {
  test('are counted by sandbox, most frequent first, with the time of the oldest', async () => {
    const at = Date.parse('2026-11-10T10:00:00.000Z');
    const ids = await ingest(3);
    const [elsewhere] = await ingest(1, 'other');
    await pipeline.fail([ids[0]!], { at: at + 60_000 });
    await pipeline.fail([ids[1]!, elsewhere!], { at, code: 'CANNOT_OPEN' });
    await pipeline.fail([ids[2]!], { at: at + 120_000, code: 'CANNOT_OPEN' });
    const reasons = async (query = '', headers = customer.headers) =>
      (await get(`/dead-letters/reasons${query}`, headers)).body.data;
    expect(await reasons()).toEqual([
      { reason: 'CANNOT_OPEN', sandboxSlug: 'support-chat', count: 2, oldestAt: '2026-11-10T10:00:00.000Z' },
      {
        reason: 'ANALYSIS_FAILED',
        sandboxSlug: 'support-chat',
        count: 1,
        oldestAt: '2026-11-10T10:01:00.000Z',
      },
      { reason: 'CANNOT_OPEN', sandboxSlug: 'other', count: 1, oldestAt: '2026-11-10T10:00:00.000Z' },
    ]);
    expect(await reasons('?sandboxSlug=other')).toHaveLength(1);
    expect(await reasons('?sandboxSlug=nowhere')).toEqual([]);
    expect(await reasons('?reason=ANALYSIS_FAILED')).toHaveLength(1);
    expect(await reasons('?to=2026-11-09')).toEqual([]);
    expect(await reasons('', (await harness.customer()).headers)).toEqual([]);
  });
});
