/**
 * What attestations cost: `npm run bench:attestations [-- requests signals sandboxes]`. Fills the embedded engine with a
 * year of a million signals of one customer, and derives the status of every control as of a checkpoint, one request
 * after the other: for all frameworks and for each, over all time and over a quarter, while no sandbox names a framework
 * and when each framework is named by other sandboxes. Results: docs/performance.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { CATALOGUES, type Catalogue } from '#core/evidence/frameworks/catalogues.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { attestAt } from '#records/attestations/attest-framework.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES, type EntryRow } from '#schemas/tables/tables.ts';
import { print, printTable } from '../cli/command/output.ts';
import { quantile } from './load/open-loop.ts';
import { usageOf } from './load/process-usage.ts';
import { type HistoryOwner, mergeOldMonths, partsOf, storeHistory } from './load/signal-history.ts';

const [REQUESTS = 50, SIGNALS = 1_000_000, SANDBOXES = 10] = process.argv.slice(2).map(Number);
const WARM_UP = 5;
const DAY_MS = 86_400_000;
const DAYS = 365;
const TO = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const FROM = TO - DAYS * DAY_MS;
const ALL_TIME: DateRange = { from: undefined, to: undefined };
const QUARTER: DateRange = { from: TO - 91 * DAY_MS, to: TO };
const silent = { info() {}, warn() {}, error() {} };

const owner: HistoryOwner = {
  customerId: v7(),
  sandboxes: Array.from({ length: SANDBOXES }, (_, number) => ({ id: v7(), slug: `sandbox-${number}` })),
};
const { customerId } = owner;

/** A version of each sandbox; `regulationsOf` by its number. */
async function storeSandboxes(
  warehouse: Warehouse,
  version: number,
  regulationsOf: (number: number) => readonly string[],
): Promise<void> {
  const rows = owner.sandboxes.map(({ id, slug }, number): EntryRow => {
    const core = {
      type: 'SANDBOX',
      sandboxId: id,
      version,
      slug,
      regulations: regulationsOf(number),
      guardianAction: 'REDACT_AND_CONTINUE',
      redactionStrategy: 'FULL',
      active: true,
      deletedAt: null,
    };
    return {
      customerId,
      index: version * SANDBOXES + number,
      revision: 0,
      erased: '',
      kind: 'POLICY_EVENT',
      id: `sandbox:${id}:${version}`,
      v: 1,
      at: new Date(FROM).toISOString(),
      core: JSON.stringify(core),
      coreSalt: '',
      detail: null,
      detailSalt: '',
      previousHash: '',
      hash: '',
      epoch: 1,
      partition: 0,
      offset: 0,
    };
  });
  await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), rows);
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'attestations-bench-'));
const engine = await startEmbeddedWarehouse({ path: path.join(folder, 'warehouse'), logger: silent });
const warehouse = openWarehouse({ ...engine, logger: silent });
const state = await openEmbeddedState({ path: path.join(folder, 'state', 'state.mdb'), now: Date.now });
const checkpoint = { size: 2 * SIGNALS, issuedAt: new Date(TO).toISOString() };

async function measure(name: string, catalogues: readonly Catalogue[], range: DateRange): Promise<string[]> {
  const dependencies = { warehouse, state };
  const basis = { catalogues, range, namedOnly: false, withSamples: true };
  const once = () => attestAt(dependencies, customerId, checkpoint, basis);
  for (let number = 0; number < WARM_UP; number += 1) await once();
  const cpu = usageOf(engine.pid() ?? 0).cpuSeconds;
  const times: number[] = [];
  for (let number = 0; number < REQUESTS; number += 1) {
    const begunAt = performance.now();
    await once();
    times.push(performance.now() - begunAt);
  }
  const engineMs = ((usageOf(engine.pid() ?? 0).cpuSeconds - cpu) * 1_000) / REQUESTS;
  const sorted = times.toSorted((one, other) => one - other);
  return [name, ...[0.5, 0.95, 0.99].map((share) => quantile(sorted, share).toFixed(1)), engineMs.toFixed(1)];
}

async function report(title: string): Promise<void> {
  print(title);
  const rows = [
    await measure('all frameworks', CATALOGUES, ALL_TIME),
    await measure('all frameworks, a quarter', CATALOGUES, QUARTER),
  ];
  for (const catalogue of CATALOGUES) rows.push(await measure(catalogue.framework, [catalogue], ALL_TIME));
  printTable(['controls of', 'p50 ms', 'p95 ms', 'p99 ms', 'engine CPU ms'], rows);
}

try {
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  await storeHistory(warehouse, { owners: [owner], auditsEach: SIGNALS, from: FROM, days: DAYS });
  await storeSandboxes(warehouse, 1, () => []);
  await report(`${SIGNALS} signals as stored, no sandbox names a framework`);
  await mergeOldMonths(warehouse);
  printTable(
    ['table', 'parts', 'rows', 'MiB'],
    (await partsOf(warehouse)).map(({ table, parts, rows, mib }) => [table, parts, rows, mib]),
  );
  await report('an hour later: past months are merged');
  await storeSandboxes(warehouse, 2, (number) =>
    CATALOGUES.filter((_, place) => (number + place) % 3 === 0).map(({ framework }) => framework),
  );
  await report('sandboxes name different frameworks');
} finally {
  await state.close();
  await warehouse.close();
  await engine.stop();
  await rm(folder, { recursive: true });
}
