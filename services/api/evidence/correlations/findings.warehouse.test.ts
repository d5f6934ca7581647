import fc from 'fast-check';
import { DEFAULT_SETTINGS, HOUR_MS } from '#core/correlate/state/rules.ts';
import { BEGIN_MS, draftAt } from '#core/correlate/testing/ledger.ts';
import { sampleFinding } from '#core/correlate/testing/sample-finding.ts';
import { blanked } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { CorrelationRun } from '#records/correlations/correlation-run.ts';
import { KEPT_RUNS, noteRun } from '#records/correlations/correlation-runs.ts';
import type { CorrelationFinding } from '#schemas/events/events.ts';
import { CORRELATIONS, SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { rowsOf, type StoredSignal, signalsOf } from '../../testing/correlated-rows.ts';
import type { TestCustomer } from '../../testing/harness.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

/** Findings made as signals arrived, as returned over HTTP: alone, and mixed with runs over history. */

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

const iso = (at: number): string => new Date(at).toISOString();
const idOf = (n: number): string => `0190abcd-0000-8000-8000-${n.toString(16).padStart(12, '0')}`;
const get = (path: string, headers = customer.headers) =>
  world.harness.call({ url: `/evidence/correlations${path}`, headers });
const store = (findings: readonly CorrelationFinding[]): Promise<void> =>
  world.real.insert(CORRELATIONS, findings);
const finding = (n: number, change: Partial<Parameters<typeof sampleFinding>[0]> = {}): CorrelationFinding =>
  sampleFinding({ customerId: customer.id, id: idOf(n), ...change });

const run = (n: number, at: number): CorrelationRun => ({
  id: `0190abcd-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
  status: 'COMPLETED',
  parameters: { startDate: iso(0), endDate: iso(1), sandboxSlug: null, ...DEFAULT_SETTINGS },
  analyzedSignals: 0,
  totalSignals: 0,
  patternCount: 0,
  patternsLeftOut: 0,
  failure: null,
  createdAt: iso(at),
  updatedAt: iso(at),
  completedAt: iso(at),
});
async function keep(runs: readonly CorrelationRun[]): Promise<void> {
  for (const one of runs)
    await noteRun(world.harness.state.documents, customer.id, one, {
      isNew: true,
      patterns: { patterns: [] },
    });
}

/** Signals of a minute, as stored rows and as members of a finding. */
function signalsAt(start: number, count: number): { rows: SignalRow[]; members: StoredSignal[] } {
  const signals = signalsOf(
    Array.from({ length: count }, (_, n) => draftAt(start + n * 1_000, { riskLevel: 'HIGH' })),
  );
  return { rows: rowsOf(customer.id, signals), members: signals };
}
const membersOf = (signals: readonly StoredSignal[]) =>
  signals.map(({ index, id, createdAt }) => ({ index, id, at: createdAt }));

describe('a finding', () => {
  test('has the shape of a run with one pattern, open or closed, in lists too', async () => {
    const { rows, members } = signalsAt(BEGIN_MS, 5);
    await world.real.insert(SIGNALS, rows);
    const given = {
      members: membersOf(members),
      foundAt: BEGIN_MS + 9_000,
      settings: { windowMinutes: 60, minSignals: 4, dimensions: ['violation'] as const },
    };
    await store([finding(1, given)]);
    const open = {
      id: idOf(1),
      source: 'STREAM',
      status: 'RUNNING',
      parameters: {
        startDate: iso(BEGIN_MS),
        endDate: iso(BEGIN_MS + HOUR_MS - 1),
        sandboxSlug: null,
        windowMinutes: 60,
        minSignals: 4,
        dimensions: ['violation'],
      },
      analyzedSignals: 5,
      totalSignals: 5,
      progress: 0.99,
      patternCount: 1,
      patternsLeftOut: 0,
      failure: null,
      createdAt: iso(BEGIN_MS + 9_000),
      completedAt: null,
    };
    const pattern = {
      id: idOf(1),
      type: 'BURST',
      key: 'violation:SSN',
      source: 'STREAM',
      status: 'OPEN',
      version: 9,
      windowStart: iso(BEGIN_MS),
      windowEnd: iso(BEGIN_MS + HOUR_MS),
      count: 5,
      baseline: 0.5,
      observed: 5,
      score: 0.9,
      test: 'negative binomial tail',
      pValue: 1e-9,
      riskLevel: 'HIGH',
      signalIds: members.map(({ id }) => id),
      firstSeen: iso(BEGIN_MS),
      lastSeen: iso(BEGIN_MS + 4_000),
      description: 'Many of them.',
    };
    const shown = { ...open, patterns: [pattern] };
    expect((await get(`/${idOf(1)}`)).body.data).toEqual(shown);
    expect((await get('')).body.data).toEqual([shown]);

    const changedAt = BEGIN_MS + 2 * HOUR_MS;
    await store([finding(1, { ...given, status: 'CLOSED', version: 12, changedAt })]);
    const closed = {
      ...open,
      status: 'COMPLETED',
      progress: 1,
      completedAt: iso(changedAt),
      patterns: [{ ...pattern, status: 'CLOSED', version: 12 }],
    };
    expect((await get(`/${idOf(1)}`)).body.data).toEqual(closed);
    expect((await get('')).body).toMatchObject({ data: [closed], pagination: { total: 1 } });
    await store([finding(1, { ...given, status: 'RETRACTED', version: 13, changedAt })]);
    expect((await get(`/${idOf(1)}`)).body.data).toMatchObject({
      status: 'COMPLETED',
      patterns: [{ status: 'RETRACTED' }],
    });
  });

  test('of another customer is neither found nor listed', async () => {
    await store([finding(1)]);
    const stranger = await world.harness.customer();
    expect((await get(`/${idOf(1)}`)).status).toBe(200);
    const answer = await get(`/${idOf(1)}`, stranger.headers);
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await get('', stranger.headers)).body).toMatchObject({ data: [], pagination: { total: 0 } });
  });
});

describe('a signal that was erased since', () => {
  test('is removed from shown findings, each by its own minimum, without a write', async () => {
    const { rows, members } = signalsAt(BEGIN_MS, 6);
    await world.real.insert(SIGNALS, rows);
    const named = { members: membersOf(members), foundAt: BEGIN_MS, status: 'CLOSED' } as const;
    await store([
      finding(1, { ...named, settings: { minSignals: 5 } }),
      finding(2, { ...named, settings: { minSignals: 6 } }),
      finding(3, { ...named, status: 'OPEN', settings: { minSignals: 6 } }),
      finding(4, { ...named, type: 'CAMPAIGN', settings: { minSignals: 2 } }),
    ]);
    const [gone, anonymized, ...others] = rows as [SignalRow, SignalRow, ...SignalRow[]];
    const stored = () => world.real.warehouse.query('SELECT * FROM correlations ORDER BY id');
    const before = await stored();
    await world.real.insert(SIGNALS, [
      blanked(gone, 'ALL', 20),
      { ...blanked(anonymized, 'DETAIL', 21), fingerprint: null },
    ]);

    const list = await get('');
    expect(list.text).not.toContain(gone.auditId);
    const [campaign, open, few, enough] = list.body.data;
    const ids = [anonymized, ...others].map(({ auditId }) => auditId);
    expect(enough).toMatchObject({
      id: idOf(1),
      status: 'COMPLETED',
      analyzedSignals: 5,
      patterns: [
        {
          status: 'CLOSED',
          count: 5,
          signalIds: ids,
          firstSeen: anonymized.createdAt,
          description: 'Many of them. 1 of them was erased since.',
        },
      ],
    });
    expect(few).toMatchObject({ id: idOf(2), patterns: [{ status: 'RETRACTED', count: 5 }] });
    expect(open).toMatchObject({ id: idOf(3), status: 'COMPLETED', patterns: [{ status: 'RETRACTED' }] });
    // A prompt without a fingerprint resembles no other.
    expect(campaign).toMatchObject({ id: idOf(4), patterns: [{ status: 'CLOSED', count: 4 }] });
    for (const one of list.body.data) {
      const alone = await get(`/${one.id}`);
      expect(alone.body.data).toEqual(one);
      expect(alone.text).not.toContain(gone.auditId);
    }
    expect(await stored()).toEqual(before);
  });
});

describe('the list of correlations', () => {
  const sources = async (query: string): Promise<string[]> =>
    (await get(query)).body.data.map(({ source }: { source: string }) => source);

  test('has both kinds or one of them, and only findings with a type', async () => {
    await store([finding(1), finding(2, { type: 'CAMPAIGN' }), finding(3, { type: 'CAMPAIGN' })]);
    await keep([run(4, BEGIN_MS)]);
    expect((await sources('')).sort()).toEqual(['RUN', 'STREAM', 'STREAM', 'STREAM']);
    expect(await sources('?source=RUN')).toEqual(['RUN']);
    expect(await sources('?source=STREAM')).toEqual(['STREAM', 'STREAM', 'STREAM']);
    const campaigns = (await get('?type=CAMPAIGN')).body;
    expect(campaigns.data.map(({ id }: { id: string }) => id)).toEqual([idOf(3), idOf(2)]);
    expect(campaigns.pagination.total).toBe(2);
    expect((await get('?type=BURST&source=STREAM')).body.pagination.total).toBe(1);
    expect((await get('?type=CAMPAIGN&source=RUN')).body).toMatchObject({
      data: [],
      pagination: { total: 0, pages: 0, nextCursor: null },
    });
    expect((await get('?type=NOTHING')).status).toBe(400);
  });

  /** Runs and findings share these times, so that ids decide too. */
  const times = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: KEPT_RUNS });
  test('has every row once, newest first, with pages and cursors, however both kinds are mixed', async () => {
    await fc.assert(
      fc.asyncProperty(
        times,
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 25 }),
        fc.integer({ min: 1, max: 7 }),
        async (runTimes, findingTimes, limit) => {
          await world.real.clear();
          customer = await world.harness.customer();
          const at = (minute: number): number => BEGIN_MS + minute * 60_000;
          const runs = runTimes.map((minute, n) => run(2 * n, at(minute)));
          // Runs are requested in order of time.
          await keep(runs.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)));
          const findings = findingTimes.map((minute, n) => finding(2 * n + 1, { foundAt: at(minute) }));
          if (findings.length > 0) await store(findings);
          const wanted = [
            ...runs.map(({ createdAt, id }) => createdAt + id),
            ...findings.map(({ foundAt, id }) => foundAt + id),
          ]
            .sort()
            .reverse();
          const keysOf = (rows: readonly { createdAt: string; id: string }[]): string[] =>
            rows.map(({ createdAt, id }) => createdAt + id);
          const byPage: string[] = [];
          const byCursor: string[] = [];
          let cursor: string | null = null;
          const pages = Math.ceil(wanted.length / limit);
          for (let page = 1; page <= Math.max(1, pages); page += 1) {
            const numbered = (await get(`?limit=${limit}&page=${page}`)).body;
            const followed: typeof numbered = (
              await get(`?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
            ).body;
            expect(followed).toEqual(numbered);
            expect(numbered.pagination).toMatchObject({ page, total: wanted.length, pages });
            expect(numbered.pagination.nextCursor === null).toBe(page >= pages);
            byPage.push(...keysOf(numbered.data));
            byCursor.push(...keysOf(followed.data));
            cursor = followed.pagination.nextCursor;
          }
          expect(byPage).toEqual(wanted);
          expect(byCursor).toEqual(wanted);
          expect((await get(`?limit=${limit}&page=${pages + 1}`)).body.data).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);
});
