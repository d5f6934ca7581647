import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { RouteContract } from '#schemas/api/contract.ts';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { DAYS, type DatedWorld, endOf, startDatedWorld } from './testing/dated-world.ts';
import type { Answered } from './testing/harness.ts';

/** Every list and every run over a period accepts a range of dates, in both spellings; checked for all contracts. */

type Json = { readonly [name: string]: Json } & {
  readonly properties?: Json;
  readonly anyOf?: readonly Json[];
};

const NAMES = ['from', 'to', 'startDate', 'endDate'] as const;
type Name = (typeof NAMES)[number];

const shapeOf = (schema: z.ZodType | undefined): Json =>
  (schema === undefined ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) as Json;
const has = (shape: Json | undefined): readonly Name[] =>
  NAMES.filter((name) => shape?.properties?.[name] !== undefined);

/** Where a contract accepts dates; null: nowhere. */
function acceptedIn({
  query,
  body,
}: RouteContract): { part: 'query' | 'body' | 'filter'; names: readonly Name[] } | null {
  const sent = shapeOf(body);
  const shapes = { query: shapeOf(query), body: sent, filter: sent.properties?.filter as Json | undefined };
  for (const location of ['query', 'body', 'filter'] as const)
    if (has(shapes[location]).length > 0) return { part: location, names: has(shapes[location]) };
  return null;
}

const AUDITED = /^\/(evidence|auditor|dashboard|audits|dead-letters)\b/;
const answerOf = ({ responses, successStatus }: RouteContract): string =>
  JSON.stringify(shapeOf(responses[successStatus]));
const isList = (contract: RouteContract): boolean =>
  AUDITED.test(contract.path) &&
  shapeOf(contract.responses[contract.successStatus]).properties?.pagination !== undefined;
/** Whether the answer names a period; a record that is read by its id has the period of its creation. */
const isOfPeriod = (contract: RouteContract): boolean =>
  AUDITED.test(contract.path) &&
  (contract.method === 'GET' || contract.method === 'POST') &&
  !contract.path.endsWith('/:id') &&
  /"(startDate|periodStart|period)":/.test(answerOf(contract));
/** An auditor's access has a period, which is a field of the auditor's record. */
const OWN_PERIOD: readonly string[] = ['createAuditor'];

const LISTS = ROUTES.filter(isList);
const DATED = ROUTES.filter((contract) => acceptedIn(contract) !== null);

describe('both spellings of a range', () => {
  const wanted = ROUTES.filter(
    (contract) =>
      (isList(contract) || isOfPeriod(contract) || acceptedIn(contract) !== null) &&
      !OWN_PERIOD.includes(contract.operationId),
  );
  test.each(wanted.map((contract) => [contract.operationId, contract] as const))(
    'are accepted by %s',
    (_id, contract) => {
      expect(acceptedIn(contract)?.names).toEqual(NAMES);
    },
  );

  test('are in the OpenAPI description of each operation', () => {
    const { paths } = openApi(ROUTES, { keyHeader: 'x-service-key' }) as {
      paths: Record<string, Record<string, Json>>;
    };
    for (const { method, path, query } of wanted) {
      if (query === undefined || has(shapeOf(query)).length === 0) continue;
      const operation = paths[path.replace(/:([A-Za-z]+)/g, '{$1}')]![method.toLowerCase()]!;
      const parameters = (operation.parameters as unknown as { name: string }[]).map(({ name }) => name);
      expect(parameters).toEqual(expect.arrayContaining([...NAMES]));
    }
  });

  test('are checked for lists of every kind', () => {
    expect(LISTS.map(({ operationId }) => operationId).sort()).toEqual(
      expect.arrayContaining([
        'auditIncidents',
        'listAuditors',
        'listCorrelations',
        'listIncidents',
        'listPackages',
      ]),
    );
  });
});

/** How much an answer counted. A list counts its rows. */
const COUNTS: Readonly<Record<string, (answer: Answered) => number>> = {
  listAttestations: ({ body }) => body.data[0].signalCount,
  auditAttestations: ({ body }) => body.data[0].signalCount,
  exportSignals: ({ text }) => text.trim().split('\n').length - 1,
  getExportManifest: ({ body }) => body.rowCount,
  getStats: ({ body }) => sum(Object.values(body.riskBreakdown)),
  getTimeseries: ({ body }) => sum(body.data.map((point: { count: number }) => point.count)),
  listDeadLetterReasons: ({ body }) => sum(body.data.map((row: { count: number }) => row.count)),
  replayDeadLetters: ({ body }) => body.matched,
  getPolicyReport: ({ body }) => body.data.evaluatedSignals,
  detectCorrelations: ({ body }) => body.data.analyzedSignals,
};
/** Answers that count nothing, but name their period. */
const PERIODS: Readonly<Record<string, (answer: Answered) => readonly [string, string]>> = {
  getCoverage: ({ body }) => [body.data[0].periodStart, body.data[0].periodEnd],
  auditCoverage: ({ body }) => [body.data[0].periodStart, body.data[0].periodEnd],
  createPackage: ({ body }) => [body.data.startDate, body.data.endDate],
};
const sum = (numbers: readonly unknown[]): number =>
  numbers.reduce<number>((all, one) => all + Number(one), 0);
const rows = ({ body }: Answered): number => body.pagination.total;

type Dates = Partial<Record<Name, string>>;

describe('a range of dates', () => {
  let world: DatedWorld;
  beforeAll(async () => {
    world = await startDatedWorld();
  }, 120_000);
  afterAll(() => world.close());

  const BODIES: Readonly<Record<string, object>> = {
    createPackage: { framework: 'SOC2' },
    replayDeadLetters: { dryRun: true },
  };
  const ask = (contract: RouteContract, dates: Dates): Promise<Answered> => {
    const { part: location } = acceptedIn(contract)!;
    const path = contract.path.replace(':id', world.policyId);
    if (contract.method === 'GET') return world.call('GET', `${path}?${new URLSearchParams(dates)}`);
    const body = location === 'filter' ? { filter: dates } : dates;
    return world.call('POST', path, { ...BODIES[contract.operationId], ...body });
  };

  // Lists first: each run makes a record.
  const asked = DATED.toSorted(
    (one, other) => Number(one.method === 'POST') - Number(other.method === 'POST'),
  );
  const counted = asked.filter(({ operationId }) => PERIODS[operationId] === undefined);

  test.each(counted.map((contract) => [contract.operationId, contract] as const))(
    'selects in %s, in either spelling',
    async (_id, contract) => {
      const read = COUNTS[contract.operationId] ?? rows;
      const count = async (dates: Dates): Promise<number> => {
        const answer = await ask(contract, dates);
        expect([answer.status, answer.text]).toEqual([contract.successStatus, expect.anything()]);
        return read(answer);
      };
      const [first, second, third] = DAYS;
      const short = (start: string | undefined, end: string | undefined): Promise<number> =>
        count({ ...(start && { from: start }), ...(end && { to: end }) });
      const long = (start: string | undefined, end: string | undefined): Promise<number> =>
        count({ ...(start && { startDate: start }), ...(end && { endDate: end }) });
      const before = await short(first, first);
      const inside = await long(second, second);
      const after = await short(third, third);
      expect([before > 0, inside > before, after > 0]).toEqual([true, true, true]);
      // A bare date as an end means the end of that day, where the records are.
      expect(await short(undefined, second)).toBe(before + inside);
      expect(await long(undefined, second)).toBe(before + inside);
      expect(await long(second, undefined)).toBe(inside + after);
      const at = endOf(second);
      const iso = (ms: number): string => new Date(ms).toISOString();
      expect(await short(iso(at), iso(at))).toBe(inside);
      expect(await long(iso(at - 60_000), iso(at - 1))).toBe(0);
      expect(await short(iso(at + 1), iso(at + 60_000))).toBe(0);
    },
  );

  test.each(
    asked
      .filter(({ operationId }) => PERIODS[operationId])
      .map((contract) => [contract.operationId, contract] as const),
  )('is the period of %s, in either spelling', async (_id, contract) => {
    const read = PERIODS[contract.operationId]!;
    const period = ['2026-11-11T00:00:00.000Z', '2026-11-11T23:59:59.999Z'];
    for (const dates of [
      { from: DAYS[1], to: DAYS[1] },
      { startDate: DAYS[1], endDate: DAYS[1] },
    ])
      expect(read(await ask(contract, dates))).toEqual(period);
  });

  const BOTH: readonly Dates[] = [
    { from: DAYS[0], endDate: DAYS[2] },
    { startDate: DAYS[0], to: DAYS[2] },
    { from: DAYS[0], startDate: DAYS[0] },
    { to: DAYS[2], endDate: DAYS[2] },
    { from: DAYS[0], to: DAYS[2], startDate: DAYS[0], endDate: DAYS[2] },
  ];
  const REVERSED: readonly Dates[] = [
    { from: DAYS[2], to: DAYS[0] },
    { startDate: DAYS[2], endDate: DAYS[0] },
  ];
  const BROKEN: readonly Dates[] = [
    { from: 'yesterday', to: DAYS[2] },
    { startDate: DAYS[0], endDate: '2026-02-30' },
  ];
  test.each(asked.map((contract) => [contract.operationId, contract] as const))(
    'is refused by %s if it is in both spellings, starts after its end or is not a date',
    async (_id, contract) => {
      for (const dates of [...BOTH, ...REVERSED, ...BROKEN]) {
        const answer = await ask(contract, dates);
        expect([dates, answer.status, answer.body.code]).toEqual([dates, 400, 'INVALID_REQUEST']);
      }
    },
  );
});
