import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Receipt } from '#schemas/api/audits.ts';
import { createClient, RequestFailed } from '../../cli/command/client.ts';
import { checkReceipts } from '../helpers/check-receipts.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectWhole, verifyChain } from '../helpers/final-state.ts';
import { watchAnswers } from '../helpers/watch-answers.ts';
import { createWitness, type Witness } from '../helpers/witness.ts';

/** The running service, in any number of processes. */
export interface RunningService {
  readonly url: string;
  readonly internalSecret: string;
  /** Drains and stops it; resolves to 0 when every process exited cleanly. */
  stop(): Promise<number | null>;
  killTree(): Promise<void>;
}

/** The environment of the scenario. `start` after a stop keeps the data. */
export interface SetUp {
  start(): Promise<RunningService>;
  dispose(): Promise<void>;
}

/** The error of a failed call: [status, code]. */
const errorOf = async (call: Promise<unknown>): Promise<[number | null, string | null]> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof RequestFailed) return [error.statusCode, error.code];
    throw error;
  }
  throw new Error('the call was expected to fail');
};

/** An audit from the request to the chained signal over HTTP only: the same for every set-up. */
export function describeSpine(name: string, start: () => Promise<SetUp>): void {
  describe(`a triplet posted over HTTP becomes a chained signal: ${name}`, () => {
    let setUp: SetUp;
    let service: RunningService;
    let customer: TestCustomer;
    let witness: Witness;
    let unwatch = (): void => undefined;
    const accepted = new Set<string>();

    beforeAll(async () => {
      setUp = await start();
      service = await startWatched();
      customer = await makeCustomer(service, 'End to end');
      await makeSandbox(customer.client, 'end-to-end');
    }, 120_000);
    afterAll(async () => {
      unwatch();
      await service?.killTree();
      await setUp?.dispose();
    }, 60_000);

    /** Every response must match the OpenAPI description. */
    const startWatched = async (): Promise<RunningService> => {
      const started = await setUp.start();
      unwatch();
      unwatch = watchAnswers(started.url);
      return started;
    };

    const ingest = async (body: unknown, headers: Record<string, string> = {}): Promise<string> => {
      const answer = await customer.client.request('POST', '/audit/ingest', body, headers);
      expect(answer.statusCode).toBe(202);
      const auditId = String(answer.body.auditId);
      accepted.add(auditId);
      return auditId;
    };

    test('answers 202, then the audit completes and its signal names the violations without the raw values', async () => {
      const auditId = await ingest({
        ...triplet('end-to-end', 1),
        response: 'Her card is 4111 1111 1111 1111, her number 078-05-1120.',
      });
      const audit = await customer.client.request('GET', `/audits/${auditId}?wait=20`);
      expect(audit.body).toMatchObject({ status: 'COMPLETED', attempts: 1, sandboxSlug: 'end-to-end' });
      const steps = (audit.body.steps as unknown as { name: string }[]).map((step) => step.name);
      expect(steps).toEqual(['ACCEPTED', 'ANALYZING', 'STORED']);

      const signal = (await customer.client.request('GET', `/dashboard/signals/${auditId}`)).body;
      expect(signal).toMatchObject({ auditId, id: auditId, piiDetected: true, customerId: customer.id });
      expect(signal.violations).toEqual(expect.arrayContaining(['EMAIL', 'CREDIT_CARD', 'SSN']));
      expect(signal.fingerprint).toMatch(/^[0-9a-f]{64}$/);
      const text = JSON.stringify(signal);
      for (const raw of ['4111 1111', '078-05-1120', 'ann.example.1@']) expect(text).not.toContain(raw);
    }, 40_000);

    test('the receipt is signed by a published key', async () => {
      const answer = await customer.client.request('POST', '/audit/ingest', triplet('end_to_end', 2));
      accepted.add(String(answer.body.auditId));
      const { receipt } = answer.body.data as unknown as { receipt: Receipt };
      expect(await checkReceipts(customer.client, [receipt])).toBe(true);
      expect(await checkReceipts(customer.client, [{ ...receipt, offset: receipt.offset + 1 }])).toBe(false);
    });

    test('one Idempotency-Key is one audit, for any number of requests', async () => {
      const send = () =>
        ingest(triplet('end-to-end', 3), { 'idempotency-key': 'once' }).catch((error: unknown) => error);
      const answers = await Promise.all(Array.from({ length: 20 }, send));
      const ids = new Set(answers.filter((answer) => typeof answer === 'string'));
      expect(ids.size).toBe(1);
      for (const answer of answers)
        if (answer instanceof Error) expect(answer).toMatchObject({ statusCode: 409 });
      expect(await send()).toBe([...ids][0]);
      expect(
        await errorOf(
          customer.client.request('POST', '/audit/ingest', triplet('end-to-end', 4), {
            'idempotency-key': 'once',
          }),
        ),
      ).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    test('bad input returns its error and changes nothing', async () => {
      const before = (await verifyChain(customer.client)).treeSize;
      const post = (body: unknown) => errorOf(customer.client.request('POST', '/audit/ingest', body));
      expect(await post({ ...triplet('end-to-end', 5), prompt: undefined })).toEqual([
        400,
        'INVALID_REQUEST',
      ]);
      expect(await post({ ...triplet('end-to-end', 5), model: 7 })).toEqual([400, 'INVALID_REQUEST']);
      expect(await post(triplet('nowhere', 5))).toEqual([400, 'SANDBOX_NOT_FOUND']);
      expect(await post({ ...triplet('end-to-end', 5), prompt: 'x'.repeat(3 * 1024 * 1024) })).toEqual([
        413,
        'BODY_TOO_LARGE',
      ]);
      expect(await errorOf(customer.client.request('GET', '/nowhere'))).toEqual([404, 'NOT_FOUND']);
      expect(await errorOf(customer.client.request('DELETE', '/audit/ingest'))).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
      ]);
      const raw = async (body: string, type: string) => {
        const response = await fetch(`${service.url}/audit/ingest`, {
          method: 'POST',
          headers: { 'x-service-key': customer.key, 'content-type': type },
          body,
        });
        return [response.status, ((await response.json()) as { code: string }).code];
      };
      expect(await raw('{"sandboxSlug": ', 'application/json')).toEqual([400, 'INVALID_JSON']);
      expect(await raw('a=b', 'application/x-www-form-urlencoded')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect((await verifyChain(customer.client)).treeSize).toBeGreaterThanOrEqual(before);
    });

    test('a wrong, a missing and a revoked key get 401, the revoked one from the next request on', async () => {
      const other = await makeCustomer(service, 'Revoked');
      const keys = `/internal/customers/${other.id}/api-keys`;
      const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
      expect((await other.client.request('GET', '/sandboxes')).statusCode).toBe(200);
      const [key] = (await internal.request('GET', keys)).body.data as unknown as { id: string }[];
      await internal.request('DELETE', `${keys}/${key?.id}`);
      expect(await errorOf(other.client.request('GET', '/sandboxes'))).toEqual([401, 'INVALID_KEY']);
      const wrong = createClient(service.url, { 'x-service-key': `cas_${'0'.repeat(48)}` });
      expect(await errorOf(wrong.request('GET', '/sandboxes'))).toEqual([401, 'INVALID_KEY']);
      expect(await errorOf(createClient(service.url).request('GET', '/sandboxes'))).toEqual([
        401,
        'MISSING_KEY',
      ]);
      expect(await errorOf(customer.client.request('GET', '/internal/customers'))).toEqual([
        401,
        'INVALID_INTERNAL_SECRET',
      ]);
    });

    test('another customer sees none of it', async () => {
      const other = await makeCustomer(service, 'Other');
      const [auditId] = accepted;
      expect(await errorOf(other.client.request('GET', `/audits/${auditId}`))).toEqual([404, 'NOT_FOUND']);
      expect(await errorOf(other.client.request('GET', `/dashboard/signals/${auditId}`))).toEqual([
        404,
        'NOT_FOUND',
      ]);
      expect((await other.client.request('GET', '/dashboard/signals')).body.data).toEqual([]);
    });

    test('every accepted audit is stored once and the chain is VALID', async () => {
      for (const auditId of accepted) await customer.client.request('GET', `/audits/${auditId}?wait=20`);
      const verification = await expectWhole(customer.client, accepted);
      expect(verification).toMatchObject({ status: 'VALID', checkedEntries: accepted.size + 2 });
    }, 60_000);

    test('checkpoints extend one another and prove every signal to an outside witness', async () => {
      witness = await createWitness(customer.client);
      const { size } = await witness.update(customer.client);
      expect(size).toBeGreaterThanOrEqual(accepted.size + 2);
      for (const auditId of accepted)
        expect(await witness.prove(customer.client, auditId)).toBeLessThan(size);
    }, 60_000);

    test('the reconciliation always balances, and all counts agree once everything is stored', async () => {
      const reconciliation = async () => (await customer.client.request('GET', '/dashboard/books')).body;
      let sending = true;
      const load = (async () => {
        for (let round = 0; round < 8; round += 1) {
          await Promise.all(
            Array.from({ length: 25 }, (_, n) => ingest(triplet('end-to-end', 1_000 + round * 25 + n))),
          );
        }
      })().finally(() => {
        sending = false;
      });
      do expect(await reconciliation()).toMatchObject({ balanced: true, difference: 0 });
      while (sending);
      await load;
      const all = {
        accepted: accepted.size,
        stored: accepted.size,
        inFlight: 0,
        retrying: 0,
        deadLettered: 0,
        admitted: accepted.size,
        completed: accepted.size,
        ledgerSignals: accepted.size,
        missing: 0,
        unacknowledged: 0,
      };
      await eventually('everything is stored and counted', 60_000, async () => {
        const seen = await reconciliation();
        expect(seen.balanced).toBe(true);
        const { complete } = seen.freshness as unknown as { complete: boolean };
        return seen.stored === accepted.size && complete ? true : undefined;
      });
      expect(await reconciliation()).toMatchObject(all);
      const stats = (await customer.client.request('GET', '/dashboard/stats')).body;
      const sum = (counts: unknown): number =>
        Object.values(counts as Record<string, number>).reduce((total, count) => total + count, 0);
      const series = (await customer.client.request('GET', '/dashboard/timeseries?interval=hour')).body;
      expect({
        audits: stats.totalAudits,
        risks: sum(stats.riskBreakdown),
        sandboxes: stats.sandboxBreakdown,
        hours: (series.data as unknown as { count: number }[]).reduce((total, { count }) => total + count, 0),
      }).toEqual({
        audits: accepted.size,
        risks: accepted.size,
        sandboxes: [{ slug: 'end-to-end', count: accepted.size }],
        hours: accepted.size,
      });
    }, 120_000);

    test('drains and stops cleanly, and the next start keeps all data', async () => {
      const auditId = await ingest(triplet('end-to-end', 6));
      expect(await service.stop()).toBe(0);
      service = await startWatched();
      customer = { ...customer, client: customerClient(service.url, customer.key) };
      const audit = await customer.client.request('GET', `/audits/${auditId}?wait=20`);
      expect(audit.body.status).toBe('COMPLETED');
      expect(await expectWhole(customer.client, accepted)).toMatchObject({ status: 'VALID' });
      expect((await witness.update(customer.client)).size).toBeGreaterThan(accepted.size);
      await witness.prove(customer.client, auditId);
    }, 90_000);
  });
}
