/**
 * `npm run bench:export [-- rows]`: exports of one customer's signals over HTTP, compared with the time in which
 * ClickHouse writes the same columns itself: the API is a process of a distributed service, whose ClickHouse is asked
 * directly as well.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { warehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS } from '#schemas/api/export.ts';
import { createClient } from '../cli/command/client.ts';
import { print, printTable } from '../cli/command/output.ts';
import { stackFolder } from '../deploy/local/stack-folder.ts';
import { startStack } from '../deploy/local/start-stack.ts';
import { usageOf } from './load/process-usage.ts';
import { insertLedger, insertSignals } from './load/signal-rows.ts';
import { migrate, startRole } from './service/role-processes.ts';

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

/** The API of a distributed service, and a customer's key; a sink stores the entries for these. */
async function startService(settings: Readonly<Record<string, string>>): Promise<Service> {
  await migrate(settings);
  const [sink, api] = [await startRole('sink', settings), await startRole('api', settings)];
  const secret = readFileSync(settings.INTERNAL_SECRET_FILE ?? '', 'utf8').trim();
  const internal = createClient(api.url, { 'x-internal-secret': secret });
  const plan = { name: 'Bench', type: 'COMPANY', plan: 'ENTERPRISE' };
  const { id } = (await internal.request('POST', '/internal/customers', plan)).body;
  const made = await internal.request('POST', `/internal/customers/${String(id)}/api-keys`, {
    name: 'bench',
  });
  return {
    pid: api.pid,
    url: api.url,
    customerId: String(id),
    key: String(made.body.key),
    stop: async () => {
      await api.stop();
      await sink.stop();
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

/** Reads an answer to its end and discards it. */
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
  const { settings, servers } = await startStack(stackFolder(folder), {
    outlivesParent: false,
    report: print,
    onUp: ({ name }) => print(`${name} answers`),
  });
  const engine = servers.clickhouse;
  const address = warehouseAddress(engine.address);
  const warehouse = openWarehouse({ ...address, logger });
  const service = await startService(settings);
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
    for (const server of Object.values(servers)) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
