import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { runCas } from '../helpers/cas-process.ts';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

const SIGNALS = 25;

let service: TestService;
let customer: TestCustomer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cas-export-'));
  service = await startService(temporaryDataDir());
  customer = await makeCustomer(service, 'Export');
  await makeSandbox(customer.client, 'exported');
  await ingest(SIGNALS);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  removeDataDir(service.dataDir);
  await rm(folder, { recursive: true });
});

/** Ingests this many audits and waits until all their signals are stored. */
async function ingest(count: number): Promise<void> {
  const list = '/dashboard/signals?limit=1';
  const before = await totalOf(list);
  for (let number = 0; number < count; number++) {
    await customer.client.request('POST', '/audit/ingest', triplet('exported', number));
  }
  await eventually('the signals are stored', 60_000, async () =>
    (await totalOf(list)) === before + count ? true : undefined,
  );
}
const totalOf = async (path: string): Promise<number> =>
  ((await customer.client.request('GET', path)).body.pagination as unknown as { total: number }).total;

const cas = (args: readonly string[], key = customer.key) =>
  runCas(['export', '--url', service.url, ...args], { CAS_API_KEY: key, DATA_DIR: service.dataDir });

test('cas export writes what the list shows, and --check still passes after more signals are stored', async () => {
  const checks: [string, string[]][] = [];
  for (const format of ['csv', 'json', 'ndjson', 'xlsx', 'parquet']) {
    const file = path.join(folder, `all.${format}`);
    const { code, output } = await cas(['--format', format, '-o', file]);
    expect([code, output]).toEqual([0, expect.stringContaining(`${file}: ${SIGNALS} signals, `)]);
    const check = new RegExp(`cas export --check \\S+ (--format ${format} --as-of \\S+ --tree-size \\d+)`);
    checks.push([file, check.exec(output)![1]!.split(' ')]);
  }
  const signals = (await customer.client.request('GET', '/dashboard/signals?limit=100')).body.signals;
  const lines = (await readFile(path.join(folder, 'all.ndjson'), 'utf8')).trim().split('\n');
  // Exports have the detections as one text.
  const exported = lines.map((line) => JSON.parse(line));
  expect(exported.map((one) => ({ ...one, detections: JSON.parse(one.detections) }))).toEqual(
    (signals as unknown as object[]).map((signal) =>
      Object.fromEntries(
        Object.keys(JSON.parse(lines[0]!)).map((name) => [name, signal[name as keyof object]]),
      ),
    ),
  );
  const now = new Date().toISOString();
  const { code, output } = await cas(['--as-of', now, '-o', path.join(folder, 'now.csv')]);
  expect([code, output]).toEqual([0, expect.stringContaining(`: ${SIGNALS} signals, `)]);
  await ingest(3);
  for (const [file, options] of checks) {
    const { code, output } = await cas(['--check', file, ...options]);
    expect([code, output]).toEqual([0, expect.stringContaining(`${file} matches the export`)]);
  }
}, 120_000);

test('detects a changed file and one made with other filters', async () => {
  const file = path.join(folder, 'changed.csv');
  const { code, output } = await cas(['--sandbox', 'exported', '--from', '2026-01-01', '-o', file]);
  expect(code).toBe(0);
  const options = /--check \S+ (.*)/.exec(output)![1]!.split(' ');
  expect((await cas(['--check', file, ...options])).code).toBe(0);
  const other = await cas(['--check', file, ...options, '--risk-level', 'CRITICAL']);
  expect([other.code, other.output]).toEqual([1, expect.stringContaining('does not match the export')]);
  await appendFile(file, '\n');
  const changed = await cas(['--check', file, ...options]);
  expect([changed.code, changed.output]).toEqual([1, expect.stringContaining('  file    sha-256=:')]);
}, 60_000);

test('a refused export leaves no file and ends with a clear message', async () => {
  const before = await readdir(folder);
  const file = path.join(folder, 'refused.csv');
  for (const [args, key, message] of [
    [['-o', file], `cas_${'0'.repeat(48)}`, 'cas: Invalid API key (401 INVALID_KEY)'],
    [['-o', file, '--from', 'soon'], customer.key, '(400 INVALID_REQUEST)'],
  ] as const) {
    const { code, output } = await cas(args, key);
    // One line, without progress before it.
    expect([code, output]).toEqual([1, expect.stringMatching(/^cas: .*\n$/)]);
    expect(output).toContain(message);
  }
  const { code, output } = await cas(['-o', file, '--format', 'pdf']);
  expect([code, output]).toEqual([2, expect.stringContaining('Allowed choices are csv, json')]);
  expect(await readdir(folder)).toEqual(before);
}, 60_000);
