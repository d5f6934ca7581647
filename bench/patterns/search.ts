import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { DAY_MS, DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { searchInThread } from '#services/api/evidence/correlations/search-in-thread.ts';
import { print } from '../../cli/command/output.ts';
import { correlatedSignals } from '../load/correlated-signals.ts';
import { usageOf } from '../load/process-usage.ts';

/**
 * A whole search for patterns, as `POST /evidence/correlations/detect` has it done: `npm run bench:search [-- signals]`.
 * Fills the embedded engine with a customer's million signals of 58 days and looks through the last 30, in a thread of its own,
 * five times; reading and parsing them included. `bench:correlate` has the search without them.
 */
const [SIGNALS_IN_ALL = 1_000_000] = process.argv.slice(2).map(Number);
const RUNS = 5;
const SEED = 18;
const START_MS = Date.UTC(2026, 0, 5);
const FROM_MS = START_MS + 28 * DAY_MS;
const END_MS = FROM_MS + 30 * DAY_MS;
const ROWS_PER_INSERT = 5_000;
const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const silent = { info() {}, warn() {}, error() {} };

const iso = (at: number): string => new Date(at).toISOString();

function signalRows(): SignalRow[] {
  const sample = storedRows([sampleDraft(0, 'SIGNAL')]).signals[0]!;
  // As many a day before the range: its baseline.
  const count = Math.round((SIGNALS_IN_ALL * (END_MS - START_MS)) / (END_MS - FROM_MS));
  const signals = correlatedSignals(SEED, { count, from: START_MS, end: END_MS });
  return signals.map(({ id, createdAt, acceptedAt, ...signal }) => ({
    ...sample,
    ...signal,
    customerId: CUSTOMER,
    auditId: id,
    violations: [...signal.violations] as SignalRow['violations'],
    createdAt: iso(createdAt),
    acceptedAt: iso(acceptedAt),
  }));
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'search-bench-'));
const engine = await startEmbeddedWarehouse({ path: folder, logger: silent });
const warehouse = openWarehouse({ ...engine, logger: silent });
await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
const rows = signalRows();
for (let at = 0; at < rows.length; at += ROWS_PER_INSERT)
  await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), rows.slice(at, at + ROWS_PER_INSERT));
const count = rows.length;
rows.length = 0;
await warehouse.close();
print(`${count} signals are stored`);

const engineSeconds = (): number => usageOf(engine.pid() ?? 0).cpuSeconds;
const task = { ...DEFAULT_SETTINGS, customerId: CUSTOMER, from: FROM_MS, to: END_MS - 1, sandboxSlug: null };
for (let run = 0; run < RUNS; run += 1) {
  const [cpu, engines, begunAt] = [process.cpuUsage(), engineSeconds(), performance.now()];
  const gone = new AbortController().signal;
  const found = await searchInThread({ ...engine }).run(task, { gone, onProgress: () => undefined });
  const { user, system } = process.cpuUsage(cpu);
  print(
    `search over ${found.analyzedSignals} signals: ${((performance.now() - begunAt) / 1e3).toFixed(2)} s, ` +
      `${((user + system) / 1e6).toFixed(2)} s of CPU, the engine ${(engineSeconds() - engines).toFixed(2)}; ${found.count} findings`,
  );
}
await engine.stop();
await rm(folder, { recursive: true });
