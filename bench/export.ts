/**
 * `npm run bench:export [-- rows]`: exports of one customer's signals over HTTP, beside what ClickHouse needs to write
 * the same columns itself. The engine is a process of this program, so that it can be asked directly as well; the
 * service runs as `cas start` and uses it by its address.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '../cli/client.ts';
import { print, printTable } from '../cli/output.ts';
import { startClickhouse } from '../deploy/local/clickhouse.ts';
import type { LocalPart } from '../deploy/local/local-part.ts';
import { dataFolder } from '../platform/runtime/data-folder.ts';
import { compiledModule } from '../platform/runtime/package-root.ts';
import { warehouseAddress } from '../platform/warehouse/address.ts';
import { openWarehouse } from '../platform/warehouse/clickhouse.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS } from '../schemas/api/export.ts';
import { usageOf } from './load/process-usage.ts';
import { insertLedger, insertSignals } from './load/signal-rows.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ROWS_PER_INSERT = 100_000;
const SAMPLE_EVERY_MS = 50;
const logger = { info() {}, warn() {}, error() {} };

interface Service {
  readonly pid: number;
  readonly url: string;
  readonly customerId: string;
  readonly key: string;
  stop(): Promise<void>;
}

async function runCas(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`cas ${args.join(' ')} ended with ${code}`);
}

async function startService(dataDir: string, engine: LocalPart): Promise<Service> {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    CLICKHOUSE_URL: engine.address,
  };
  await runCas(['migrate'], env);
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env,
  });
  const [{ ready: url }] = (await once(child, 'message')) as [{ ready: string }];
  const secret = readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim();
  const internal = createClient(url, { 'x-internal-secret': secret });
  const plan = { name: 'Bench', type: 'COMPANY', plan: 'ENTERPRISE' };
  const { id } = (await internal.call('POST', '/internal/customers', plan)).body;
  const made = await internal.call('POST', `/internal/customers/${String(id)}/api-keys`, { name: 'bench' });
  return {
    pid: child.pid ?? 0,
    url,
    customerId: String(id),
    key: String(made.body.key),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

interface Measured {
  readonly seconds: number;
  readonly bytes: number;
  readonly rows: number;
  readonly serviceSeconds: number;
  readonly engineSeconds: number;
  /** Resident memory of the service, MiB. */
  readonly before: number;
  readonly peak: number;
  readonly loop: { readonly p99: number; readonly longest: number };
}

/** Delays of the service's event loop since this was last asked, ms. */
async function loopDelays(url: string): Promise<{ p99: number; longest: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string): number =>
    Number(new RegExp(`^cas_nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]) * 1_000;
  return { p99: of('p99'), longest: of('max') };
}

/** Reads an answer to its end, and drops it. */
async function measure(
  { pid, url }: Service,
  enginePid: number,
  request: () => http.ClientRequest,
): Promise<Measured> {
  await loopDelays(url);
  const pids = { service: pid, engine: enginePid };
  const [service, engine] = [usageOf(pids.service), usageOf(pids.engine)];
  let peak = service.residentMiB;
  const sampling = setInterval(() => {
    peak = Math.max(peak, usageOf(pids.service).residentMiB);
  }, SAMPLE_EVERY_MS);
  const begun = performance.now();
  const [response] = (await once(request(), 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
  const seconds = (performance.now() - begun) / 1_000;
  clearInterval(sampling);
  return {
    seconds,
    bytes,
    rows: Number(response.trailers['x-row-count'] ?? ROWS),
    serviceSeconds: usageOf(pids.service).cpuSeconds - service.cpuSeconds,
    engineSeconds: usageOf(pids.engine).cpuSeconds - engine.cpuSeconds,
    before: service.residentMiB,
    peak,
    loop: await loopDelays(url),
  };
}

const microsecondsPerRow = (seconds: number, rows: number): string => ((seconds / rows) * 1e6).toFixed(1);

const cells = (name: string, found: Measured): string[] => [
  name,
  found.seconds.toFixed(1),
  Math.round(found.rows / found.seconds).toLocaleString('en'),
  (found.bytes / found.seconds / 1e6).toFixed(0),
  (found.bytes / 1e6).toFixed(0),
  microsecondsPerRow(found.serviceSeconds, found.rows),
  microsecondsPerRow(found.engineSeconds, found.rows),
  `${found.before} to ${found.peak}`,
  `${found.loop.p99.toFixed(0)}, ${found.loop.longest.toFixed(0)}`,
];

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cas-bench-export-'));
  const engine = await startClickhouse({ folder: path.join(folder, 'engine') });
  const address = warehouseAddress(engine.address);
  const warehouse = openWarehouse({ ...address, logger });
  const service = await startService(path.join(folder, 'data'), engine);
  try {
    print(`storing ${ROWS} signals ...`);
    for (let first = 0; first < ROWS; first += ROWS_PER_INSERT) {
      const range = { first, rows: Math.min(ROWS_PER_INSERT, ROWS - first) };
      await insertSignals(warehouse, service.customerId, range);
      await insertLedger(warehouse, service.customerId, range);
    }
    const enginePid = engine.pid;
    const ownSelect = (order: string): string =>
      `SELECT ${EXPORT_COLUMNS.map((name) => `\`${name}\``).join(', ')} FROM signals FINAL
       WHERE customerId = '${service.customerId}' AND erased != 'ALL' ${order} FORMAT CSV`;
    const askEngine = (sql: string) => (): http.ClientRequest =>
      http.request(address.url, { method: 'POST', auth: `${address.username}:${address.password}` }).end(sql);
    const askService = (format: string) => (): http.ClientRequest =>
      http.get(`${service.url}/dashboard/signals/export?format=${format}`, {
        headers: { 'x-service-key': service.key },
      });
    const rows: string[][] = [];
    const run = async (name: string, request: () => http.ClientRequest): Promise<void> => {
      print(`${name} ...`);
      rows.push(cells(name, await measure(service, enginePid, request)));
    };
    const inOrder = 'ORDER BY createdAt DESC, auditId DESC';
    await run('warming up', askService('csv'));
    await run("ClickHouse's own CSV, unsorted", askEngine(ownSelect('')));
    for (const format of EXPORT_FORMATS) await run(format, askService(format));
    await run("ClickHouse's own CSV, newest first", askEngine(ownSelect(inOrder)));
    printTable(
      [
        '',
        's',
        'rows/s',
        'MB/s',
        'MB',
        'service us/row',
        'engine us/row',
        'service MiB',
        'loop ms: p99, max',
      ],
      rows.slice(1),
    );
  } finally {
    await service.stop();
    await warehouse.close();
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
