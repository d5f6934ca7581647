import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import type { ProgressEntry } from '../../cli/ingest/progress-file.ts';
import { runCas } from '../helpers/cas-process.ts';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

const LINES = 12_000;
const LISTED_WITHIN_MS = 120_000;
/** Lines that are not triplets, or not complete yet. */
const BROKEN_LINE = 10;
const LATER_LINE = 5_000;
const LARGE_LINE = 9_999;

let dataDir: string;
let file: string;
let service: TestService;
let customer: TestCustomer;

beforeAll(async () => {
  dataDir = temporaryDataDir();
  file = path.join(dataDir, 'triplets.ndjson');
  service = await startService(dataDir);
  customer = await makeCustomer(service, 'Files');
  await makeSandbox(customer.client, 'files');
  const lines = Array.from({ length: LINES }, (_, n) => JSON.stringify(triplet('files', n)));
  lines[BROKEN_LINE - 1] = '{"sandboxSlug": ';
  lines[LATER_LINE - 1] = JSON.stringify(triplet('later', LATER_LINE));
  lines[LARGE_LINE - 1] = JSON.stringify({ ...triplet('files', 0), response: 'x'.repeat(3 * 1024 * 1024) });
  writeFileSync(file, `${lines.join('\n')}\n`);
}, 60_000);
afterAll(async () => {
  await service.killTree();
  removeDataDir(dataDir);
});

const environment = (): Record<string, string> => ({ DATA_DIR: dataDir, CAS_API_KEY: customer.key });
const ingest = (of: string, ...options: string[]) =>
  runCas(['ingest', of, '--url', service.url, ...options], environment());

const progressFile = (): string => `${file}.cas-progress`;
/** The outcome of every line so far. */
function progress(): Map<number, ProgressEntry> {
  const records = existsSync(progressFile())
    ? readFileSync(progressFile(), 'utf8').split('\n').slice(1, -1)
    : [];
  return new Map(
    records
      .flatMap((record) => (JSON.parse(record) as { items: ProgressEntry[] }).items)
      .map((entry) => [entry.line, entry]),
  );
}
const auditIds = (): string[] =>
  [...progress().values()].flatMap((entry) => ('auditId' in entry ? [entry.auditId] : []));

/** Waits until the list has this many audits; fails when it has more. */
async function expectAudits(expected: number, filter = ''): Promise<void> {
  const total = await eventually(`${expected} audits are listed`, LISTED_WITHIN_MS, async () => {
    const listed = Number((await customer.client.request('GET', `/audits?limit=1${filter}`)).body.total);
    return listed >= expected ? listed : undefined;
  });
  expect(total).toBe(expected);
}

async function killedInTheMiddle(): Promise<void> {
  const child: ChildProcess = spawn(
    process.execPath,
    [compiledModule('cli/main.ts'), 'ingest', file, '--url', service.url],
    { stdio: 'ignore', env: { PATH: process.env.PATH, ...environment() } },
  );
  const ended = once(child, 'exit');
  await eventually('a segment is noted', 60_000, async () => (progress().size > 0 ? true : undefined));
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(progress().size).toBeLessThan(LINES);
}

test('a run killed midway resumes and ingests every line once', async () => {
  await killedInTheMiddle();
  const run = await ingest(file);
  expect(run.code).toBe(1);
  expect(run.output).toMatch(/\b3 rejected\b/);
  expect(run.output).toMatch(new RegExp(`\\b${BROKEN_LINE}\\b.*INVALID_JSON`));
  expect(run.output).toMatch(new RegExp(`\\b${LATER_LINE}\\b.*SANDBOX_NOT_FOUND`));
  expect(run.output).toMatch(new RegExp(`\\b${LARGE_LINE}\\b.*BODY_TOO_LARGE`));
  expect(run.output).not.toContain('ann.example');
  const ids = auditIds();
  expect([progress().size, ids.length, new Set(ids).size]).toEqual([LINES, LINES - 3, LINES - 3]);
  await expectAudits(LINES - 3);
  const [first] = ids;
  const audit = await customer.client.request('GET', `/audits/${first}?wait=30`);
  expect(audit.body.status).toBe('COMPLETED');
}, 240_000);

test('a further run sends only the rejected lines; one that lost its progress sends nothing new', async () => {
  const before = auditIds();
  await makeSandbox(customer.client, 'later');
  const fixed = await ingest(file);
  expect(fixed.output).toMatch(new RegExp(`1 accepted, ${LINES - 3} accepted before, 2 rejected`));
  const ids = auditIds();
  expect(ids).toHaveLength(LINES - 2);
  expect(before.filter((id) => !ids.includes(id))).toEqual([]);
  await expectAudits(LINES - 2);
  // As after a crash between an answer and its entry in the progress file.
  const whole = readFileSync(progressFile(), 'utf8');
  writeFileSync(progressFile(), whole.slice(0, whole.lastIndexOf('{"segment"') + 200));
  await ingest(file);
  expect(auditIds().toSorted()).toEqual(ids.toSorted());
  await expectAudits(LINES - 2);
}, 240_000);

test('a run without progress finds the audits of the previous one', async () => {
  const small = path.join(dataDir, 'small.json');
  const items = [1, 2, 3].map((n) => ({ ...triplet('files', n), sandboxSlug: undefined, model: 'small' }));
  writeFileSync(small, JSON.stringify(items, undefined, 2));
  const first = await ingest(small, '--sandbox', 'files');
  expect([first.code, first.output]).toEqual([
    0,
    expect.stringContaining('3 accepted, 0 accepted before, 0 rejected'),
  ]);
  rmSync(`${small}.cas-progress`);
  const second = await ingest(small, '--sandbox', 'files');
  expect([second.code, second.output]).toEqual([
    0,
    expect.stringContaining('0 accepted, 3 accepted before, 0 rejected'),
  ]);
  await expectAudits(3, '&model=small');
}, 120_000);

test('standard input is ingested as it arrives, also compressed; the same input again ingests nothing twice', async () => {
  const lines = Array.from({ length: 2_500 }, (_, n) => `${JSON.stringify(triplet('files', n, 'piped'))}\n`);
  const pipe = (content: Readable, ...options: string[]) =>
    runCas(['ingest', '-', '--url', service.url, ...options], environment(), content);
  const first = await pipe(Readable.from(lines));
  expect([first.code, first.output]).toEqual([
    0,
    expect.stringContaining('2500 accepted, 0 accepted before, 0 rejected'),
  ]);
  const again = await pipe(Readable.from(gzipSync(lines.join('')), { objectMode: false }));
  expect([again.code, again.output]).toEqual([
    0,
    expect.stringContaining('0 accepted, 2500 accepted before, 0 rejected'),
  ]);
  // With a progress file, the outcome of each item is recorded as for a file.
  const noted = path.join(dataDir, 'piped.progress');
  const array = `[${lines.slice(0, 3).join(',')}]`;
  const named = await pipe(Readable.from([array]), '--progress', noted);
  expect([named.code, existsSync(noted)]).toEqual([0, true]);
  await expectAudits(2_503, '&model=piped');
  const empty = await pipe(Readable.from([]));
  expect([empty.code, empty.output]).toEqual([1, expect.stringContaining('standard input is empty')]);
}, 240_000);

test('a compressed file in a read-only folder is ingested, and its progress is kept in the state folder', async () => {
  const state = path.join(dataDir, 'state');
  const packed = path.join(dataDir, 'packed.ndjson');
  writeFileSync(packed, gzipSync(JSON.stringify({ ...triplet('files', 1), model: 'packed' })));
  // A folder with the progress file's name: no user can write that file.
  mkdirSync(`${packed}.cas-progress`);
  const run = () =>
    runCas(['ingest', packed, '--url', service.url], { ...environment(), XDG_STATE_HOME: state });
  const first = await run();
  expect([first.code, first.output]).toEqual([
    0,
    expect.stringMatching(/Results are recorded in \S+state\/cas\/ingest\//),
  ]);
  expect(first.output).toContain('1 accepted, 0 accepted before');
  expect((await run()).output).toContain('0 accepted, 1 accepted before');
}, 120_000);

test('reports a missing key, an unknown key, a missing file and a truncated file', async () => {
  const none = await runCas(['ingest', file, '--url', service.url], { DATA_DIR: dataDir });
  expect([none.code, none.output]).toEqual([1, expect.stringContaining('CAS_API_KEY')]);
  const wrong = await ingest(
    file,
    '--key',
    `cas_${'0'.repeat(48)}`,
    '--progress',
    path.join(dataDir, 'other'),
  );
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('401 INVALID_KEY')]);
  const absent = await ingest(path.join(dataDir, 'absent'));
  expect([absent.code, absent.output]).toEqual([1, expect.stringContaining('No such file: ')]);
  const cut = path.join(dataDir, 'cut.json');
  writeFileSync(cut, '[{"a":1},');
  expect((await ingest(cut)).output).toContain('Line 1: the array has no end');
}, 60_000);
