import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '#jest';
import { AUDITS, SIGNALS } from '#schemas/tables/tables.ts';
import { RISK_LEVELS, type RiskLevel } from '#schemas/vocabulary.ts';
import {
  auditIdOf,
  CODES,
  history,
  insertsOf,
  type MadeAudit,
  MODELS,
  type Owner,
  PROVIDERS,
  SLUGS,
  time,
} from '../testing/audit-history.ts';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../testing/real-warehouse.ts';

/**
 * Every number of the dashboard equals a plain count over the audits, whether they were stored twice, out of order,
 * erased or anonymized, for any filter and any spelling of its dates.
 */

let real: RealWarehouse;
let harness: Harness;
const customers: TestCustomer[] = [];
const owners: Owner[] = [];

beforeAll(async () => {
  real = await startRealWarehouse();
  harness = await startHarness({ warehouse: real.warehouse });
  for (let number = 0; number < 2; number += 1) {
    const customer = await harness.customer();
    const sandboxIds: string[] = [];
    for (const slug of SLUGS) {
      const payload = { name: slug, slug, sandboxType: 'FULL_SPECTRUM' };
      const made = await harness.call({
        method: 'POST',
        url: '/sandboxes',
        headers: customer.headers,
        payload,
      });
      sandboxIds.push(made.body.id);
    }
    customers.push(customer);
    owners.push({ customerId: customer.id, sandboxIds });
  }
}, 60_000);
afterAll(async () => {
  await harness.close();
  await real.close();
});

const MINUTE_MS = 60_000;
const LENGTHS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 1_440 * MINUTE_MS };

/** A time as a client might write it, with its meaning at the start and at the end of a range. */
const dateText = fc.oneof(
  fc
    .tuple(time, fc.constantFrom(0, 330, -480, 840))
    .map(([at, zoneMinutes]) => ({ text: inZone(at, zoneMinutes), from: at, to: at })),
  time.map((at) => {
    const midnight = Math.floor(at / LENGTHS.day) * LENGTHS.day;
    const text = new Date(midnight).toISOString().slice(0, 10);
    return { text, from: midnight, to: midnight + LENGTHS.day - 1 };
  }),
);
type DateText = typeof dateText extends fc.Arbitrary<infer Value> ? Value : never;

function inZone(at: number, zoneMinutes: number): string {
  if (zoneMinutes === 0) return new Date(at).toISOString();
  const local = new Date(at + zoneMinutes * MINUTE_MS).toISOString().slice(0, -1);
  const [hours, minutes] = [Math.floor(Math.abs(zoneMinutes) / 60), Math.abs(zoneMinutes) % 60];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${local}${zoneMinutes < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
}

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.tuple(fc.boolean(), arbitrary).map(([given, value]) => (given ? value : undefined));
const inAnyOrder = (levels: RiskLevel[]) =>
  fc.shuffledSubarray(levels, { minLength: levels.length, maxLength: levels.length });
const question = fc.record({
  riskLevel: maybe(fc.subarray([...RISK_LEVELS], { minLength: 1 }).chain(inAnyOrder)),
  sandbox: maybe(fc.nat(SLUGS.length - 1)),
  otherSpelling: fc.boolean(),
  provider: maybe(fc.constantFrom(...PROVIDERS)),
  model: maybe(fc.constantFrom(...MODELS)),
  violation: maybe(fc.constantFrom(...CODES)),
  from: maybe(dateText),
  to: maybe(dateText),
  longNames: fc.boolean(),
  limit: fc.integer({ min: 8, max: 40 }),
  interval: fc.constantFrom('minute' as const, 'hour' as const, 'day' as const),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

const slugOf = ({ sandbox, otherSpelling }: Question): string | undefined => {
  const slug = sandbox === undefined ? undefined : SLUGS[sandbox]!;
  return otherSpelling ? slug?.replace(/[-_]/, (c) => (c === '-' ? '_' : '-')) : slug;
};

function parameters(asked: Question, names: readonly string[]): URLSearchParams {
  const { riskLevel, provider, model, violation, from, to, longNames } = asked;
  const [begin, end] = longNames ? ['startDate', 'endDate'] : ['from', 'to'];
  const all: Record<string, string | undefined> = {
    riskLevel: riskLevel?.join(','),
    provider,
    model,
    violation,
    sandboxSlug: slugOf(asked),
  };
  const given = Object.entries(all).filter(([name, value]) => names.includes(name) && value !== undefined);
  const dates = [
    [begin!, from?.text],
    [end!, to?.text],
  ].filter(([, value]) => value !== undefined);
  return new URLSearchParams([...given, ...dates] as [string, string][]);
}
const FILTERS = ['riskLevel', 'provider', 'model', 'violation', 'sandboxSlug'];

const lies = (at: number, from: DateText | undefined, to: DateText | undefined): boolean =>
  at >= (from?.from ?? 0) && at <= (to?.to ?? Number.MAX_SAFE_INTEGER);
const hasSignal = ({ fate }: MadeAudit): boolean => ['stored', 'internal', 'anonymized'].includes(fate);

function signalsOf(audits: readonly MadeAudit[], asked: Question): MadeAudit[] {
  const { riskLevel, sandbox, provider, model, violation, from, to } = asked;
  return audits
    .filter(hasSignal)
    .filter((one) => riskLevel === undefined || riskLevel.includes(one.riskLevel))
    .filter((one) => sandbox === undefined || one.sandbox === sandbox)
    .filter((one) => provider === undefined || one.provider === provider)
    .filter((one) => model === undefined || one.model === model)
    .filter((one) => violation === undefined || one.violations.includes(violation))
    .filter((one) => lies(one.createdAt, from, to))
    .sort((a, b) => b.createdAt - a.createdAt || (auditIdOf(a) < auditIdOf(b) ? 1 : -1));
}

const countBy = (keys: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
};
const riskLevelsOf = (signals: readonly MadeAudit[]) =>
  Object.fromEntries(
    RISK_LEVELS.map((level) => [level, signals.filter(({ riskLevel }) => riskLevel === level).length]),
  );

let key = {};
const get = async (path: string, query: URLSearchParams) => {
  const answer = await harness.call({ url: `${path}?${query}`, headers: key });
  if (answer.status !== 200) throw new Error(`${path}?${query}: ${answer.text}`);
  return answer.body;
};

async function checkList(audits: readonly MadeAudit[], asked: Question): Promise<void> {
  const expected = signalsOf(audits, asked);
  const query = parameters(asked, FILTERS);
  query.set('limit', String(asked.limit));
  const total = expected.length;
  const pages = Math.ceil(total / asked.limit);
  let cursor: string | null = null;
  for (let page = 1; page <= Math.max(1, pages); page += 1) {
    const wanted = expected.slice((page - 1) * asked.limit, page * asked.limit);
    const byNumber = await get('/dashboard/signals', new URLSearchParams([...query, ['page', String(page)]]));
    const byCursor: typeof byNumber =
      cursor === null
        ? byNumber
        : await get('/dashboard/signals', new URLSearchParams([...query, ['cursor', cursor]]));
    expect(byCursor).toEqual(byNumber);
    expect(
      byNumber.signals.map((one: Record<string, unknown>) => [one.auditId, one.riskLevel, one.anonymized]),
    ).toEqual(
      wanted.map((one) => [auditIdOf(one), one.riskLevel, one.fate === 'anonymized' ? true : undefined]),
    );
    const { nextCursor, ...pagination } = byNumber.pagination;
    expect(pagination).toEqual({ page, limit: asked.limit, total, pages });
    expect(nextCursor === null).toBe(page >= pages);
    cursor = nextCursor;
  }
}

function modelsOf(signals: readonly MadeAudit[]) {
  const counts = new Map<string, { provider: string; model: string; count: number }>();
  for (const { provider, model } of signals) {
    const known = counts.get(`${model} ${provider}`) ?? { provider, model, count: 0 };
    counts.set(`${model} ${provider}`, { ...known, count: known.count + 1 });
  }
  return [...counts]
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .map(([, counted]) => counted);
}

const statesOf = (audits: readonly MadeAudit[]) => {
  const of = (...fates: MadeAudit['fate'][]): number =>
    audits.filter(({ fate }) => fates.includes(fate)).length;
  return {
    stored: of('stored', 'internal', 'anonymized'),
    inFlight: of('queued'),
    retrying: of('retrying'),
    deadLettered: of('failed'),
    erased: of('erased'),
  };
};

/** What the audit list shows for each state that `auditBreakdown` counts. */
const LISTED_AS = {
  stored: 'status=COMPLETED&erased=false',
  inFlight: 'status=QUEUED&erased=false',
  retrying: 'status=PROCESSING&erased=false',
  deadLettered: 'status=FAILED&erased=false',
  erased: 'erased=true',
};

/** Checks that a list with the same filter and period as a number has that number as its total. */
async function checkTotals(asked: Question): Promise<void> {
  const stats = await get('/dashboard/stats', parameters(asked, ['sandboxSlug']));
  const totalOf = async (path: string, extra: string): Promise<number> => {
    const query = new URLSearchParams([
      ...parameters(asked, ['sandboxSlug']),
      ...new URLSearchParams(extra),
      ['limit', '1'],
    ]);
    return (await get(path, query)).pagination.total;
  };
  expect(await totalOf('/audits', '')).toBe(stats.totalAudits);
  for (const [state, filter] of Object.entries(LISTED_AS))
    expect([state, await totalOf('/audits', filter)]).toEqual([state, stats.auditBreakdown[state]]);
  for (const level of RISK_LEVELS)
    expect([level, await totalOf('/dashboard/signals', `riskLevel=${level}`)]).toEqual([
      level,
      stats.riskBreakdown[level],
    ]);
  for (const { code, count } of stats.topViolations)
    expect([code, await totalOf('/dashboard/signals', `violation=${code}`)]).toEqual([code, count]);
  const series = parameters(asked, FILTERS);
  series.set('interval', 'auto');
  const { data, from, to } = await get('/dashboard/timeseries', series);
  const listed = new URLSearchParams([...parameters({ ...asked, from: undefined, to: undefined }, FILTERS)]);
  listed.set('from', from);
  listed.set('to', to);
  const { pagination } = await get('/dashboard/signals', listed);
  expect(data.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(pagination.total);
  const reasons = await get('/dead-letters/reasons', parameters(asked, ['sandboxSlug']));
  const letters = reasons.data.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  expect(await totalOf('/dead-letters', '')).toBe(letters);
}

async function checkStats(audits: readonly MadeAudit[], asked: Question): Promise<void> {
  const plain = {
    ...asked,
    riskLevel: undefined,
    provider: undefined,
    model: undefined,
    violation: undefined,
  };
  const signals = signalsOf(audits, plain);
  const accepted = audits.filter(
    ({ sandbox, acceptedAt }) =>
      (asked.sandbox === undefined || sandbox === asked.sandbox) && lies(acceptedAt, asked.from, asked.to),
  );
  const { asOf, freshness, data, ...found } = await get(
    '/dashboard/stats',
    parameters(asked, ['sandboxSlug']),
  );
  expect(data).toEqual({ ...found, asOf, freshness });
  expect(found).toEqual({
    totalAudits: accepted.length,
    auditBreakdown: statesOf(accepted),
    riskBreakdown: riskLevelsOf(signals),
    topViolations: countBy(signals.flatMap(({ violations }) => violations)).map(([code, count]) => ({
      code,
      count,
    })),
    sandboxBreakdown: countBy(signals.map(({ sandbox }) => SLUGS[sandbox]!)).map(([slug, count]) => ({
      slug,
      count,
    })),
    modelBreakdown: modelsOf(signals),
  });
}

async function checkSeries(audits: readonly MadeAudit[], asked: Question): Promise<void> {
  const length = LENGTHS[asked.interval];
  const to = asked.to ?? {
    text: '2026-03-03T23:59:59.999Z',
    from: 0,
    to: Date.parse('2026-03-03T23:59:59.999Z'),
  };
  const shortest = { text: new Date(to.to - 700 * length).toISOString(), from: to.to - 700 * length, to: 0 };
  const from = asked.from !== undefined && asked.from.from > shortest.from ? asked.from : shortest;
  const whole = { ...asked, from, to };
  const signals = signalsOf(audits, whole);
  const query = parameters(whole, FILTERS);
  query.set('interval', asked.interval);
  const { data } = await get('/dashboard/timeseries', query);
  const first = Math.floor(from.from / length);
  expect(data).toEqual(
    Array.from({ length: Math.floor(to.to / length) - first + 1 }, (_, index) => {
      const at = (first + index) * length;
      const within = signals.filter(({ createdAt }) => createdAt >= at && createdAt < at + length);
      return { at: new Date(at).toISOString(), count: within.length, riskLevels: riskLevelsOf(within) };
    }),
  );
}

async function checkReconciliation(audits: readonly MadeAudit[]): Promise<void> {
  expect(await get('/dashboard/books', new URLSearchParams())).toMatchObject({
    accepted: audits.length,
    ...statesOf(audits),
    balanced: true,
    difference: 0,
  });
}

test('list, stats, timeseries and reconciliation agree with a plain count', async () => {
  const ordered = question.map((asked) => {
    const turned = asked.from !== undefined && asked.to !== undefined && asked.from.from > asked.to.to;
    return turned ? { ...asked, from: asked.to, to: asked.from } : asked;
  });
  const run = fc.asyncProperty(
    history,
    fc.array(ordered, { minLength: 4, maxLength: 4 }),
    async (audits, questions) => {
      await real.clear();
      for (const insert of insertsOf(audits, owners)) {
        await real.insert(SIGNALS, insert.signals);
        await real.insert(AUDITS, insert.audits);
      }
      for (const [customer, { headers }] of customers.entries()) {
        key = headers;
        const own = audits.filter((made) => made.customer === customer);
        await checkReconciliation(own);
        for (const asked of customer === 0 ? questions : questions.slice(0, 1)) {
          await checkList(own, asked);
          await checkStats(own, asked);
          await checkSeries(own, asked);
          if (asked === questions[0]) await checkTotals(asked);
        }
      }
    },
  );
  await fc.assert(run, { numRuns: 3 });
}, 240_000);
