import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { SavedRecord } from '#schemas/api/partitions.ts';
import { LEDGER, PARTITIONS, TOPICS } from '#schemas/topics.ts';
import type { RequestFailed } from '../../cli/command/client.ts';
import { runCas } from '../helpers/cas-process.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { verifyChain } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** A record that cannot be folded, in the log of a whole service, from its operator's point of view. */

const SLUG = 'partitions';
const MARK = 'not to be shown';
const dataDir = temporaryDataDir();
let service: TestService;
let [hit, other]: TestCustomer[] = [];

const partition = (customer: TestCustomer): number => partitionOf(customer.id, PARTITIONS);
const cas = async (...args: string[]): Promise<string> => {
  const port = new URL(service.url).port;
  const { code, output } = await runCas(args, { DATA_DIR: dataDir, PORT: port });
  expect([args.join(' '), code, output]).toEqual([args.join(' '), 0, output]);
  return output;
};
const ready = async () => {
  const answer = await fetch(`${service.url}/health/ready`);
  return { status: answer.status, body: (await answer.json()) as { checks: { sink: { ok: boolean } } } };
};
const clientOf = ({ key }: TestCustomer) => customerClient(service.url, key);
const ingest = async (customer: TestCustomer): Promise<string> =>
  String((await clientOf(customer).request('POST', '/audit/ingest', triplet(SLUG, 1))).body.auditId);
const statusOf = async (customer: TestCustomer, auditId: string, wait: number): Promise<string> =>
  String((await clientOf(customer).request('GET', `/audits/${auditId}?wait=${wait}`)).body.status);

/** Appends a record that no release can read to the customer's ledger, while nothing runs. */
async function breakLedgerOf(customer: TestCustomer): Promise<void> {
  const log = await openEmbeddedLog({ path: dataFolder(dataDir).log, topics: TOPICS });
  await log.append([{ topic: LEDGER.name, key: customer.id, value: Buffer.from(MARK), headers: {} }]);
  await log.close();
}

beforeAll(async () => {
  service = await startService(dataDir);
  hit = await makeCustomer(service, 'Hit');
  do other = await makeCustomer(service, 'Beside');
  while (partition(other) === partition(hit));
  for (const customer of [hit, other]) {
    await makeSandbox(customer.client, SLUG);
    expect(await statusOf(customer, await ingest(customer), 30)).toBe('COMPLETED');
  }
  await service.stop();
  await breakLedgerOf(hit);
  service = await startService(dataDir);
}, 120_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
});

test('other partitions continue; the operator sees and stores the record, accepts its loss, and nothing else is lost', async () => {
  const topicPartition = [LEDGER.name, String(partition(hit!))];
  const listed = await eventually('the partition is listed', 30_000, async () => {
    const output = await cas('partitions');
    return output.includes('UNDECODABLE') ? output : undefined;
  });
  expect(listed).toContain('cas partitions accept');
  expect(await statusOf(other!, await ingest(other!), 30)).toBe('COMPLETED');
  // The API checks every second which partitions are stopped.
  const early: string[] = [];
  const refused = await eventually('its audits are refused', 10_000, () =>
    ingest(hit!).then(
      (auditId) => void early.push(auditId),
      (error: RequestFailed) => error,
    ),
  );
  expect(refused).toMatchObject({ statusCode: 503, code: 'PARTITION_STOPPED' });

  expect(await ready()).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { sink: { ok: false }, analyzer: { ok: true } } },
  });
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  const gauge = `cas_consumer_partition_stopped{group="sink",topic="audit.ledger",partition="${partition(hit!)}",reason="UNDECODABLE"} 1`;
  await eventually('the gauge shows it', 10_000, async () => (await metrics()).includes(gauge) || undefined);

  const shown = await cas('partitions', 'show', ...topicPartition);
  expect(shown).not.toContain(MARK);
  const { record } = JSON.parse(shown) as { record: { offset: number; digest: string; key: string } };
  expect(record.key).toBe(hit!.id);
  const file = path.join(dataDir, 'aside.json');
  await cas('partitions', 'show', ...topicPartition, '--save', file);
  const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedRecord;
  expect(Buffer.from(saved.valueBase64, 'base64').toString()).toBe(MARK);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(file);
  expect(existsSync(file)).toBe(false);

  const accepted = ['--offset', String(record.offset), '--digest', record.digest, '--reason', 'tests'];
  expect(await cas('partitions', 'accept', ...topicPartition, ...accepted)).toContain('EVIDENCE_EVENT:loss:');
  const acceptedId = await eventually('its audits are accepted again', 60_000, () =>
    ingest(hit!).catch(() => undefined),
  );
  for (const auditId of [...early, acceptedId]) expect(await statusOf(hit!, auditId, 30)).toBe('COMPLETED');
  await eventually('nothing is stopped', 10_000, async () =>
    (await cas('partitions')).includes('No stopped partitions.') ? true : undefined,
  );
  expect(await ready()).toMatchObject({ status: 200, body: { checks: { sink: { ok: true } } } });

  // A fresh start reads the rows before it folds anything.
  await service.stop();
  service = await startService(dataDir);
  expect(await statusOf(hit!, await ingest(hit!), 30)).toBe('COMPLETED');
  // Key, sandbox, three signals, the early accepted ones, and the entry about the loss.
  await eventually('the chain is whole', 30_000, async () => {
    const { valid, treeSize } = await verifyChain(clientOf(hit!));
    return valid && treeSize === 6 + early.length ? true : undefined;
  });
  expect(await verifyChain(clientOf(other!))).toMatchObject({ valid: true, treeSize: 4 });
  expect(await cas('partitions')).toMatch(/No stopped partitions.*Accepted losses.*UNDECODABLE/s);
}, 180_000);
