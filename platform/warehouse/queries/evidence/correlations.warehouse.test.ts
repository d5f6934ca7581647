import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { blanked, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { openWarehouse } from '../../client/clickhouse.ts';
import { migrate } from '../../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../../embedded/process.ts';
import type { Warehouse } from '../../port.ts';
import {
  correlatedSignals,
  countCorrelated,
  erasedAmong,
  hourlyCounts,
  shapeCounts,
} from './correlations.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'correlations-'));
const logger = createLogger('silent');
const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const OTHER = '0190aaaa-0000-7000-8000-0000000000c2';
const PLAIN = '0190aaaa-0000-7000-8000-0000000000c4';
const SHAPED = '0190aaaa-0000-7000-8000-0000000000c3';
const SAMPLE = storedRows([sampleDraft(0, 'SIGNAL')]).signals[0]!;
/** Key by which the only signal of another sandbox is counted. */
const SALES = {
  riskLevel: SAMPLE.riskLevel,
  violations: SAMPLE.violations,
  sandboxId: 'two',
  sandboxSlug: 'sales',
  provider: SAMPLE.provider,
  model: SAMPLE.model,
};
const HOUR_MS = 3_600_000;
const BEGIN = Date.UTC(2026, 1, 27, 22);
/** Spans the end of a month, and so two partitions of the table. */
const RANGE = { customerId: CUSTOMER, from: BEGIN, to: BEGIN + 48 * HOUR_MS - 1, slug: null };
const FINGERPRINT = 'ab'.repeat(32);

const iso = (at: number): string => new Date(at).toISOString();
const row = (index: number, at: number, change: Partial<SignalRow> = {}): SignalRow => ({
  ...SAMPLE,
  customerId: CUSTOMER,
  auditId: `0190bbbb-0000-7000-8000-${index.toString().padStart(12, '0')}`,
  index,
  createdAt: iso(at),
  acceptedAt: iso(at - 5),
  sandboxId: 'one',
  sandboxSlug: 'help-desk',
  fingerprint: null,
  ...change,
});

let engine: EmbeddedWarehouse;
let warehouse: Warehouse;
beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  const insert = (rows: readonly SignalRow[]): Promise<void> =>
    warehouse.insert(SIGNALS.name, columnNames(SIGNALS), rows as never);
  const gone = row(5, BEGIN + HOUR_MS);
  const anonymized = row(6, BEGIN + HOUR_MS + 1, { fingerprint: FINGERPRINT });
  await insert([
    // Has a lower index than the next signal, but a later creation time.
    row(3, BEGIN + 30 * HOUR_MS),
    row(4, BEGIN, { sandboxSlug: 'sales', sandboxId: 'two', fingerprint: FINGERPRINT }),
    gone,
    anonymized,
    row(7, BEGIN + 59 * 60_000),
    row(8, BEGIN + 2 * HOUR_MS, { sandboxSlug: 'help_desk' }),
    row(9, BEGIN - 1),
    row(10, RANGE.to),
    row(11, RANGE.to + 1),
    row(3, BEGIN, { customerId: OTHER }),
  ]);
  // Repeated rows, and rows after erasures.
  await insert([row(7, BEGIN + 59 * 60_000), row(8, BEGIN + 2 * HOUR_MS, { sandboxSlug: 'help_desk' })]);
  await insert([blanked(gone, 'ALL', 20), { ...blanked(anonymized, 'DETAIL', 21), fingerprint: null }]);
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

async function all<Row>(chunks: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  return rows;
}

describe('signals of a range', () => {
  test('are ordered by day and index, each once, without erased ones and those of other customers', async () => {
    const found = await all(correlatedSignals(warehouse, RANGE));
    expect(found.map(({ index }) => index)).toEqual([4, 6, 7, 8, 3, 10]);
    expect(found[0]).toEqual({
      index: 4,
      id: row(4, BEGIN).auditId,
      createdAt: BEGIN,
      ...SALES,
      fingerprint: FINGERPRINT,
      count: 1,
    });
    // Without its detail it still counts, but resembles no other signal.
    expect(found[1]).toMatchObject({ index: 6, riskLevel: SAMPLE.riskLevel, fingerprint: null });
    expect(await countCorrelated(warehouse, RANGE)).toBe(6);
  });

  test('without violation or elevated risk are counted by hour, and represented by the last one', async () => {
    const plain = (index: number, at: number, change: Partial<SignalRow> = {}): SignalRow =>
      row(index, at, { customerId: PLAIN, violations: [], riskLevel: 'LOW', fingerprint: null, ...change });
    await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), [
      plain(1, BEGIN + 3),
      plain(2, BEGIN + 1, { riskLevel: 'MEDIUM' }),
      plain(3, BEGIN + 2, { sandboxSlug: 'renamed' }),
      plain(4, BEGIN + 4, { riskLevel: 'HIGH' }),
      plain(5, BEGIN + 5, { violations: ['SSN'] }),
      plain(6, BEGIN - 1),
      plain(7, BEGIN + HOUR_MS),
      plain(8, BEGIN + 2 * HOUR_MS),
    ] as never);
    const found = await all(correlatedSignals(warehouse, { ...RANGE, customerId: PLAIN }));
    expect(
      found.map(({ index, createdAt, riskLevel, violations, count }) => [
        index,
        createdAt - BEGIN,
        riskLevel,
        violations.length,
        count,
      ]),
    ).toEqual([
      [2, 3, 'LOW', 0, 2],
      [3, 2, 'LOW', 0, 1],
      [4, 4, 'HIGH', 0, 1],
      [5, 5, 'LOW', 1, 1],
      [7, HOUR_MS, 'LOW', 0, 1],
      [8, 2 * HOUR_MS, 'LOW', 0, 1],
    ]);
    expect(found[0]).toMatchObject({ id: '', sandboxId: 'one', sandboxSlug: 'help-desk', fingerprint: null });
    expect(found[1]).toMatchObject({ sandboxSlug: 'renamed' });
  });

  test('are limited to one sandbox, however its slug is written', async () => {
    const range = { ...RANGE, slug: 'help_desk' };
    const found = await all(correlatedSignals(warehouse, range));
    expect(found.map(({ index }) => index)).toEqual([6, 7, 8, 3, 10]);
    expect(await countCorrelated(warehouse, range)).toBe(5);
    expect(await countCorrelated(warehouse, { ...RANGE, slug: 'nothing' })).toBe(0);
  });
});

describe('hourly counts', () => {
  test('group equal signals by hour, in order of their first hour', async () => {
    const found = await all(hourlyCounts(warehouse, RANGE));
    const began = BEGIN / HOUR_MS;
    expect(
      found.map(({ hours, counts, sandboxSlug }) => [sandboxSlug, hours.map((hour) => hour - began), counts]),
    ).toEqual([
      ['help-desk', [0, 1, 30, 47], [1, 1, 1, 1]],
      ['sales', [0], [1]],
      ['help_desk', [2], [1]],
    ]);
    expect(found[1]).toEqual({
      ...SALES,
      hours: [began],
      counts: [1],
    });
  });

  test('fail above their limit instead of being cut off', async () => {
    const six = hourlyCounts(warehouse, RANGE, 6);
    expect(await all(six)).toHaveLength(3);
    await expect(all(hourlyCounts(warehouse, RANGE, 1))).rejects.toMatchObject({
      name: 'WarehouseLimitExceeded',
    });
  });
});

test('counts violations by prompt shape and day, without signals that have no fingerprint', async () => {
  const [violations, others] = [['SSN', 'EMAIL', 'SSN'], ['EMAIL']];
  const shaped = (index: number, at: number, fingerprint: string | null, codes = violations): SignalRow =>
    row(index, at, { customerId: SHAPED, fingerprint, violations: codes });
  const near = FINGERPRINT.replace('ab', 'a8');
  await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), [
    shaped(1, BEGIN, FINGERPRINT),
    shaped(2, BEGIN + 1, near, others),
    shaped(3, BEGIN + 2 * HOUR_MS, near),
    shaped(4, BEGIN + 2, 'ff'.repeat(32), []),
    shaped(5, BEGIN + 3, null),
    shaped(6, RANGE.to + 1, FINGERPRINT),
  ] as never);
  const found = await all(shapeCounts(warehouse, { ...RANGE, customerId: SHAPED }));
  const day = Date.UTC(2026, 1, 27);
  expect(found).toEqual([
    { day, code: 'EMAIL', shape: 0x2a, count: 2 },
    { day, code: 'SSN', shape: 0x2a, count: 1 },
    { day: day + 24 * HOUR_MS, code: 'EMAIL', shape: 0x2a, count: 1 },
    { day: day + 24 * HOUR_MS, code: 'SSN', shape: 0x2a, count: 1 },
  ]);
});

test('reports which signals are erased, and to what extent', async () => {
  const asked = { ...RANGE, indexes: [3, 4, 5, 6, 7] };
  const found = await erasedAmong(warehouse, asked);
  expect(found.sort((a, b) => a.index - b.index)).toEqual([
    { index: 5, erased: 'ALL' },
    { index: 6, erased: 'DETAIL' },
  ]);
  expect(await erasedAmong(warehouse, { ...asked, customerId: OTHER })).toEqual([]);
  expect(await erasedAmong(warehouse, { ...asked, indexes: [] })).toEqual([]);
});
