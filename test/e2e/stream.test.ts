import { afterAll, beforeAll, expect, test } from '#jest';
import {
  type OpenedStream,
  openStream,
  type SeenEvent,
} from '#services/api/signals/stream/testing/event-stream.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/**
 * Triplets sent over HTTP arrive in a stream as signals: each once, despite disconnects and restarts of the service.
 */

const WITHIN_MS = 60_000;
const dataDir = temporaryDataDir();
let service: TestService;
let [customer, other]: TestCustomer[] = [];
const streams: OpenedStream[] = [];
beforeAll(async () => {
  service = await startService(dataDir);
  customer = await makeCustomer(service, 'Watching Ltd');
  other = await makeCustomer(service, 'Neighbour Ltd');
  for (const { client } of [customer, other]) await makeSandbox(client, 'desk');
}, 120_000);
afterAll(async () => {
  for (const stream of streams) stream.close();
  await service?.killTree();
  removeDataDir(dataDir);
});

let number = 0;
async function ingest({ key }: TestCustomer, count: number): Promise<string[]> {
  const client = customerClient(service.url, key);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { body } = await client.request('POST', '/audit/ingest', triplet('desk', number++));
    ids.push(String(body.auditId));
  }
  return ids;
}
async function watch({ key }: TestCustomer, lastEventId?: string | null): Promise<OpenedStream> {
  const headers = { 'x-service-key': key, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
  const stream = await openStream(`${service.url}/dashboard/stream`, headers);
  streams.push(stream);
  await stream.until(({ event }) => event === 'ready');
  return stream;
}
const signalsOf = (seen: readonly OpenedStream[]): SeenEvent[] =>
  seen.flatMap(({ events }) => events.filter(({ event }) => event === 'signal'));
const lastIdOf = ({ events }: OpenedStream): string | null => events.findLast(({ id }) => id !== null)!.id;
const all = (seen: readonly OpenedStream[], count: number): Promise<true> =>
  eventually('all signals came', WITHIN_MS, async () => (signalsOf(seen).length >= count ? true : undefined));

test('each customer receives every signal once and in order, across a disconnect, a stop and a kill of the service', async () => {
  const seen = [await watch(customer!)];
  const otherStream = await watch(other!);
  const ids = await ingest(customer!, 20);
  const others = await ingest(other!, 5);
  await all(seen, 20);
  await all([otherStream], 5);

  seen.at(-1)!.close();
  ids.push(...(await ingest(customer!, 20)));
  seen.push(await watch(customer!, lastIdOf(seen.at(-1)!)));
  await all(seen, 40);

  ids.push(...(await ingest(customer!, 10)));
  await service.stop();
  await seen.at(-1)!.ended();
  expect(seen.at(-1)!.isWhole).toBe(true);
  service = await startService(dataDir);
  seen.push(await watch(customer!, lastIdOf(seen.at(-1)!)));
  ids.push(...(await ingest(customer!, 10)));
  await all(seen, 60);

  ids.push(...(await ingest(customer!, 10)));
  await service.killTree();
  await seen.at(-1)!.ended();
  service = await startService(dataDir);
  seen.push(await watch(customer!, lastIdOf(seen.at(-1)!)));
  ids.push(...(await ingest(customer!, 10)));
  await all(seen, 80);

  const signals = signalsOf(seen);
  expect(signals.map(({ data }) => data.auditId).sort()).toEqual([...ids].sort());
  const indexes = signals.map(({ data }) => data.index as number);
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
  expect(seen.flatMap(({ events }) => events.filter(({ event }) => event === 'reset'))).toEqual([]);
  expect(
    signalsOf([otherStream])
      .map(({ data }) => data.auditId)
      .sort(),
  ).toEqual([...others].sort());
  // In the order of the list.
  const { body } = await customerClient(service.url, customer!.key).request(
    'GET',
    '/dashboard/signals?limit=100',
  );
  const listed = new Map((body.data as unknown as { auditId: string }[]).map((one) => [one.auditId, one]));
  for (const { data } of signals) expect(listed.get(data.auditId)).toEqual(data);
  // Audits and signals are stored in separate inserts, so a count between the two includes audits whose signals follow.
  const isWhole = ({ data }: SeenEvent): boolean =>
    data.totalAudits === 80 &&
    JSON.stringify(data.modelBreakdown) ===
      JSON.stringify([{ provider: 'openai', model: 'test-model', count: 80 }]);
  await seen.at(-1)!.until((one) => one.event === 'stats' && isWhole(one));
}, 240_000);
