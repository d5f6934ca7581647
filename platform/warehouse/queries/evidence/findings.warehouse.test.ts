import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { CORRELATIONS, type CorrelationRow } from '#schemas/tables/tables.ts';
import { openWarehouse } from '../../client/clickhouse.ts';
import { migrate } from '../../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../../embedded/process.ts';
import type { Warehouse } from '../../port.ts';
import { countFindings, type FindingPage, findFinding, listFindings } from './findings.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'findings-'));
const logger = createLogger('silent');
const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const OTHER = '0190aaaa-0000-7000-8000-0000000000c2';
const BEGIN = Date.UTC(2026, 1, 27, 22);

const idOf = (n: number): string => `0190bbbb-0000-8000-8000-${n.toString(16).padStart(12, '0')}`;
const iso = (at: number): string => new Date(at).toISOString();
/** Higher numbers are older; each two of them were found at the same time. */
const foundAt = (n: number): number => BEGIN - (n >> 1) * 60_000;
const row = (n: number, change: Partial<CorrelationRow> = {}): CorrelationRow => ({
  customerId: CUSTOMER,
  id: idOf(n),
  version: 7,
  foundAt: iso(foundAt(n)),
  changedAt: iso(foundAt(n) + 5),
  type: n % 3 === 0 ? 'BURST' : 'CAMPAIGN',
  status: 'OPEN',
  score: 0.75,
  riskLevel: 'HIGH',
  pattern: `{"number":${n}}`,
  settings: '{}',
  ...change,
});

let engine: EmbeddedWarehouse;
let warehouse: Warehouse;
beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => warehouse.command(`TRUNCATE TABLE ${CORRELATIONS.name}`));

const insert = (rows: readonly CorrelationRow[]): Promise<void> =>
  warehouse.insert(CORRELATIONS.name, columnNames(CORRELATIONS), rows as never);
const ALL: FindingPage = { offset: 0, limit: 100, after: null };
const list = async (filter: object = {}, page: Partial<FindingPage> = {}): Promise<CorrelationRow[]> =>
  listFindings(warehouse, { customerId: CUSTOMER, ...filter }, { ...ALL, ...page });
const ids = (rows: readonly CorrelationRow[]): string[] => rows.map(({ id }) => id);
/** Newest first, equal times by id. */
const ordered = (rows: readonly CorrelationRow[]): CorrelationRow[] =>
  rows.toSorted((a, b) => (b.foundAt + b.id < a.foundAt + a.id ? -1 : 1));

describe('among rows of one finding', () => {
  test.each([
    ['one after the other', [[7], [9], [12]]],
    ['a late old version last', [[12], [7], [9]]],
    ['repeats of all', [[7], [12], [12], [7]]],
    ['all at once', [[9, 12, 7]]],
  ])('the highest version counts: %s', async (_what, inserts) => {
    for (const versions of inserts)
      await insert(
        versions.map((version) =>
          row(1, {
            version,
            status: version === 12 ? 'CLOSED' : 'OPEN',
            pattern: `{"version":${version}}`,
          }),
        ),
      );
    const newest = row(1, { version: 12, status: 'CLOSED', pattern: '{"version":12}' });
    expect(await list()).toEqual([newest]);
    expect(await findFinding(warehouse, CUSTOMER, idOf(1))).toEqual(newest);
    // Its previous status no longer matches.
    expect(await list({ status: 'OPEN' })).toEqual([]);
    expect(ids(await list({ status: 'CLOSED' }))).toEqual([idOf(1)]);
    expect(await countFindings(warehouse, { customerId: CUSTOMER, status: 'OPEN' }, [])).toEqual({
      total: 0,
      newer: [],
    });
    await warehouse.command(`OPTIMIZE TABLE ${CORRELATIONS.name} FINAL`);
    expect(await list()).toEqual([newest]);
  });
});

describe('a page of findings', () => {
  const all = Array.from({ length: 31 }, (_, n) => row(n));
  beforeEach(async () => {
    await insert(all.toReversed());
    await insert([row(2, { customerId: OTHER }), row(90, { customerId: OTHER })]);
    // Another version of some rows, identical except for the number.
    await insert([4, 11, 30].map((n) => row(n, { version: 6 })));
  });

  test('is ordered newest first for one customer, by offset and by cursor alike', async () => {
    const wanted = ordered(all);
    expect(await list()).toEqual(wanted);
    for (const offset of [0, 1, 10, 29, 31, 40])
      expect(ids(await list({}, { offset, limit: 4 }))).toEqual(ids(wanted.slice(offset, offset + 4)));
    for (const index of [0, 1, 10, 29, 30]) {
      const after = { foundAt: Date.parse(wanted[index]!.foundAt), id: wanted[index]!.id };
      expect(ids(await list({}, { after, limit: 4 }))).toEqual(ids(wanted.slice(index + 1, index + 5)));
    }
  });

  test('is limited to a type', async () => {
    const bursts = ordered(all.filter(({ type }) => type === 'BURST'));
    expect(ids(await list({ type: 'BURST' }, { offset: 2, limit: 3 }))).toEqual(ids(bursts.slice(2, 5)));
    expect((await countFindings(warehouse, { customerId: CUSTOMER, type: 'BURST' }, [])).total).toBe(11);
    expect(await list({ type: 'ESCALATION' })).toEqual([]);
  });

  test('counts how many findings are newer than records of another kind', async () => {
    const keys = [
      { foundAt: BEGIN + 1, id: idOf(0) },
      { foundAt: foundAt(10), id: idOf(10) },
      { foundAt: foundAt(10), id: idOf(11) },
      { foundAt: foundAt(10), id: 'ffffffff-0000-7000-8000-000000000000' },
      { foundAt: 0, id: idOf(0) },
    ];
    const newerThan = ({ foundAt: at, id }: (typeof keys)[number]): number =>
      all.filter((one) => one.foundAt > iso(at) || (one.foundAt === iso(at) && one.id > id)).length;
    const counted = await countFindings(warehouse, { customerId: CUSTOMER }, keys);
    expect(counted).toEqual({ total: 31, newer: keys.map(newerThan) });
    expect(counted.newer).toEqual([0, 11, 10, 10, 31]);
  });

  test('is empty for a customer without findings, with none newer than a key', async () => {
    const customerId = '0190aaaa-0000-7000-8000-0000000000c3';
    expect(await list({ customerId })).toEqual([]);
    expect(await countFindings(warehouse, { customerId }, [{ foundAt: 0, id: idOf(0) }])).toEqual({
      total: 0,
      newer: [0],
    });
    expect(await findFinding(warehouse, customerId, idOf(2))).toBeNull();
  });
});

test('another customer’s finding with the same id is a different one', async () => {
  await insert([row(2), row(2, { customerId: OTHER, version: 99 })]);
  expect((await findFinding(warehouse, CUSTOMER, idOf(2)))?.version).toBe(7);
  expect((await findFinding(warehouse, OTHER, idOf(2)))?.version).toBe(99);
  expect(await findFinding(warehouse, OTHER, idOf(3))).toBeNull();
});
