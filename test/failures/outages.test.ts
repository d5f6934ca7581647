import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectNothingLost, expectWhole, finalStatuses } from '../helpers/final-state.ts';
import { createLoad, startLoad } from '../helpers/load.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

const SLUG = 'outages';
const OUTAGE_MS = 10_000;

describe('a dependency is down for ten seconds under load', () => {
  let dataDir: string;
  let service: TestService;
  let customer: TestCustomer;

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    service = await startService(dataDir, environment);
    customer = await makeCustomer(service, 'Outages');
    await makeSandbox(customer.client, SLUG);
  };
  beforeEach(() => {
    dataDir = temporaryDataDir();
  });
  afterEach(async () => {
    await service.killTree();
    removeDataDir(dataDir);
  });

  const readiness = async (): Promise<string> => {
    const answer = await fetch(`${service.url}/health/ready`);
    return `${answer.status} ${((await answer.json()) as { status: string }).status}`;
  };

  test.each([
    ['keepWarehouseDown', '200 degraded'],
    ['refuseState', '503 unready'],
  ])(
    '%s: readiness turns %s, nothing dead-lettered, nothing lost',
    async (outage, during) => {
      await start({ CONTROLLED: 'true' });
      const load = createLoad();
      const loading = startLoad(load, service.url, customer.key, SLUG);
      await eventually('load is on', 20_000, async () => (load.accepted.size > 100 ? true : undefined));
      await service.control({ [outage]: OUTAGE_MS });
      await eventually(`readiness turns ${during}`, OUTAGE_MS, async () =>
        (await readiness()) === during ? true : undefined,
      );
      const before = load.accepted.size;
      await eventually('readiness turns green again', 60_000, async () =>
        (await readiness()) === '200 ready' ? true : undefined,
      );
      // The log accepts triplets while the warehouse is down; without the state no request can be authenticated.
      if (outage === 'keepWarehouseDown') expect(load.accepted.size).toBeGreaterThan(before);
      await loading.stop();
      await expectNothingLost(customer.client, load.accepted);
    },
    300_000,
  );

  test('when the thread of analyzer and sink ends, the process reports it and exits; the next one resumes', async () => {
    await start({ CONTROLLED: 'true' });
    const load = createLoad();
    const loading = startLoad(load, service.url, customer.key, SLUG);
    await eventually('load is on', 20_000, async () => (load.accepted.size > 100 ? true : undefined));
    await service.control({ endPipeline: 1 });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.output()).toMatch(/"level":60.*pipeline thread exited unexpectedly/);
    service = await startService(dataDir, { PORT: new URL(service.url).port });
    await loading.stop();
    await expectNothingLost(customer.client, load.accepted);
  }, 300_000);

  test('a failing audit goes through both retries to FAILED; other audits are unaffected', async () => {
    await start({ FAULT_INJECTION: 'open:always-fails:99,emit:fails-twice:2' });
    const send = async (model: string): Promise<string> =>
      String((await customer.client.request('POST', '/audit/ingest', triplet(SLUG, 1, model))).body.auditId);
    const [fails, recovers, fine] = [
      await send('always-fails'),
      await send('fails-twice'),
      await send('fine'),
    ];
    await finalStatuses(customer.client, new Set([fails, recovers, fine]), 60_000);
    const read = async (auditId: string) => (await customer.client.request('GET', `/audits/${auditId}`)).body;
    expect(await read(fails)).toMatchObject({
      status: 'FAILED',
      attempts: 3,
      failureCode: 'ANALYSIS_FAILED',
    });
    expect(await read(recovers)).toMatchObject({ status: 'COMPLETED', attempts: 3 });
    expect(await read(fine)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    const steps = ((await read(fails)).steps as unknown as { name: string }[]).map(({ name }) => name);
    expect(steps).toEqual([
      'ACCEPTED',
      'ANALYZING',
      'RETRYING',
      'ANALYZING',
      'RETRYING',
      'ANALYZING',
      'DEAD_LETTERED',
    ]);
    await expectWhole(customer.client, new Set([recovers, fine]));
  }, 120_000);
});
