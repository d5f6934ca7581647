import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { type Client, createClient, RequestFailed } from '../../cli/command/client.ts';
import { ERASURE_POINTS } from '../failures/kill/points.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { allSignals, verifyChain } from '../helpers/final-state.ts';
import { auditsOf, inspectStores, stateFile, tablesWith, wrappedKeys } from '../helpers/inspect-stores.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** Part of every name that the erased customer used. */
const MARK = 'Zumtobel';
/** All its analyses fail. */
const FAULTY = 'faulty-model';
/** Its first analysis fails, so its signal arrives a second later: after the entry that closes the customer. */
const SLOW = 'slow-model';
const WITHIN_MS = 90_000;

const internal = (service: TestService): Client =>
  createClient(service.url, { 'x-internal-secret': service.internalSecret });
const recordOf = async (service: TestService, id: string) =>
  (await internal(service).request('GET', `/internal/customers/${id}`)).body.data as unknown as {
    name: string;
    active: boolean;
    erasure?: { status: string; requestedAt: string; completedAt?: string };
  };
const statusOf = (call: Promise<{ statusCode: number }>): Promise<number | null> =>
  call.then(
    ({ statusCode }) => statusCode,
    (error: unknown) => (error instanceof RequestFailed ? error.statusCode : Promise.reject(error)),
  );
const ingest = async ({ client }: TestCustomer, number: number, model?: string): Promise<string> => {
  const answer = await client.request('POST', '/audit/ingest', triplet('erased', number, model));
  return String(answer.body.auditId);
};
const completion = (service: TestService, id: string) =>
  eventually('the erasure is complete', WITHIN_MS, async () => {
    const record = await recordOf(service, id);
    return record.erasure?.status === 'COMPLETED' ? record : undefined;
  });
const newCustomer = async (service: TestService, name: string): Promise<TestCustomer> => {
  const customer = await makeCustomer(service, name);
  await makeSandbox(customer.client, 'erased', { name: `${name} sandbox`, customRules: [`${name} rule`] });
  return customer;
};
describe('a customer is erased', () => {
  const dataDir = temporaryDataDir();
  let service: TestService;
  let erased: TestCustomer;
  let other: TestCustomer;
  const accepted: string[] = [];
  const reasonings: string[] = [];
  let stored = 0;

  beforeAll(async () => {
    service = await startService(dataDir, { FAULT_INJECTION: `emit:${FAULTY}:3,emit:${SLOW}:1` });
    erased = await newCustomer(service, `${MARK} AG`);
    other = await newCustomer(service, 'Neighbour Ltd');
    await internal(service).request('POST', `/internal/customers/${erased.id}/api-keys`, {
      name: `${MARK} key`,
    });
    for (let number = 0; number < 25; number += 1)
      accepted.push(await ingest(erased, number, `${MARK}-model`));
    for (let number = 0; number < 5; number += 1) await ingest(other, number);
    const failed = await ingest(erased, 100, FAULTY);
    accepted.push(failed);
    await eventually('all are final', WITHIN_MS, async () => {
      const audit = await erased.client.request('GET', `/audits/${failed}?wait=10`);
      const signals = [await allSignals(erased.client), await allSignals(other.client)].map(
        ({ length }) => length,
      );
      return String(audit.body.status) === 'FAILED' && signals[0] === 25 && signals[1] === 5
        ? true
        : undefined;
    });
    for (const auditId of accepted.slice(0, 25)) {
      const signal = await erased.client.request('GET', `/dashboard/signals/${auditId}`);
      reasonings.push(String(signal.body.reasoning));
    }
    stored = (await verifyChain(erased.client)).treeSize;
  }, 120_000);
  afterAll(async () => {
    await service?.killTree();
    removeDataDir(dataDir);
  });

  test('its keys are rejected at once, and finally nothing of it is served', async () => {
    expect(new Set(reasonings).size).toBeGreaterThan(1);
    expect(wrappedKeys(dataDir).size).toBe(2);
    // Some are still in flight, and some of these will be retried.
    for (let number = 200; number < 220; number += 1) accepted.push(await ingest(erased, number));
    for (const model of [FAULTY, SLOW, SLOW, SLOW]) accepted.push(await ingest(erased, 220, model));
    const started = await internal(service).request('DELETE', `/internal/customers/${erased.id}`);
    expect(started.statusCode).toBe(202);
    for (const url of ['/sandboxes', '/dashboard/signals', `/audits/${accepted[0]}`]) {
      expect(await statusOf(erased.client.request('GET', url))).toBe(401);
    }
    expect(await statusOf(erased.client.request('POST', '/audit/ingest', triplet('erased', 1)))).toBe(401);

    const record = await completion(service, erased.id);
    expect(record).toMatchObject({ id: erased.id, name: '', active: false, plan: 'ENTERPRISE' });
    expect(record.erasure!.requestedAt).toBe(
      (started.body.erasure as unknown as { requestedAt: string }).requestedAt,
    );
    const again = await internal(service).request('DELETE', `/internal/customers/${erased.id}`);
    expect([again.statusCode, again.body.data]).toEqual([202, record]);
    for (const url of ['', `/${erased.id}`, `/${erased.id}/api-keys`]) {
      const served = await internal(service).request('GET', `/internal/customers${url}`);
      expect(JSON.stringify(served.body)).not.toContain(MARK);
    }
    const keys = await internal(service).request('GET', `/internal/customers/${erased.id}/api-keys`);
    expect(keys.body.data).toEqual([]);
  }, 120_000);

  test('another customer is unaffected', async () => {
    expect(await allSignals(other.client)).toHaveLength(5);
    const auditId = await ingest(other, 6);
    const audit = await other.client.request('GET', `/audits/${auditId}?wait=20`);
    expect(audit.body.status).toBe('COMPLETED');
    expect(await verifyChain(other.client)).toMatchObject({ status: 'VALID', errors: [] });
    expect((await other.client.request('GET', '/sandboxes')).body.data).toHaveLength(1);
  }, 60_000);

  test('no table and no state record contains its data, its key is gone, and its chain verifies', async () => {
    expect(await service.stop()).toBe(0);
    await inspectStores(dataDir, async ({ warehouse, verify }) => {
      expect(await tablesWith(warehouse, MARK)).toEqual([]);
      const own = JSON.stringify(
        await warehouse.query<object>(
          `SELECT signals.reasoning, signals.detections, signals.riskLevel FROM signals WHERE customerId = {customerId:String}`,
          { customerId: erased.id },
        ),
      );
      expect(reasonings.filter((reasoning) => own.includes(reasoning))).toEqual([]);
      expect(new Set(JSON.parse(own).map((row: object) => JSON.stringify(row)))).toEqual(
        new Set([JSON.stringify({ reasoning: null, detections: '[]', riskLevel: '' })]),
      );

      const audits = await auditsOf(warehouse, erased.id);
      expect(new Set(audits.map(({ auditId }) => auditId))).toEqual(new Set(accepted));
      for (const audit of audits) {
        expect(audit).toMatchObject({
          erased: true,
          provider: null,
          model: null,
          riskLevel: null,
          violations: [],
        });
      }
      const found = await verify(erased.id);
      expect(found).toMatchObject({ status: 'VALID', errors: [] });
      expect(found.treeSize).toBeGreaterThan(stored);
      expect(found.erasedSignals).toBeGreaterThanOrEqual(25);
      expect(await verify(other.id)).toMatchObject({ status: 'VALID', erasedSignals: 0 });
    });
    const state = stateFile(dataDir);
    expect([state.includes(MARK), state.includes('Neighbour Ltd')]).toEqual([false, true]);
    expect(wrappedKeys(dataDir).size).toBe(1);
  }, 120_000);
});

describe('erasing a customer resumes after kill -9', () => {
  const dataDir = temporaryDataDir();
  let service: TestService;
  afterAll(async () => {
    await service?.killTree();
    removeDataDir(dataDir);
  });

  test('killed right after the 202 and at every step, in any process', async () => {
    service = await startService(dataDir);
    const customer = await newCustomer(service, `${MARK} AG`);
    const accepted = new Set<string>();
    for (let number = 0; number < 10; number += 1) accepted.add(await ingest(customer, number));
    const client = customerClient(service.url, customer.key);
    await eventually('all are stored', WITHIN_MS, async () =>
      (await allSignals(client)).length === accepted.size ? true : undefined,
    );
    const started = await internal(service).request('DELETE', `/internal/customers/${customer.id}`);
    expect(started.statusCode).toBe(202);
    await service.killTree();

    for (const point of ERASURE_POINTS) {
      service = await startService(dataDir, { CRASH_AT: point });
      expect(await statusOf(customerClient(service.url, customer.key).request('GET', '/sandboxes'))).toBe(
        401,
      );
      const { signal } = await service.ended;
      expect([point, signal]).toEqual([point, 'SIGKILL']);
      await service.killTree();
    }
    service = await startService(dataDir);
    const record = await completion(service, customer.id);
    expect([record.name, record.erasure]).toEqual([
      '',
      {
        ...(started.body.erasure as unknown as object),
        status: 'COMPLETED',
        completedAt: record.erasure!.completedAt,
      },
    ]);
    expect(await service.stop()).toBe(0);
    await inspectStores(dataDir, async ({ warehouse, verify }) => {
      expect(await tablesWith(warehouse, 'reasoning":"')).toEqual([]);
      const audits = await auditsOf(warehouse, customer.id);
      expect(new Set(audits.map(({ auditId }) => auditId))).toEqual(accepted);
      expect(audits.every(({ erased }) => erased)).toBe(true);
      expect(await verify(customer.id)).toMatchObject({ status: 'VALID', erasedSignals: accepted.size });
    });
    expect(wrappedKeys(dataDir).size).toBe(0);
  }, 240_000);
});
