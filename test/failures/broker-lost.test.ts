import { afterAll, beforeAll, expect, test } from '#jest';
import { makeCustomer, makeSandbox } from '../helpers/customer.ts';
import { type DistributedService, startDistributed } from '../helpers/distributed.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectNothingLost } from '../helpers/final-state.ts';
import { createLoad, startLoad } from '../helpers/load.ts';
import { describeOnStack, startTestStack, type TestStack } from '../helpers/stack.ts';

const SLUG = 'broker-lost';
const SESSION_MS = 6_000;
const LIMIT_MS = 300_000;

describeOnStack('one process per role on three brokers with TLS and SCRAM', () => {
  let stack: TestStack;
  let service: DistributedService;

  beforeAll(async () => {
    stack = await startTestStack({ brokers: 3, tls: true });
    const settings = { ...stack.settings, KAFKA_SESSION_TIMEOUT_MS: String(SESSION_MS) };
    service = await startDistributed({ settings, analyzers: 1, sinks: 1 });
  }, LIMIT_MS);
  afterAll(async () => {
    await service?.killTree();
    await stack?.stop();
  }, LIMIT_MS);

  test(
    'a broker is killed under load: ingest continues without it, and nothing is lost',
    async () => {
      const customer = await makeCustomer(service, 'Broker lost');
      await makeSandbox(customer.client, SLUG);
      const load = createLoad();
      const loading = startLoad(load, service.url, customer.key, SLUG);
      const moreAccepted = async (what: string): Promise<void> => {
        const before = load.accepted.size;
        await eventually(what, 120_000, async () => (load.accepted.size >= before + 100 ? true : undefined));
      };
      try {
        await moreAccepted('load is on');
        await stack.brokers[0]!.kill();
        await moreAccepted('ingest continues while a broker is down');
        await stack.brokers[0]!.restart();
        await moreAccepted('ingest continues');
      } finally {
        await loading.stop();
      }
      const verification = await expectNothingLost(customer.client, load.accepted);
      // The signals and the two set-up entries.
      expect(verification).toMatchObject({ status: 'VALID', treeSize: load.accepted.size + 2 });
    },
    LIMIT_MS,
  );
});
