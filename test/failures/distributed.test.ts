import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '#platform/telemetry/logger.ts';
import { warehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { LEDGER } from '#schemas/topics.ts';
import { ANALYZER_GROUP, ANALYZER_TOPICS } from '#services/analyzer/run-analyzer.ts';
import { SINK_GROUP, SINK_TOPICS } from '#services/sink/pipeline.ts';
import { type CasProcess, runCas } from '../helpers/cas-process.ts';
import { customerClient, makeCustomer, makeSandbox, type TestCustomer } from '../helpers/customer.ts';
import {
  type DistributedOptions,
  type DistributedService,
  startDistributed,
} from '../helpers/distributed.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectNothingLost, verifyChain } from '../helpers/final-state.ts';
import { deleteTopic, deliverAllAgain, lagOf, rewindGroup } from '../helpers/kafka-tricks.ts';
import { createLoad, type Load, startLoad } from '../helpers/load.ts';
import { describeOnStack, startTestStack, type TestStack } from '../helpers/stack.ts';
import { expectEvidenceStored, expectSwept, settleEvidence } from '../kill/evidence-look.ts';
import { createEvidenceWork, evidenceUntilEnd } from '../kill/evidence-work.ts';

const SLUG = 'real-failures';
/** The shortest that a broker allows by default: a member that is silent for longer loses its partitions. */
const SESSION_MS = 6_000;
const OF_TEST = { KAFKA_SESSION_TIMEOUT_MS: String(SESSION_MS) };
const WAREHOUSE_DOWN_MS = 30_000;
const BROKER_DOWN_MS = 10_000;
const STATE_DOWN_MS = 5_000;
const LIMIT_MS = 420_000;
/** Where API and correlator die, round by round. */
const DEATHS = {
  retention: { api: 'api.retention-noted:1', correlator: 'policies.after-incident:1' },
  package: { api: 'api.package-written:1', correlator: 'policies.before-progress:1' },
} as const;
/** A leader's lease and a dead member's session are over by then. */
const DEAD_WITHIN_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const readyBody = async (url: string): Promise<{ status: string }> =>
  (await fetch(`${url}/health/ready`)).json() as Promise<{ status: string }>;

const readyStatus = async (url: string): Promise<number> => (await fetch(`${url}/health/ready`)).status;

describeOnStack('one process per role on real servers', () => {
  let stack: TestStack;
  let service: DistributedService;
  let options: DistributedOptions;
  let customer: TestCustomer;
  let load: Load;

  beforeAll(async () => {
    stack = await startTestStack();
    options = {
      settings: { ...stack.settings, ...OF_TEST, PACKAGES_DIR: path.join(stack.folder, 'packages') },
    };
    service = await startDistributed(options);
  }, LIMIT_MS);
  afterAll(async () => {
    await service?.killTree();
    await stack?.stop();
  }, LIMIT_MS);

  /** Load under a customer of its own, with `trouble` in the middle. Ends when everything that was sent is answered. */
  const underLoad = async (name: string, trouble: () => Promise<void>): Promise<void> => {
    customer = await makeCustomer(service, name);
    await makeSandbox(customer.client, SLUG);
    load = createLoad();
    const loading = startLoad(load, service.url, customer.key, SLUG);
    try {
      await moreAccepted('load is on', 100);
      await trouble();
      await moreAccepted('load goes on after the trouble', 100);
    } finally {
      await loading.stop();
    }
  };

  const moreAccepted = async (what: string, count: number): Promise<void> => {
    const before = load.accepted.size;
    await eventually(what, 120_000, async () => (load.accepted.size >= before + count ? true : undefined));
  };

  const turns = (one: { readonly url: string }, status: number, withinMs: number): Promise<unknown> =>
    eventually(`readiness turns ${status}`, withinMs, async () =>
      (await readyStatus(one.url)) === status ? true : undefined,
    );

  /** Ingest needs no warehouse; a query that needs it says when to come back. */
  const expectDegradedApi = async (): Promise<void> => {
    const answer = await fetch(`${service.url}/health/ready`);
    const body = (await answer.json()) as { status: string; checks: Record<string, { ok: boolean }> };
    const failing = Object.keys(body.checks).filter((name) => body.checks[name]?.ok === false);
    expect([answer.status, body.status, failing]).toEqual([200, 'degraded', ['ledger', 'warehouse']]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^cas_dependency_up\{role="api",dependency="warehouse"\} 0$/m);
    expect(metrics).toMatch(/^cas_readiness_level\{role="api"\} 1$/m);
    const query = await fetch(`${service.url}/dashboard/signals`, {
      headers: { 'x-service-key': customer.key },
    });
    expect([query.status, Number(query.headers.get('retry-after')) > 0]).toEqual([503, true]);
  };

  /** Nothing lost, doubled or dead-lettered, and the chain holds the signals and the two entries of the set-up. */
  const expectWholeAfterwards = async (): Promise<void> => {
    const verification = await expectNothingLost(customer.client, load.accepted);
    expect(verification).toMatchObject({ status: 'VALID', treeSize: load.accepted.size + 2 });
  };

  test(
    'the broker is killed and comes back',
    async () => {
      await underLoad('Broker killed', async () => {
        await stack.servers.kafka.kill();
        await turns(service, 503, 60_000);
        await pause(BROKER_DOWN_MS);
        await stack.servers.kafka.restart();
        await turns(service, 200, 90_000);
      });
      for (const one of [...service.of('analyzer'), ...service.of('sink')]) await turns(one, 200, 90_000);
      await expectWholeAfterwards();
    },
    LIMIT_MS,
  );

  test(
    'Redis is killed and comes back: nobody is let in meanwhile',
    async () => {
      await underLoad('Redis killed', async () => {
        await stack.servers.redis.kill();
        await turns(service, 503, 30_000);
        const answer = await fetch(`${service.url}/sandboxes`, {
          headers: { 'x-service-key': customer.key },
        });
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        await pause(STATE_DOWN_MS);
        await stack.servers.redis.restart();
        await turns(service, 200, 60_000);
      });
      await expectWholeAfterwards();
    },
    LIMIT_MS,
  );

  test(
    'ClickHouse is killed for half a minute: the API stays in rotation, degraded, and ingest continues',
    async () => {
      await underLoad('ClickHouse killed', async () => {
        await stack.servers.clickhouse.kill();
        const [sink] = service.of('sink') as [CasProcess];
        await turns(sink, 503, 60_000);
        await expectDegradedApi();
        await moreAccepted('the log takes triplets meanwhile', 100);
        await pause(WAREHOUSE_DOWN_MS);
        await expectDegradedApi();
        await stack.servers.clickhouse.restart();
        await turns(sink, 200, 60_000);
        await eventually('the API is ready again', 60_000, async () =>
          (await readyBody(service.url)).status === 'ready' ? true : undefined,
        );
      });
      await expectWholeAfterwards();
    },
    LIMIT_MS,
  );

  test(
    'a sink is paused beyond its session and wakes as a zombie',
    async () => {
      const [zombie, other] = service.of('sink') as [CasProcess, CasProcess];
      await underLoad('Zombie', async () => {
        zombie.process.kill('SIGSTOP');
        await moreAccepted('load is on while the sink sleeps', 200);
        await pause(SESSION_MS * 2);
        zombie.process.kill('SIGCONT');
        await turns(zombie, 200, 60_000);
      });
      await turns(other, 200, 60_000);
      await expectWholeAfterwards();
    },
    LIMIT_MS,
  );

  test(
    'an analyzer is paused beyond its session and wakes as a zombie',
    async () => {
      const [zombie] = service.of('analyzer') as [CasProcess];
      await underLoad('Zombie analyzer', async () => {
        zombie.process.kill('SIGSTOP');
        await moreAccepted('load is on while the analyzer sleeps', 200);
        await pause(SESSION_MS * 2);
        zombie.process.kill('SIGCONT');
        await turns(zombie, 200, 60_000);
      });
      await expectWholeAfterwards();
    },
    LIMIT_MS,
  );

  test(
    'rebalances in mid-batch: processes join, leave and die',
    async () => {
      await underLoad('Rebalances', async () => {
        const joined = await Promise.all([service.startOne('analyzer'), service.startOne('sink')]);
        await moreAccepted('load goes on with a third of each', 200);
        for (const one of joined) expect(await one.stop()).toBe(0);
        await moreAccepted('load goes on after they left', 200);
        const [analyzer, sink] = await Promise.all([service.startOne('analyzer'), service.startOne('sink')]);
        await moreAccepted('load goes on with others', 200);
        await Promise.all([analyzer.killTree(), sink.killTree()]);
      });
      await expectWholeAfterwards();
    },
    LIMIT_MS,
  );

  test(
    'every record is delivered twice: appended again, and read again from the beginning',
    async () => {
      await underLoad('Twice', async () => undefined);
      await expectWholeAfterwards();
      const before = await verifyChain(customer.client);
      expect(await deliverAllAgain(stack.settings.KAFKA_BROKERS as string)).toBeGreaterThan(before.treeSize);
      for (const analyzer of service.of('analyzer')) expect(await analyzer.stop()).toBe(0);
      await rewindGroup(stack.settings.KAFKA_BROKERS as string, ANALYZER_GROUP, ANALYZER_TOPICS);
      await Promise.all([service.startOne('analyzer'), service.startOne('analyzer')]);
      await allRead();
      await expectWholeAfterwards();
      expect(await verifyChain(customer.client)).toMatchObject({ treeSize: before.treeSize });
    },
    LIMIT_MS,
  );

  /** Every consumer has processed everything in the log: any damage by a second delivery is done by then. */
  const allRead = async (): Promise<void> => {
    await eventually('all is read', 180_000, async () => {
      const brokers = stack.settings.KAFKA_BROKERS as string;
      const behind = [
        await lagOf(brokers, ANALYZER_GROUP, ANALYZER_TOPICS),
        await lagOf(brokers, SINK_GROUP, SINK_TOPICS),
      ];
      return behind.every((lag) => lag === 0) ? true : undefined;
    });
  };

  test(
    'a topic deleted and created anew is refused until told, then goes on',
    async () => {
      await underLoad('Topic lost', async () => undefined);
      await expectWholeAfterwards();
      await deleteTopic(stack.settings.KAFKA_BROKERS as string, LEDGER.name);
      expect(await runCas(['migrate'], stack.settings)).toMatchObject({ code: 0 });
      for (const sink of service.of('sink')) await turns(sink, 503, 120_000);
      // The sinks have left their group; the analyzers have not.
      for (const option of ['--new-epoch', '--accept-older-state']) {
        const beside = await runCas(['migrate', option], stack.settings);
        expect(beside.code).not.toBe(0);
        expect(beside.output).toMatch(
          /the group "analyzer" has members: .*Nothing (of the state )?was changed/,
        );
      }
      await service.killTree();
      const refused = await service.startOne('sink').then(
        async (started) => {
          await started.killTree();
          return 'it started';
        },
        (error: Error) => error.message,
      );
      expect(refused).toMatch(/audit\.ledger\/\d+: .*cas migrate --new-epoch/);

      await eventually('the sessions of the killed analyzers have ended', 90_000, async () => {
        const { code } = await runCas(['migrate', '--new-epoch'], stack.settings);
        return code === 0 ? true : undefined;
      });
      service = await startDistributed(options);
      customer = { ...customer, client: customerClient(service.url, customer.key) };
      const loading = startLoad(load, service.url, customer.key, SLUG);
      await moreAccepted('it goes on', 50);
      await loading.stop();
      await expectWholeAfterwards();
    },
    LIMIT_MS,
  );

  test(
    'API and correlator die over policies, erasures and packages: each has its effect once',
    async () => {
      const { internalSecret } = service;
      const work = await createEvidenceWork(service);
      await Promise.all([...service.of('api'), ...service.of('correlator')].map((one) => one.killTree()));
      const start = async (deaths: { readonly api?: string; readonly correlator?: string } = {}) => {
        const started = await Promise.all(
          (['api', 'correlator'] as const).map((role) => {
            const point = deaths[role];
            return service.startOne(role, point === undefined ? {} : { CRASH_AT: point });
          }),
        );
        const [api, correlator] = started as [CasProcess, CasProcess];
        return { api, correlator, reached: { url: api.url, internalSecret, ended: api.ended } };
      };
      for (const [round, deaths] of Object.entries(DEATHS)) {
        const { api, correlator, reached } = await start(deaths);
        const working = evidenceUntilEnd(work, reached, { round, failing: null });
        let isLate = false;
        const limit = setTimeout(() => {
          isLate = true;
          void api.killTree();
        }, DEAD_WITHIN_MS);
        await api.ended;
        await correlator.killTree();
        await working;
        clearTimeout(limit);
        expect(api.output()).not.toMatch(/"level":(50|60)/);
        expect([round, isLate]).toEqual([round, false]);
      }
      const { reached } = await start();
      const settled = await settleEvidence(work, reached);
      // What dead processes left of packages goes at the next start.
      await service.startOne('api');
      const packages = await expectSwept(work, options.settings.PACKAGES_DIR as string, reached);
      const address = warehouseAddress(stack.settings.CLICKHOUSE_URL as string);
      const warehouse = openWarehouse({ ...address, logger: createLogger('silent') });
      const seen = { ...settled, packages };
      await expectEvidenceStored(work, options.settings.PACKAGES_DIR as string, warehouse, seen);
      await warehouse.close();
    },
    LIMIT_MS,
  );
});
