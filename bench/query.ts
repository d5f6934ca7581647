import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { compiledModule } from '#platform/config/package-root.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { type Client, createClient } from '../cli/command/client.ts';
import { print, printTable } from '../cli/command/output.ts';
import { quantile } from './load/open-loop.ts';
import { childrenOf, usageOf } from './load/process-usage.ts';
import { type HistoryOwner, mergeOldMonths, partsOf, storeHistory } from './load/signal-history.ts';

/**
 * `npm run bench:query [-- requests audits others]`: the dashboard's reads over HTTP on the embedded set-up, for a
 * customer with a year of `audits` (a million), alone and then beside `others` (9) customers of the same size; each as
 * stored, and after past months were merged. Every kind of read is sent `requests` (100) times, one after the other.
 * Method and results: docs/performance.md.
 */
const [REQUESTS = 100, AUDITS = 1_000_000, OTHERS = 9] = process.argv.slice(2).map(Number);
const WARM_UP = 5;
const DAY_MS = 86_400_000;
const DAYS = 365;
const SLUGS = Array.from({ length: 10 }, (_, number) => `sandbox-${number}`);
const TO = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const FROM = TO - DAYS * DAY_MS;
const silent = { info() {}, warn() {}, error() {} };

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const period = (days: number): string => `from=${dateOf(TO - days * DAY_MS)}&to=${dateOf(TO - DAY_MS)}`;

interface Service {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function startService(dataDir: string): Promise<Service> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
  });
  const exited = once(child, 'exit');
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [{ ready?: string } | null];
  if (typeof message?.ready !== 'string') throw new Error('the service did not start');
  return {
    url: message.ready,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The customer whose data are read, made over HTTP. */
async function makeCustomer(dataDir: string, url: string): Promise<{ owner: HistoryOwner; key: string }> {
  const secret = readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim();
  const internal = createClient(url, { 'x-internal-secret': secret });
  const body = { name: 'Bench', type: 'COMPANY', plan: 'ENTERPRISE' };
  const customerId = String((await internal.request('POST', '/internal/customers', body)).body.id);
  const made = await internal.request('POST', `/internal/customers/${customerId}/api-keys`, {
    name: 'bench',
  });
  const key = String(made.body.key);
  const client = createClient(url, { 'x-service-key': key });
  const sandboxes = [];
  for (const slug of SLUGS) {
    const sandbox = await client.request('POST', '/sandboxes', {
      name: slug,
      slug,
      sandboxType: 'FULL_SPECTRUM',
    });
    sandboxes.push({ id: String(sandbox.body.id), slug });
  }
  return { owner: { customerId, sandboxes }, key };
}

const stranger = (): HistoryOwner => ({
  customerId: v7(),
  sandboxes: SLUGS.map((slug) => ({ id: v7(), slug })),
});

/** Changes the tables directly, while the service is not running. */
async function change(dataDir: string, work: (warehouse: Warehouse) => Promise<void>): Promise<void> {
  const engine = await startEmbeddedWarehouse({ path: dataFolder(dataDir).warehouse, logger: silent });
  const warehouse = openWarehouse({ ...engine, logger: silent });
  try {
    const begunAt = performance.now();
    await work(warehouse);
    print(`done in ${((performance.now() - begunAt) / 1_000).toFixed(0)} s`);
    printTable(
      ['table', 'parts', 'rows', 'MiB'],
      (await partsOf(warehouse)).map(({ table, parts, rows, mib }) => [table, parts, rows, mib]),
    );
  } finally {
    await warehouse.close();
    await engine.stop();
  }
}

/** A kind of read: path of the next request. */
type Read = () => string;

async function reads(client: Client): Promise<Map<string, Read>> {
  const fixed =
    (requestPath: string): Read =>
    () =>
      requestPath;
  const list = (query: string): Read => fixed(`/dashboard/signals?${query}`);
  const page = Math.min(1_000, Math.floor(AUDITS / 200));
  const deepest = await client.request('GET', `/dashboard/signals?page=${page}&limit=100`);
  const { pagination, signals } = deepest.body as unknown as {
    pagination: { nextCursor: string };
    signals: { id: string }[];
  };
  let place = 0;
  return new Map<string, Read>([
    ['stats, all time', fixed('/dashboard/stats')],
    ['stats, a month', fixed(`/dashboard/stats?${period(30)}`)],
    ['stats, a sandbox', fixed('/dashboard/stats?sandboxSlug=sandbox-3')],
    ['list, first page', list('')],
    ['list, first page of 100', list('limit=100')],
    ['list, riskLevel', list('riskLevel=CRITICAL')],
    ['list, sandboxSlug', list('sandboxSlug=sandbox-3')],
    ['list, provider', list('provider=gemini')],
    ['list, violation', list('violation=EMAIL')],
    ['list, rarest violation', list('violation=CUSTOM_RULE')],
    ['list, from and to', list(period(90))],
    [
      'list, all filters',
      list(`riskLevel=HIGH&sandboxSlug=sandbox-3&provider=gemini&violation=EMAIL&${period(180)}`),
    ],
    [`list, page ${page} of 100`, list(`page=${page}&limit=100`)],
    [
      `list, cursor behind ${(page * 100).toLocaleString('en')}`,
      list(`limit=100&cursor=${pagination.nextCursor}`),
    ],
    ['one signal', () => `/dashboard/signals/${signals[place++ % signals.length]?.id}`],
    ['timeseries, a year by day', fixed(`/dashboard/timeseries?interval=day&${period(DAYS)}`)],
    ['timeseries, 60 days by hour', fixed(`/dashboard/timeseries?interval=hour&${period(60)}`)],
    ['timeseries, a day by minute', fixed(`/dashboard/timeseries?interval=minute&${period(1)}`)],
    ['reconciliation', fixed('/dashboard/books')],
    ['list, model', list('model=gpt-4o')],
    ['audits, first page of 100', fixed('/audits?limit=100')],
    ['audits, FAILED', fixed('/audits?status=FAILED&limit=100')],
    ['dead letters', fixed('/dead-letters?limit=100')],
    ['reasons of dead letters', fixed('/dead-letters/reasons')],
    ['incidents, open', fixed('/evidence/incidents?status=OPEN&limit=100')],
    ['findings', fixed('/evidence/correlations?limit=100')],
    ['coverage of frameworks', fixed('/evidence/attestations/coverage')],
    ['plan and usage', fixed('/usage')],
  ]);
}

const cpuMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + usageOf(pid).cpuSeconds * 1_000, 0);

/** Waits until the service's own work after a start is over (its daily jobs read whole tables). */
async function untilIdle(pids: readonly number[]): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const before = cpuMs(pids);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    quiet = cpuMs(pids) - before < 150 ? quiet + 1 : 0;
  }
}

/** What is stored has to be consistent: where the books differ, they are read five times, with pauses in between. */
async function assertBalanced(client: Client): Promise<void> {
  const { body } = await client.request('GET', '/dashboard/books');
  if (body.balanced !== true) throw new Error(`the books do not balance: ${JSON.stringify(body)}`);
}

async function measure(service: Service, key: string): Promise<void> {
  const client = createClient(service.url, { 'x-service-key': key });
  const engine = childrenOf(service.pid);
  await untilIdle([...engine, service.pid]);
  await assertBalanced(client);
  const rows: string[][] = [];
  for (const [name, next] of await reads(client)) {
    for (let number = 0; number < WARM_UP; number += 1) await client.request('GET', next());
    const [engineBefore, serviceBefore] = [cpuMs(engine), cpuMs([service.pid])];
    const times: number[] = [];
    for (let number = 0; number < REQUESTS; number += 1) {
      const sentAt = performance.now();
      await client.request('GET', next());
      times.push(performance.now() - sentAt);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const each = (before: number, after: number): string => ((after - before) / REQUESTS).toFixed(1);
    rows.push([
      name,
      ...[0.5, 0.95, 0.99].map((q) => quantile(sorted, q)).map((ms) => ms.toFixed(1)),
      each(engineBefore, cpuMs(engine)),
      each(serviceBefore, cpuMs([service.pid])),
    ]);
  }
  printTable(['read', 'p50 ms', 'p95 ms', 'p99 ms', 'engine CPU ms', 'service CPU ms'], rows);
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cas-bench-'));
let service = await startService(dataDir);
try {
  const { owner, key } = await makeCustomer(dataDir, service.url);
  const store = (owners: readonly HistoryOwner[]) => (warehouse: Warehouse) =>
    storeHistory(warehouse, { owners, auditsEach: AUDITS, from: FROM, days: DAYS });
  const others = Array.from({ length: OTHERS }, stranger);
  const stages: [string, (warehouse: Warehouse) => Promise<void>][] = [
    [`${AUDITS} audits of one customer`, store([owner])],
    ['an hour later', mergeOldMonths],
    [`${AUDITS} audits of each of ${OTHERS} other customers`, store(others)],
    ['an hour later', mergeOldMonths],
  ];
  for (const [name, work] of OTHERS === 0 ? stages.slice(0, 2) : stages) {
    await service.stop();
    print(`${name} ...`);
    await change(dataDir, work);
    service = await startService(dataDir);
    await measure(service, key);
  }
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
