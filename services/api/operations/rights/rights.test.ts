import { get, type IncomingMessage, request } from 'node:http';
import { afterEach, expect, jest, test } from '#jest';
import { API_KEYS } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { makeAuditor } from '../../testing/auditors.ts';
import {
  emptyWarehouse,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../../testing/harness.ts';

/** Admitted requests whose right ends before they are answered. */

/** A latch that opens once. */
function closedLatch() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

let harness: Harness;
let owner: TestCustomer;
afterEach(async () => {
  jest.restoreAllMocks();
  await harness.close();
});

async function start(warehouse: Partial<Warehouse> = {}): Promise<string> {
  harness = await startHarness({ warehouse: { ...emptyWarehouse(), ...warehouse } });
  owner = await harness.customer();
  return harness.app.listen({ host: '127.0.0.1', port: 0 });
}

async function revoke(): Promise<void> {
  const url = `/internal/customers/${owner.id}/api-keys`;
  const { body } = await harness.call({ url, headers: internalHeaders });
  const answer = await harness.call({
    method: 'DELETE',
    url: `${url}/${body.data[0].id}`,
    headers: internalHeaders,
  });
  expect(answer.status).toBe(200);
}

/** Advances the clock that measures how long a request has taken. */
function pass(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

test.each([
  ['revoked', revoke, 401],
  ['valid', async () => undefined, 200],
])('a read of more than a second is refused if its key is %s by then', async (_name, change, status) => {
  const [asked, answered] = [closedLatch(), closedLatch()];
  await start({
    query: (async (sql: string) => {
      if (sql.includes('audits')) {
        asked.open();
        await answered.opened;
      }
      return [];
    }) as Warehouse['query'],
  });
  const answer = harness.call({ url: '/audits', headers: owner.headers });
  await asked.opened;
  await change();
  pass(1_000);
  answered.open();
  expect((await answer).status).toBe(status);
});

test('a body that arrives more than a second after its key was revoked is not processed', async () => {
  const url = await start();
  const body = JSON.stringify({ name: 'Late', slug: 'late', sandboxType: 'PII_DETECTION' });
  const sent = request(`${url}/sandboxes`, {
    method: 'POST',
    headers: { ...owner.headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  const isAdmitted = jest.spyOn(harness.state.admission, 'authenticate');
  sent.write(body.slice(0, 5));
  while (isAdmitted.mock.results.length === 0) await new Promise(setImmediate);
  await isAdmitted.mock.results[0]!.value;
  await new Promise(setImmediate);
  await revoke();
  pass(1_000);
  const answer = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
  sent.end(body.slice(5));
  expect((await answer).statusCode).toBe(401);
  (await answer).resume();
  expect(await harness.state.documents.list(owner.id, 'sandboxes')).toEqual([]);
});

test.each([
  ['through this process', revoke],
  [
    'by another process',
    async () => {
      const { documents } = harness.state;
      const [key] = await documents.list<object>(owner.id, API_KEYS);
      const value = { ...key!.value, status: 'revoked' };
      await documents.write(owner.id, [{ collection: API_KEYS, id: key!.id, value }]);
    },
  ],
])('an export is broken off when its key is revoked %s', async (_name, end) => {
  const stopped = closedLatch();
  const url = await start({
    query: (async (sql: string) =>
      sql.includes('groupArrayIf') ? [{ total: 1, ends: [] }] : []) as Warehouse['query'],
    async *streamBytes(_sql, _format, _parameters, options) {
      options?.stop?.addEventListener('abort', () => stopped.open());
      yield Buffer.from(`{"auditId":"${'a'.repeat(200_000)}"}\n`);
      await stopped.opened;
    },
  });
  const answer = await new Promise<IncomingMessage>((resolve) => {
    get(`${url}/dashboard/signals/export?format=ndjson`, { headers: owner.headers, agent: false }, resolve);
  });
  expect(answer.statusCode).toBe(200);
  const failed = new Promise((resolve) => answer.once('error', resolve));
  answer.resume();
  await end();
  expect(await failed).toMatchObject({ message: 'aborted' });
  await stopped.opened;
});

test('an auditor’s read is refused more than a second after its token was revoked', async () => {
  const [asked, answered] = [closedLatch(), closedLatch()];
  await start({
    query: (async () => {
      asked.open();
      await answered.opened;
      return [];
    }) as Warehouse['query'],
  });
  const { id, headers } = await makeAuditor(harness, owner);
  const answer = harness.call({ url: '/auditor/signals', headers });
  await asked.opened;
  await harness.call({ method: 'DELETE', url: `/evidence/auditors/${id}`, headers: owner.headers });
  pass(1_000);
  answered.open();
  const { status, body } = await answer;
  expect([status, body.code]).toEqual([401, 'INVALID_AUDITOR_TOKEN']);
});
