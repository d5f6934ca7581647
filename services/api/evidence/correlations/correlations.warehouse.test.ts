import fc from 'fast-check';
import { type DetectParameters, detect } from '#core/correlate/detect.ts';
import { DAY_MS, DEFAULT_SETTINGS, HOUR_MS } from '#core/correlate/state/rules.ts';
import { BEGIN_MS, type Draft, draftAt, eventful, pastOf } from '#core/correlate/testing/ledger.ts';
import { blanked } from '#core/evidence/testing/sample-chain.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { rowsOf, type StoredSignal, signalsOf } from '../../testing/correlated-rows.ts';
import { emptyWarehouse, startHarness, type TestCustomer } from '../../testing/harness.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

/** Patterns over the history of stored signals, as returned over HTTP. */

const START = BEGIN_MS + 28 * DAY_MS;
const END = START + 18 * DAY_MS - 1;
const iso = (at: number): string => new Date(at).toISOString();
const RANGE = { startDate: iso(START), endDate: iso(END) };

let world: StoredWorld;
let customer: TestCustomer;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  customer = await world.harness.customer();
  await world.real.clear();
});

const store = (rows: readonly SignalRow[]): Promise<void> => world.real.insert(SIGNALS, rows);
const run = (payload: object, headers: Readonly<Record<string, string>> = customer.headers) =>
  world.harness.call({ method: 'POST', url: '/evidence/correlations/detect', headers, payload });
const get = (path: string, headers = customer.headers) =>
  world.harness.call({ url: `/evidence/correlations${path}`, headers });

const parametersOf = (given: Partial<DetectParameters> = {}): DetectParameters => ({
  ...DEFAULT_SETTINGS,
  customerId: customer.id,
  startDate: START,
  endDate: END + 1,
  sandboxSlug: null,
  similarity: FINGERPRINTS,
  ...given,
});

/** What core finds in the same signals, as the API shows it. */
function expected(signals: readonly StoredSignal[], given: Partial<DetectParameters> = {}) {
  const history = pastOf(signals, START - 28 * DAY_MS, START);
  const { findings, analyzedSignals } = detect(parametersOf(given), history, signals);
  const patterns = findings.map(({ windowStart, windowMs, firstSeen, lastSeen, ...finding }) => ({
    ...finding,
    windowStart: iso(windowStart),
    windowEnd: iso(windowStart + windowMs),
    firstSeen: iso(firstSeen),
    lastSeen: iso(lastSeen),
  }));
  return { patterns, analyzedSignals };
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

/** A quiet history, and twenty SSNs within a second in the range. */
const burst = (change: Partial<Draft> = {}, count = 20): Draft[] => [
  ...Array.from({ length: 28 }, (_, day) => draftAt(BEGIN_MS + day * DAY_MS, { violations: ['SSN'] })),
  ...Array.from({ length: count }, (_, index) =>
    draftAt(START + 5 * HOUR_MS + index, { violations: ['SSN'], riskLevel: 'HIGH', ...change }),
  ),
];

test('a run finds over HTTP what core finds in the same signals, whatever else is stored', async () => {
  const types = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000 }), async (seed) => {
      await world.real.clear();
      customer = await world.harness.customer();
      const all = signalsOf(eventful(seed, 28, 46, 24));
      // Every seventh is erased, every fifth row is stored twice, and another customer has all of them.
      const rows = rowsOf(customer.id, all);
      await store([...rows, ...rowsOf(world.customer.id, all)]);
      await store(rows.filter((_, index) => index % 5 === 0));
      await store(
        rows.filter((_, index) => index % 7 === 0).map((row) => blanked(row, 'ALL', row.index + 1)),
      );
      const left = all.filter((_, index) => index % 7 !== 0);
      const wanted = expected(left);
      const { status, body } = await run(RANGE);
      expect(status).toBe(201);
      expect(body.data).toMatchObject({
        status: 'COMPLETED',
        source: 'RUN',
        progress: 1,
        analyzedSignals: wanted.analyzedSignals,
        totalSignals: wanted.analyzedSignals,
        patternCount: wanted.patterns.length,
        patternsLeftOut: 0,
        parameters: { ...RANGE, sandboxSlug: null, ...DEFAULT_SETTINGS },
      });
      expect(body.data.patterns.sort(byId)).toEqual(wanted.patterns.sort(byId));
      for (const { type } of wanted.patterns) types.add(type);
    }),
    { numRuns: 4, seed: 18 },
  );
  expect(types.size).toBeGreaterThan(3);
}, 120_000);

describe('the scope of a run', () => {
  test('is limited by a sandbox in any spelling, dimensions, windows and a minimum', async () => {
    await world.harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers: customer.headers,
      payload: { name: 'Desk', slug: 'help-desk', sandboxType: 'FULL_SPECTRUM' },
    });
    const signals = signalsOf(burst({ sandboxId: 'desk', sandboxSlug: 'help-desk' }));
    await store(rowsOf(customer.id, signals));
    const found = async (change: object) => (await run({ ...RANGE, ...change })).body.data;
    expect((await found({})).patterns.map(({ type }: { type: string }) => type)).toContain('BURST');
    expect(await found({ sandboxSlug: 'help_desk' })).toMatchObject({
      analyzedSignals: 20,
      parameters: { sandboxSlug: 'help_desk' },
    });
    expect((await found({ minSignals: 21 })).patterns).toEqual([]);
    const shown = await found({ dimensions: ['model', 'sandbox', 'model'], windowMinutes: 30 });
    expect(shown.parameters).toMatchObject({ dimensions: ['sandbox', 'model'], windowMinutes: 30 });
    const wanted = expected(signals, { dimensions: ['sandbox', 'model'], windowMinutes: 30 });
    expect(shown.patterns.sort(byId)).toEqual(wanted.patterns.sort(byId));
    expect(shown.patterns.map(({ key }: { key: string }) => key)).not.toContain('violation:SSN');
  });

  test('is the last thirty days by default, including both ends of a range', async () => {
    const now = world.harness.dependencies.now();
    const at = (before: number, index: number) => draftAt(now - before, { sandboxId: `s${index}` });
    const ages = [0, 60_000, 29 * DAY_MS, 31 * DAY_MS];
    await store(rowsOf(customer.id, signalsOf(ages.map(at))));
    const shown = (await run({})).body.data;
    const { startDate, endDate } = shown.parameters;
    expect(Date.parse(endDate) - Date.parse(startDate)).toBe(30 * DAY_MS);
    expect(shown.analyzedSignals).toBe(3);
    const edges = { startDate: iso(now - 29 * DAY_MS), endDate: iso(now - 60_000) };
    expect((await run(edges)).body.data.analyzedSignals).toBe(2);
  });

  test.each([
    [{ startDate: '2026-02-30' }, 400, 'INVALID_REQUEST', 'startDate'],
    [{ startDate: '2026-03-02', endDate: '2026-03-01' }, 400, 'INVALID_REQUEST', 'starts after its end'],
    [{ startDate: '2999-01-01' }, 400, 'INVALID_REQUEST', 'must start before it ends'],
    [{ startDate: '2024-01-01', endDate: '2025-01-01' }, 400, 'INVALID_REQUEST', '366 days at most'],
    [{ windowMinutes: 4 }, 400, 'INVALID_REQUEST', 'windowMinutes'],
    [{ minSignals: 1 }, 400, 'INVALID_REQUEST', 'minSignals'],
    [{ dimensions: [] }, 400, 'INVALID_REQUEST', 'dimensions'],
    [{ dimensions: ['user'] }, 400, 'INVALID_REQUEST', 'dimensions'],
    [{ sandboxSlug: 'nobody-has-it' }, 400, 'SANDBOX_NOT_FOUND', 'Sandbox not found'],
  ])('%j is refused with what to do', async (payload, status, code, message) => {
    const answer = await run(payload);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toContain(message);
    expect((await get('')).body.data).toEqual([]);
  });

  test('is refused with 400 beyond the maximum of signals, before anything starts', async () => {
    const many = [{ signals: 2_000_001 }];
    const query = (async (sql) => (sql.includes('FROM signals') ? many : [])) as Warehouse['query'];
    const harness = await startHarness({ warehouse: { ...emptyWarehouse(), query } });
    const { headers } = await harness.customer();
    const url = '/evidence/correlations/detect';
    const answer = await harness.call({ method: 'POST', url, headers, payload: {} });
    expect([answer.status, answer.body.code]).toEqual([400, 'CORRELATION_TOO_LARGE']);
    expect((await harness.call({ url: '/evidence/correlations', headers })).body.data).toEqual([]);
    await harness.close();
  });
});

describe('runs over history', () => {
  test('are listed newest first without their patterns, and only to their customer', async () => {
    await store(rowsOf(customer.id, signalsOf(burst())));
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await run(RANGE)).body.data.id);
    const list = (await get('?limit=2')).body;
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(list.data[0]).toMatchObject({ patterns: null, patternCount: expect.any(Number) });
    expect(list.pagination).toMatchObject({ total: 3, pages: 2 });
    const rest = (await get(`?limit=2&cursor=${list.pagination.nextCursor}`)).body.data;
    expect(rest.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect((await get('?source=RUN')).body.pagination.total).toBe(3);
    expect((await get('?source=STREAM')).body.data).toEqual([]);
    expect((await get('?source=BOTH')).status).toBe(400);
    const shown = await get(`/${ids[0]}`);
    expect(shown.body.data.patterns.length).toBeGreaterThan(0);
    const stranger = await world.harness.customer();
    expect((await get(`/${ids[0]}`, stranger.headers)).status).toBe(404);
    expect((await get('', stranger.headers)).body.data).toEqual([]);
    expect((await run(RANGE, stranger.headers)).body.data).toMatchObject({
      analyzedSignals: 0,
      patterns: [],
    });
  });

  test('repeat as the same run under one key, which is refused for another request', async () => {
    await store(rowsOf(customer.id, signalsOf(burst())));
    const headers = { ...customer.headers, 'idempotency-key': 'once' };
    const first = await run(RANGE, headers);
    const again = await run(RANGE, headers);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(first.body.data.patterns.length).toBeGreaterThan(0);
    expect((await run({}, headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await get('')).body.pagination.total).toBe(1);
  });
});

describe('a signal that was erased since', () => {
  const patternOf = (body: { data: { patterns: { type: string }[] } }) =>
    body.data.patterns.find(({ type }) => type === 'BURST') as unknown as Record<string, unknown>;

  test('is removed from the patterns of earlier runs, which are retracted with too few left', async () => {
    const signals = signalsOf(burst());
    const rows = rowsOf(customer.id, signals);
    await store(rows);
    const headers = { ...customer.headers, 'idempotency-key': 'before' };
    const first = await run({ ...RANGE, minSignals: 19 }, headers);
    const { id } = first.body.data;
    expect(patternOf(first.body)).toMatchObject({ count: 20, status: 'CLOSED' });
    const [gone, next, ...others] = rows.slice(28) as [SignalRow, SignalRow, ...SignalRow[]];
    await store([blanked(gone, 'ALL', gone.index + 1)]);
    const left = patternOf((await get(`/${id}`)).body);
    expect(left).toMatchObject({
      count: 19,
      status: 'CLOSED',
      firstSeen: next.createdAt,
      signalIds: [next, ...others].map(({ auditId }) => auditId),
      description: expect.stringContaining('1 of them was erased since.'),
    });
    // The answer remembered under the key does not contain it either.
    expect((await run({ ...RANGE, minSignals: 19 }, headers)).text).not.toContain(gone.auditId);
    await store([blanked(next, 'ALL', next.index + 1)]);
    expect(patternOf((await get(`/${id}`)).body)).toMatchObject({ count: 18, status: 'RETRACTED' });
    expect((await run(RANGE)).body.data.analyzedSignals).toBe(18);
  });

  test('stays if only its detail was erased', async () => {
    const rows = rowsOf(customer.id, signalsOf(burst()));
    await store(rows);
    const { id } = (await run(RANGE)).body.data;
    await store(rows.slice(28).map((row) => blanked(row, 'DETAIL', row.index + 1)));
    expect(patternOf((await get(`/${id}`)).body)).toMatchObject({ count: 20, status: 'CLOSED' });
  });
});
