import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { EXPORT_FORMATS } from '#schemas/api/export.ts';
import { createClient } from '../cli/command/client.ts';
import { print, printTable } from '../cli/command/output.ts';
import { childrenOf, usageOf } from './load/process-usage.ts';
import { ascending, quantile } from './load/quantile.ts';
import { optionsOf } from './options.ts';
import { readPaths } from './reads/paths.ts';
import { type HistoryOwner, mergeOldMonths, partsOf, storeHistory } from './reads/signal-history.ts';
import { secretOf, startOn } from './service/embedded-service.ts';
import { onEngine } from './service/engine.ts';
import { watchProcesses } from './service/process-watch.ts';

/**
 * Measures the dashboard's reads over HTTP on the embedded service, for a customer with a year of audits: as stored,
 * and after past months were merged. Every kind of read is sent `--requests` times in a row. Ends with an export in
 * each format.
 */
const { values } = optionsOf('reads', { requests: 40, audits: 1_000_000 });
const REQUESTS = values.requests;
const WARM_UP = 5;
const DAY_MS = 86_400_000;
const DAYS = 365;
const SLUGS = Array.from({ length: 10 }, (_, number) => `sandbox-${number}`);
const TO = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const FROM = TO - DAYS * DAY_MS;
/** The service is idle in a second in which it uses less CPU time than this. */
const IDLE_MS = 150;

type Service = Awaited<ReturnType<typeof startOn>>;

/** Creates the measured customer over HTTP. */
async function makeCustomer(dataDir: string, url: string): Promise<{ owner: HistoryOwner; key: string }> {
  const internal = createClient(url, { 'x-internal-secret': secretOf(dataDir) });
  const body = { name: 'Bench', type: 'COMPANY', plan: 'ENTERPRISE' };
  const customerId = String((await internal.request('POST', '/internal/customers', body)).body.id);
  const keys = `/internal/customers/${customerId}/api-keys`;
  const key = String((await internal.request('POST', keys, { name: 'bench' })).body.key);
  const client = createClient(url, { 'x-service-key': key });
  const sandboxes = [];
  for (const slug of SLUGS) {
    const sandbox = { name: slug, slug, sandboxType: 'FULL_SPECTRUM' };
    sandboxes.push({ id: String((await client.request('POST', '/sandboxes', sandbox)).body.id), slug });
  }
  return { owner: { customerId, sandboxes }, key };
}

const cpuMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + usageOf(pid).cpuSeconds * 1_000, 0);

/** Waits until the service's own work after a start is done (its daily jobs read whole tables). */
async function untilIdle(pids: readonly number[]): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const before = cpuMs(pids);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    quiet = cpuMs(pids) - before < IDLE_MS ? quiet + 1 : 0;
  }
}

async function measureReads({ url, pid }: Service, key: string): Promise<void> {
  const client = createClient(url, { 'x-service-key': key });
  const engine = childrenOf(pid);
  await untilIdle([...engine, pid]);
  // The service rereads differing counts up to five times, with pauses.
  const { body } = await client.request('GET', '/dashboard/books');
  if (body.balanced !== true) throw new Error(`the stored counts do not agree: ${JSON.stringify(body)}`);
  const rows: string[][] = [];
  for (const [name, next] of await readPaths(client, { to: TO, audits: values.audits })) {
    for (let number = 0; number < WARM_UP; number += 1) await client.request('GET', next());
    const [engineBefore, serviceBefore] = [cpuMs(engine), cpuMs([pid])];
    const times: number[] = [];
    for (let number = 0; number < REQUESTS; number += 1) {
      const sentAt = performance.now();
      await client.request('GET', next());
      times.push(performance.now() - sentAt);
    }
    const sorted = ascending(times);
    const each = (before: number, after: number): string => ((after - before) / REQUESTS).toFixed(1);
    rows.push([
      name,
      ...[0.5, 0.95, 0.99].map((q) => quantile(sorted, q).toFixed(1)),
      each(engineBefore, cpuMs(engine)),
      each(serviceBefore, cpuMs([pid])),
    ]);
  }
  printTable(['read', 'p50 ms', 'p95 ms', 'p99 ms', 'engine CPU ms', 'service CPU ms'], rows);
}

async function measureExports({ url, pid }: Service, key: string): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const format of EXPORT_FORMATS) {
    const peaks = watchProcesses([pid]);
    const startedAt = performance.now();
    const headers = { 'x-service-key': key };
    const answer = await fetch(`${url}/dashboard/signals/export?format=${format}`, { headers });
    if (!answer.ok || answer.body === null) throw new Error(`the export answered ${answer.status}`);
    let bytes = 0;
    for await (const chunk of answer.body) bytes += chunk.length;
    const seconds = (performance.now() - startedAt) / 1_000;
    const signals = Math.round(values.audits / seconds).toLocaleString('en');
    const memory = peaks().get(pid)!.anonymousMiB.toFixed(0);
    rows.push([format, seconds.toFixed(1), signals, (bytes / 1e6).toFixed(0), memory]);
  }
  printTable(['export', 's', 'about signals/s', 'MB', 'service MiB at most'], rows);
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cas-bench-'));
let service = await startOn(dataDir);
try {
  const { owner, key } = await makeCustomer(dataDir, service.url);
  const store = (warehouse: Warehouse) =>
    storeHistory(warehouse, { owner, audits: values.audits, from: FROM, days: DAYS });
  const stages: [string, (warehouse: Warehouse) => Promise<void>][] = [
    [`${values.audits} audits of one customer`, store],
    ['an hour later', mergeOldMonths],
  ];
  for (const [name, work] of stages) {
    await service.stop();
    print(`${name} ...`);
    await onEngine(dataFolder(dataDir).warehouse, async ({ warehouse }) => {
      await work(warehouse);
      const parts = await partsOf(warehouse);
      printTable(
        ['table', 'parts', 'rows', 'MiB'],
        parts.map((part) => [part.table, part.parts, part.rows, part.mib]),
      );
    });
    service = await startOn(dataDir);
    await measureReads(service, key);
  }
  await measureExports(service, key);
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
