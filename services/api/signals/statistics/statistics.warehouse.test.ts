import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Stats } from '#schemas/api/dashboard.ts';
import { MAX_MODELS } from '#schemas/api/dashboard.ts';
import { AUDITS, POSITIONS, SIGNALS } from '#schemas/tables/tables.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { insertsOf, type MadeAudit, type Owner } from '../../testing/audit-history.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

let world: StoredWorld;
let real: StoredWorld['real'];
let harness: StoredWorld['harness'];
let customer: StoredWorld['customer'];
let owner: Owner;

beforeAll(async () => {
  world = await startStoredWorld();
  ({ real, harness, customer } = world);
  owner = { customerId: customer.id, sandboxIds: [world.sandboxId] };
}, 60_000);
afterAll(() => world.close());
beforeEach(() => real.clear());

const get = (url: string, headers = customer.headers) => harness.call({ url, headers });

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const made = (number: number, change: Partial<MadeAudit> = {}): MadeAudit => ({
  customer: 0,
  number,
  createdAt: NOON,
  acceptedAt: NOON,
  sandbox: 0,
  provider: 'openai',
  model: 'm',
  riskLevel: 'LOW',
  violations: [],
  fate: 'stored',
  repeats: [],
  order: [0],
  ...change,
});

async function store(audits: readonly MadeAudit[]): Promise<void> {
  for (const insert of insertsOf(audits, [owner])) {
    await real.insert(SIGNALS, insert.signals);
    await real.insert(AUDITS, insert.audits);
  }
}

describe('every path of the dashboard', () => {
  const PATHS = ['/dashboard/signals', '/dashboard/stats', '/dashboard/timeseries'];

  test.each([...PATHS, '/dashboard/books'])('%s needs a key', async (path) => {
    const answer = await get(path, {});
    expect([answer.status, answer.body.code]).toEqual([401, 'MISSING_KEY']);
  });

  test.each(PATHS)('%s refuses dates that are not a range', async (path) => {
    const refused = async (query: string) => {
      const { status, body } = await get(`${path}?${query}`);
      return [status, body.message];
    };
    expect(await refused('from=yesterday')).toEqual([
      400,
      'from: Expected an ISO 8601 date or timestamp, such as 2026-11-30 or 2026-11-30T09:30:00Z',
    ]);
    expect(await refused('to=2026-02-30')).toEqual([
      400,
      'to: Expected an ISO 8601 date or timestamp, such as 2026-11-30 or 2026-11-30T09:30:00Z',
    ]);
    expect(await refused('from=2026-11-02&to=2026-11-01')).toEqual([
      400,
      'from: the range starts after its end',
    ]);
    expect(await refused('from=2026-11-01&endDate=2026-11-02')).toEqual([
      400,
      'from: use either from and to or startDate and endDate',
    ]);
    expect(await refused('from=2026-11-01&from=2026-11-02')).toEqual([400, 'from: must be given only once']);
  });

  test.each([
    ['/dashboard/signals', 'riskLevel=SEVERE', 'riskLevel'],
    ['/dashboard/signals', 'violation=email', 'violation'],
    ['/dashboard/signals', 'provider=', 'provider'],
    ['/dashboard/timeseries', 'riskLevel=low', 'riskLevel'],
    ['/dashboard/timeseries', 'interval=month', 'interval'],
    ['/dashboard/stats', 'sandboxSlug=', 'sandboxSlug'],
  ])('%s refuses %s', async (path, query, field) => {
    const { status, body } = await get(`${path}?${query}`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'INVALID_REQUEST', field]);
  });
});

describe('a forged cursor of the list', () => {
  const cursor = (...dependencies: unknown[]) =>
    Buffer.from(JSON.stringify(dependencies)).toString('base64url');
  const ID = '0190bbbb-0000-7000-8000-000000000001';

  test.each([
    ['no time', '2026-13-41T25:61:61.000Z'],
    ['no day', '2026-02-30T00:00:00.000Z'],
    ['a time earlier than any row can have', '0001-01-01T00:00:00.000Z'],
    ['a time later than any row can have', '9999-12-31T23:59:59.999Z'],
  ])('with %s is refused', async (_name, time) => {
    const answer = await get(`/dashboard/signals?cursor=${cursor(2, time, ID)}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_CURSOR']);
  });
});

describe('stats', () => {
  test('are zero without audits, and for an unknown sandbox', async () => {
    const nothing = {
      totalAudits: 0,
      auditBreakdown: { stored: 0, inFlight: 0, retrying: 0, deadLettered: 0, erased: 0 },
      riskBreakdown: { LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 },
      topViolations: [],
      sandboxBreakdown: [],
      modelBreakdown: [],
    };
    expect((await get('/dashboard/stats')).body).toMatchObject(nothing);
    await store([made(1)]);
    expect((await get('/dashboard/stats?sandboxSlug=unknown')).body).toMatchObject(nothing);
    expect((await get('/dashboard/stats?sandboxSlug=support_chat')).body.totalAudits).toBe(1);
  });

  test('no longer count an erased signal, but its audit', async () => {
    const change = { violations: ['SSN'], riskLevel: 'HIGH' } as const;
    await store([
      made(1, change),
      made(2, { ...change, fate: 'erased' }),
      made(3, { ...change, fate: 'failed' }),
    ]);
    expect((await get('/dashboard/stats')).body).toMatchObject({
      totalAudits: 3,
      riskBreakdown: { LOW: 0, MEDIUM: 0, HIGH: 1, CRITICAL: 0 },
      topViolations: [{ code: 'SSN', count: 1 }],
      sandboxBreakdown: [{ slug: 'support-chat', count: 1 }],
      modelBreakdown: [{ provider: 'openai', model: 'm', count: 1 }],
    });
  });

  test('name a maximum of models, the most frequent ones', async () => {
    const many = Array.from({ length: MAX_MODELS + 5 }, (_, n) => made(n, { model: `model-${1_000 + n}` }));
    await store([...many, made(900, { model: 'model-1104' }), made(901, { model: 'model-1104' })]);
    const { modelBreakdown } = (await get('/dashboard/stats')).body;
    expect(modelBreakdown).toHaveLength(MAX_MODELS);
    expect(modelBreakdown[0]).toEqual({ provider: 'openai', model: 'model-1104', count: 3 });
    expect(modelBreakdown.at(-1)).toEqual({ provider: 'openai', model: 'model-1098', count: 1 });
  });

  test('use acceptance for audits, creation for signals', async () => {
    await store([made(1, { acceptedAt: Date.parse('2026-11-19T23:59:59.999Z') })]);
    const on = async (day: string) => {
      const { totalAudits, riskBreakdown } = (await get(`/dashboard/stats?from=${day}&to=${day}`)).body;
      return [totalAudits, riskBreakdown.LOW];
    };
    expect([await on('2026-11-19'), await on('2026-11-20')]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  test('report when they were read and what they lack', async () => {
    const accepted = await harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers: customer.headers,
      payload: { sandboxSlug: 'support-chat', provider: 'o', model: 'm', prompt: 'p', response: '' },
    });
    const { partition, offset, acceptedAt } = accepted.body.data.receipt;
    harness.skew += 2_000;
    // An answer waits only briefly for the log, and reports when it ran out of time.
    const timely = async (url: string): Promise<Pick<Stats, 'freshness' | 'asOf'>> => {
      const { body } = await get(url);
      return body.freshness.lagSeconds === null ? timely(url) : body;
    };
    const before = await timely('/dashboard/stats');
    expect(before.freshness.complete).toBe(false);
    expect(before.freshness.lagSeconds).toBeGreaterThanOrEqual(2);
    expect(Date.parse(before.asOf)).toBeGreaterThanOrEqual(Date.parse(acceptedAt) + 2_000);
    await real.insert(
      POSITIONS,
      [...new Set(harness.log.records.map((record) => `${record.topic} ${record.partition}`))].map((name) => {
        const [topic = '', number] = name.split(' ');
        const last = harness.log.of(topic).filter((record) => record.partition === Number(number));
        const nextOffset = last.length;
        return { epoch: 1, topic, partition: Number(number), nextOffset, lastDigest: '', lastAt: acceptedAt };
      }),
    );
    harness.skew += 1_000;
    expect((await timely('/dashboard/stats')).freshness).toEqual({ lagSeconds: 0, complete: true });
    expect((await timely('/dashboard/books')).freshness).toEqual({ lagSeconds: 0, complete: true });
    expect(harness.log.of(TRIPLETS.name).find((record) => record.partition === partition)?.offset).toBe(
      offset,
    );
  });
});

describe('timeseries', () => {
  test.each([
    ['minute', 60, 60_000],
    ['hour', 24, 3_600_000],
    ['day', 30, 86_400_000],
    ['week', 52, 604_800_000],
  ] as const)('without dates, by the %s, has %i points up to now', async (interval, points, length) => {
    const now = harness.dependencies.now();
    await store([
      made(1, { createdAt: now - length, riskLevel: 'CRITICAL' }),
      made(2, { createdAt: now - (points + 2) * length }),
    ]);
    const { data, from, to, ...rest } = (await get(`/dashboard/timeseries?interval=${interval}`)).body;
    expect(rest.interval).toBe(interval);
    expect(data).toHaveLength(points);
    expect(data[0].at).toBe(from);
    expect(Date.parse(to) - Date.parse(data.at(-1).at)).toBeLessThan(length);
    expect(Date.parse(to)).toBeGreaterThanOrEqual(now);
    const counted = data.filter(({ count }: { count: number }) => count > 0);
    expect(counted).toEqual([
      {
        at: data.at(-2).at,
        count: 1,
        riskLevels: { LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 1 },
      },
    ]);
  });

  test('is by the day by default; a start alone leads up to now, an end alone back from there', async () => {
    const fromStart = (await get('/dashboard/timeseries?from=2026-01-01')).body;
    expect(fromStart.interval).toBe('day');
    expect(fromStart.data[0].at).toBe('2026-01-01T00:00:00.000Z');
    expect(fromStart.data.at(-1).at).toBe(
      `${new Date(harness.dependencies.now()).toISOString().slice(0, 10)}T00:00:00.000Z`,
    );
    const ended = (await get('/dashboard/timeseries?interval=hour&to=2026-03-01T05:30:00Z')).body;
    expect([ended.data.length, ended.data[0].at, ended.data.at(-1).at, ended.to]).toEqual([
      24,
      '2026-02-28T06:00:00.000Z',
      '2026-03-01T05:00:00.000Z',
      '2026-03-01T05:30:00.000Z',
    ]);
  });

  test('cuts the intervals at its ends; a time zone of the request only moves the ends', async () => {
    const at = (text: string) => ({ createdAt: Date.parse(text) });
    await store([made(1, at('2026-11-20T10:15:00Z')), made(2, at('2026-11-20T10:45:00Z'))]);
    const counts = async (query: string) =>
      (await get(`/dashboard/timeseries?interval=hour&${query}`)).body.data.map(
        (point: { at: string; count: number }) => [point.at.slice(11, 16), point.count],
      );
    expect(await counts('from=2026-11-20T10:30:00Z&to=2026-11-20T11:00:00Z')).toEqual([
      ['10:00', 1],
      ['11:00', 0],
    ]);
    const zone = encodeURIComponent('+05:30');
    expect(await counts(`from=2026-11-20T15:30:00${zone}&to=2026-11-20T16:00:00${zone}`)).toEqual([
      ['10:00', 1],
    ]);
  });

  test('starts weeks on Monday', async () => {
    const at = (text: string) => ({ createdAt: Date.parse(text) });
    await store([made(1, at('2026-11-22T23:59:59.999Z')), made(2, at('2026-11-23T00:00:00Z'))]);
    const { data } = (await get('/dashboard/timeseries?interval=week&from=2026-11-20&to=2026-11-24')).body;
    expect(data.map((point: { at: string; count: number }) => [point.at, point.count])).toEqual([
      ['2026-11-16T00:00:00.000Z', 1],
      ['2026-11-23T00:00:00.000Z', 1],
    ]);
  });

  test.each([
    ['from=2026-11-20T10:30:00Z&to=2026-11-20T17:09:59Z', 'minute', '2026-11-20T10:30:00.000Z', 400],
    ['from=2026-11-20T10:30:00Z&to=2026-11-20T17:10:00Z', 'hour', '2026-11-20T10:30:00.000Z', 8],
    ['from=2025-10-17&to=2026-11-20', 'day', '2025-10-17T00:00:00.000Z', 400],
    ['from=2025-10-16&to=2026-11-20', 'week', '2025-10-16T00:00:00.000Z', 58],
    // Starts at the first matching signal.
    ['to=2026-11-20', 'day', '2026-02-01T00:00:00.000Z', 293],
    ['to=2026-11-20&riskLevel=HIGH', 'hour', '2026-11-19T00:00:00.000Z', 48],
    // No signal matches.
    ['to=2026-11-20&riskLevel=CRITICAL', 'day', '2026-10-22T00:00:00.000Z', 30],
    ['to=2026-11-20&sandboxSlug=unknown', 'day', '2026-10-22T00:00:00.000Z', 30],
  ])('chooses an interval that can be drawn: %s', async (query, interval, from, points) => {
    const at = (text: string) => ({ createdAt: Date.parse(text) });
    await store([
      made(1, at('2026-02-01T22:00:00Z')),
      made(2, { ...at('2026-11-19T22:00:00Z'), riskLevel: 'HIGH' }),
    ]);
    const { body } = await get(`/dashboard/timeseries?interval=auto&${query}`);
    expect([body.interval, body.from, body.data.length]).toEqual([interval, from, points]);
    const { total } = (await get(`/dashboard/signals?${query}&from=${from}`.replace(/from=\S+&from/, 'from')))
      .body.pagination;
    expect(body.data.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(total);
  });

  test('is zero for an unknown sandbox', async () => {
    await store([made(1)]);
    const { data } = (await get('/dashboard/timeseries?from=2026-11-20&to=2026-11-20&sandboxSlug=unknown'))
      .body;
    expect(data.map(({ count }: { count: number }) => count)).toEqual([0]);
  });

  test.each([
    ['minute', '2026-01-01T00:00:00Z', '2026-01-02T00:59:59Z', null],
    ['minute', '2026-01-01T00:00:00Z', '2026-01-02T01:00:00Z', 'use interval=hour or a shorter period'],
    ['minute', '2026-01-01', '2026-12-31', 'use interval=day or a shorter period'],
    ['hour', '2026-01-01', '2026-03-04', 'use interval=day or a shorter period'],
    ['day', '2020-01-01', '2026-01-01', 'use interval=week or a shorter period'],
    ['week', '1990-01-01', '2026-01-01', 'ask for a shorter period'],
  ])('by the %s from %s to %s is refused with more than 1,500 points', async (interval, from, to, advice) => {
    const { status, body } = await get(`/dashboard/timeseries?interval=${interval}&from=${from}&to=${to}`);
    if (advice === null) {
      expect([status, body.data.length]).toEqual([200, 1_500]);
    } else {
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.message).toMatch(new RegExp(`^interval: \\d+ points exceed the limit of 1500; ${advice}$`));
    }
  });
});

describe('the reconciliation', () => {
  // A separate customer: the other one's audits count as accepted, and the tables were emptied since.
  let own: Owner;
  let books: () => ReturnType<typeof get>;
  beforeAll(async () => {
    const { id, headers } = await harness.customer();
    own = { customerId: id, sandboxIds: [world.sandboxId] };
    books = () => get('/dashboard/books', headers);
  });

  test('adds up at any moment while audits arrive and progress', async () => {
    let running = true;
    const writing = (async () => {
      for (let number = 0; number < 40; number += 4) {
        const fates = ['stored', 'failed', 'retrying', 'erased'] as const;
        // Each row is a separate insert, so that a reader meets audits in every state.
        for (const insert of insertsOf(
          fates.map((fate, index) => made(number + index, { fate, order: [0, 1, 2, 3] })),
          [own],
        )) {
          await real.insert(AUDITS, insert.audits);
        }
      }
    })().finally(() => {
      running = false;
    });
    let accepted = 0;
    do {
      const { body } = await books();
      const { stored, inFlight, retrying, deadLettered, erased } = body;
      expect(stored + inFlight + retrying + deadLettered + erased).toBe(body.accepted);
      expect([body.balanced, body.difference]).toEqual([true, 0]);
      expect(body.accepted).toBeGreaterThanOrEqual(accepted);
      accepted = body.accepted;
    } while (running);
    await writing;
    expect((await books()).body).toMatchObject({
      accepted: 40,
      stored: 10,
      inFlight: 0,
      retrying: 10,
      deadLettered: 10,
      erased: 10,
    });
  });

  test('reports a state that is counted nowhere', async () => {
    for (const insert of insertsOf([made(1), made(2)], [own])) await real.insert(AUDITS, insert.audits);
    const [insert] = insertsOf([made(3)], [own]);
    await real.insert(
      AUDITS,
      insert!.audits.map((row) => ({ ...row, status: 'SOMEWHERE' })),
    );
    const { body } = await books();
    expect(body).toMatchObject({ accepted: 3, stored: 2, balanced: false, difference: 1 });
    expect(body.data).toMatchObject({ accepted: 3, balanced: false, difference: 1 });
  });
});
