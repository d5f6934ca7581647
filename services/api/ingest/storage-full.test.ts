import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { eventually, startReader } from '#platform/event-log/harness.contract.ts';
import { type EmbeddedLog, openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { GROUPS, TOPICS, TRIPLETS } from '#schemas/topics.ts';
import { TRIPLET, triplets } from '../testing/batches.ts';
import { type Answered, type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

/** The API on a real embedded log with a budget of one mebibyte, and consumers that start later. */

const TIMEOUT_MS = 60_000;
let folder: string;
let log: EmbeddedLog;
let harness: Harness;
let customer: TestCustomer;
let shortage: string | null = null;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'storage-full-'));
  log = await openEmbeddedLog({
    path: folder,
    topics: TOPICS,
    maxBytes: 1024 * 1024,
    batchDelayMs: 1,
    budgetIntervalMs: 5,
    shortage: () => shortage,
  });
  harness = await startHarness({ dependencies: { log } });
  customer = await harness.customer();
  await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload: { name: 'Support', slug: TRIPLET.sandboxSlug, sandboxType: 'FULL_SPECTRUM' },
  });
});
afterAll(async () => {
  await harness.close();
  await log.close();
  await rm(folder, { recursive: true });
});

const post = (url: string, payload: object, headers: Record<string, string> = {}): Promise<Answered> =>
  harness.call({ method: 'POST', url, headers: { ...customer.headers, ...headers }, payload });
const ingest = (prompt: string, headers?: Record<string, string>) =>
  post('/audit/ingest', { ...TRIPLET, prompt }, headers);
const count = () => harness.state.admission.auditCount(customer.id, harness.dependencies.now());
const refusalOf = ({ status, body, headers }: Answered) => [status, body.code, headers['retry-after']];

test(
  'at the budget ingest answers 503 with what to do; nothing accepted is lost, nothing refused is counted, and it resumes automatically',
  async () => {
    const accepted: string[] = [];
    let refused: Answered | null = null;
    while (refused === null) {
      const answer = await ingest('x'.repeat(10_000));
      if (answer.status === 202) accepted.push(answer.body.auditId);
      else refused = answer;
      if (accepted.length > 300) throw new Error('nothing was refused');
    }
    expect(accepted.length).toBeGreaterThan(20);
    expect(refusalOf(refused)).toEqual([503, 'STORAGE_FULL', '5']);
    expect(refused.body.message).toMatch(/Try again later.*\/health\/ready/);

    expect(refusalOf(await ingest('with a key', { 'idempotency-key': 'k' }))).toEqual([
      503,
      'STORAGE_FULL',
      '5',
    ]);
    expect(refusalOf(await post('/audit/ingest/batch', triplets(3)))).toEqual([503, 'STORAGE_FULL', '5']);
    expect(await count()).toBe(accepted.length);
    // Requests that write no audit still work.
    expect((await harness.call({ url: '/sandboxes', headers: customer.headers })).status).toBe(200);

    const readers = await Promise.all(GROUPS.map((group) => startReader(log, group, [TRIPLETS.name])));
    await eventually('there is room again', () => log.usage().level === 'fits');
    const again = await ingest('with a key', { 'idempotency-key': 'k' });
    expect(again.status).toBe(202);
    accepted.push(again.body.auditId);
    for (const { records, errors } of readers) {
      await eventually('all is read', () => records.length >= accepted.length);
      expect(records.map(({ key }) => key).sort()).toEqual([...accepted].sort());
      expect(errors).toEqual([]);
    }
    expect(await count()).toBe(accepted.length);
  },
  TIMEOUT_MS,
);

test('while a disk is short of space ingest answers 503, and 202 as soon as it has space', async () => {
  shortage = 'the disk is nearly full';
  expect(refusalOf(await ingest('a'))).toEqual([503, 'STORAGE_FULL', '5']);
  shortage = null;
  expect((await ingest('a')).status).toBe(202);
});
