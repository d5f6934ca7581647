import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { stopNotes } from '#platform/stream/partition/stop-notes.ts';
import { type StoppedPartitions, watchPartitions } from '#records/losses/watch-partitions.ts';
import { LEDGER, PARTITIONS, TRIPLETS } from '#schemas/topics.ts';
import { TRIPLET, triplets } from '../testing/batches.ts';
import {
  type Answered,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../testing/harness.ts';

/** Nothing is accepted that cannot be analyzed now. */

let harness: Harness;
let customer: TestCustomer;
let stopped: Set<string>;

const nameOf = (topic: string, key: string): string => `${topic}/${partitionOf(key, PARTITIONS)}`;
const post = (url: string, payload: object, headers: Record<string, string> = {}): Promise<Answered> =>
  harness.call({ method: 'POST', url, headers: { ...customer.headers, ...headers }, payload });
const refusalOf = ({ status, body, headers }: Answered) => [status, body.code, headers['retry-after']];
const REFUSED = [503, 'PARTITION_STOPPED', '30'];
const counted = () => harness.state.admission.auditCount(customer.id, harness.dependencies.now());

beforeEach(async () => {
  stopped = new Set();
  const stoppedPartitions: StoppedPartitions = {
    isEmpty: () => stopped.size === 0,
    has: (topic, key) => stopped.has(nameOf(topic, key)),
  };
  harness = await startHarness({ dependencies: { stoppedPartitions } });
  customer = await harness.customer();
  await post('/sandboxes', { name: 'Support', slug: TRIPLET.sandboxSlug, sandboxType: 'FULL_SPECTRUM' });
  await harness.settled();
});
afterEach(() => harness.close());

test('while a customer’s ledger partition is stopped its audits and signals are refused, not counted, and accepted later', async () => {
  stopped.add(nameOf(LEDGER.name, customer.id));
  const before = harness.log.records.length;
  const key = { 'idempotency-key': 'k' };
  const { sandboxSlug, provider, model } = TRIPLET;
  const payload = { customerId: customer.id, sandboxSlug, provider, model, riskLevel: 'LOW' };
  const signal = { method: 'POST', url: '/internal/signal', headers: internalHeaders, payload } as const;
  expect(refusalOf(await post('/audit/ingest', TRIPLET))).toEqual(REFUSED);
  expect(refusalOf(await post('/audit/ingest', TRIPLET, key))).toEqual(REFUSED);
  expect(refusalOf(await post('/audit/ingest/batch', triplets(3)))).toEqual(REFUSED);
  expect(refusalOf(await harness.call(signal))).toEqual(REFUSED);
  expect([await counted(), harness.log.records.length]).toEqual([0, before]);
  // Decisions of an operator or the customer are still recorded.
  expect((await post('/sandboxes', { name: 'Second', slug: 'second', sandboxType: 'CUSTOM' })).status).toBe(
    201,
  );
  stopped.clear();
  expect((await post('/audit/ingest', TRIPLET, key)).status).toBe(202);
  expect((await harness.call(signal)).status).toBe(201);
  expect(await counted()).toBe(1);
});

test('only a batch’s items for a stopped partition are refused', async () => {
  for (let partition = 0; partition < PARTITIONS / 2; partition += 1)
    stopped.add(`${TRIPLETS.name}/${partition}`);
  const { status, body } = await post('/audit/ingest/batch', triplets(60));
  expect(status).toBe(202);
  const items = body.data as { auditId?: string; error?: { code: string } }[];
  const accepted = items.flatMap(({ auditId }) => auditId ?? []);
  const refused = items.flatMap(({ error }) => error?.code ?? []);
  expect([accepted.length + refused.length, new Set(refused)]).toEqual([60, new Set(['PARTITION_STOPPED'])]);
  expect(harness.log.of(TRIPLETS.name).map(({ key }) => key)).toEqual(accepted);
  expect(accepted.every((auditId) => !stopped.has(nameOf(TRIPLETS.name, auditId)))).toBe(true);
  expect(await counted()).toBe(accepted.length);
});

test('the stops recorded by consumers are read repeatedly', async () => {
  const notes = stopNotes(harness.state.expiring, 'sink');
  const [topic, partition] = [LEDGER.name, partitionOf(customer.id, PARTITIONS)];
  const stop = { topic, partition, kind: 'START_REFUSED', reason: 'START_REFUSED' } as const;
  await notes.note({ ...stop, offset: null, untilOffset: null, message: 'tests', since: 0 });
  const warn = jest.fn();
  const watch = await watchPartitions({
    expiring: harness.state.expiring,
    logger: { warn } as never,
    everyMs: 1,
  });
  expect([watch.isEmpty(), watch.has(topic, customer.id)]).toEqual([false, true]);
  await notes.forget(topic, partition);
  while (!watch.isEmpty()) await new Promise(setImmediate);
  await watch.stop();
  expect(warn).not.toHaveBeenCalled();
});
