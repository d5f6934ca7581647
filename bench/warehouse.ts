/**
 * Speed of the embedded warehouse through its adapter: `npm run build && node dist/bench/warehouse.js`. Closed loop;
 * the table has the durability settings and the engine of the product's own tables. Prints one JSON line.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';

const BATCH_ROWS = 1_000;
const BATCHES = 100;
const LOOKUPS = 500;
const COLUMNS = ['customerId', 'position', 'text', 'at'];
const logger = { info() {}, warn() {}, error() {} };

const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return Number(
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2),
  );
};

const residentMiB = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024);

async function latencies(times: number, run: (index: number) => Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  for (let index = 0; index < times; index++) {
    const begun = performance.now();
    await run(index);
    measured.push(performance.now() - begun);
  }
  return measured;
}

const batch = (number: number) =>
  Array.from({ length: BATCH_ROWS }, (_, index) => ({
    customerId: `customer-${index % 50}`,
    position: number * BATCH_ROWS + index,
    text: `${number}-${index}-`.padEnd(1_000, 'lorem ipsum '),
    at: '2026-01-02T03:04:05.678Z',
  }));

async function inserts(warehouse: Warehouse, firstBatch: number, writers: number) {
  const begun = performance.now();
  const each = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      latencies(BATCHES / writers, (index) =>
        warehouse.insert('facts', COLUMNS, batch(firstBatch + writer * BATCHES + index)),
      ),
    ),
  );
  const seconds = (performance.now() - begun) / 1_000;
  return {
    rowsPerSecond: Math.round((BATCHES * BATCH_ROWS) / seconds),
    p50ms: quantile(each.flat(), 0.5),
    p99ms: quantile(each.flat(), 0.99),
  };
}

async function streamed(warehouse: Warehouse) {
  const begun = performance.now();
  let rows = 0;
  for await (const chunk of warehouse.stream('SELECT * FROM facts')) rows += chunk.length;
  const seconds = (performance.now() - begun) / 1_000;
  return { rows, rowsPerSecond: Math.round(rows / seconds) };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'warehouse-bench-'));
  const begun = performance.now();
  const embedded = await startEmbeddedWarehouse({ path: folder, logger });
  const startMs = Math.round(performance.now() - begun);
  const warehouse = openWarehouse({ ...embedded, logger });
  const resident = (): number => residentMiB(embedded.pid() ?? 0);
  try {
    const residentMiBAtStart = resident();
    await warehouse.command(
      `CREATE TABLE facts (customerId String, position UInt64, text String, at DateTime64(3, 'UTC'))
        ENGINE = ReplacingMergeTree ORDER BY (customerId, position)
        SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
    );
    const ping = await latencies(LOOKUPS, () => warehouse.ping());
    const insertOneWriter = await inserts(warehouse, 0, 1);
    const insertFourWriters = await inserts(warehouse, 1_000, 4);
    const lookup = await latencies(LOOKUPS, (index) =>
      warehouse.query(
        'SELECT position, text FROM facts FINAL WHERE customerId = {customerId:String} AND position = {position:UInt64}',
        { customerId: `customer-${index % 50}`, position: index },
      ),
    );
    const stream = await streamed(warehouse);
    const quantiles = (values: number[]) => ({ p50ms: quantile(values, 0.5), p99ms: quantile(values, 0.99) });
    const report = {
      startMs,
      residentMiBAtStart,
      ping: quantiles(ping),
      insertOneWriter,
      insertFourWriters,
      lookup: quantiles(lookup),
      stream,
      residentMiBAtEnd: resident(),
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } finally {
    await warehouse.close();
    await embedded.stop();
    await rm(folder, { recursive: true });
  }
}

await main();
