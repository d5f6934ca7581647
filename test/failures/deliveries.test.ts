import { expect, test } from '#jest';
import { createLogger } from '#platform/telemetry/logger.ts';
import { warehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { LEDGER } from '#schemas/topics.ts';
import { ANALYZER_GROUP, ANALYZER_TOPICS } from '#services/analyzer/run-analyzer.ts';
import { SINK_GROUP, SINK_TOPICS } from '#services/sink/start/sink-topics.ts';
import { type CasProcess, runCas } from '../helpers/cas-process.ts';
import { eventually } from '../helpers/eventually.ts';
import { verifyChain } from '../helpers/final-state.ts';
import { deleteTopic, deliverAllAgain, lagOf, rewindGroup } from '../helpers/kafka-tricks.ts';
import { describeOnStack } from '../helpers/stack.ts';
import { expectEvidenceStored, expectSwept, settleEvidence } from './kill/evidence-checks.ts';
import { createEvidenceWork, evidenceUntilEnd } from './kill/evidence-work.ts';
import { LIMIT_MS, LoadedService, turns } from './loaded-service.ts';

/** Where API and correlator are killed, round by round. */
const DEATHS = {
  retention: { api: 'api.retention-noted:1', correlator: 'policies.after-incident:1' },
  package: { api: 'api.package-written:1', correlator: 'policies.before-progress:1' },
} as const;
/** By then a leader's lease and a dead member's session have expired. */
const DEAD_WITHIN_MS = 60_000;

describeOnStack('group changes, repeated deliveries, and processes killed at work', () => {
  const the = new LoadedService();

  test(
    'rebalances in mid-batch: processes join, leave and are killed',
    async () => {
      await the.underLoad('Rebalances', async () => {
        const joined = await Promise.all([the.service.startOne('analyzer'), the.service.startOne('sink')]);
        await the.moreAccepted('load continues with a third of each', 200);
        for (const one of joined) expect(await one.stop()).toBe(0);
        await the.moreAccepted('load continues after they left', 200);
        const [analyzer, sink] = await Promise.all([
          the.service.startOne('analyzer'),
          the.service.startOne('sink'),
        ]);
        await the.moreAccepted('load continues with others', 200);
        await Promise.all([analyzer.killTree(), sink.killTree()]);
      });
      await the.expectWhole();
    },
    LIMIT_MS,
  );

  test(
    'every record is delivered twice, appended again and read again from the start, without effect',
    async () => {
      await the.underLoad('Twice', async () => undefined);
      await the.expectWhole();
      const before = await verifyChain(the.customer.client);
      expect(await deliverAllAgain(the.stack.settings.KAFKA_BROKERS as string)).toBeGreaterThan(
        before.treeSize,
      );
      for (const analyzer of the.service.of('analyzer')) expect(await analyzer.stop()).toBe(0);
      await rewindGroup(the.stack.settings.KAFKA_BROKERS as string, ANALYZER_GROUP, ANALYZER_TOPICS);
      await Promise.all([the.service.startOne('analyzer'), the.service.startOne('analyzer')]);
      await allRead();
      await the.expectWhole();
      expect(await verifyChain(the.customer.client)).toMatchObject({ treeSize: before.treeSize });
    },
    LIMIT_MS,
  );

  /** Waits until every consumer has processed the whole log: by then a second delivery has done any damage it can. */
  const allRead = async (): Promise<void> => {
    await eventually('all is read', 180_000, async () => {
      const brokers = the.stack.settings.KAFKA_BROKERS as string;
      const lags = [
        await lagOf(brokers, ANALYZER_GROUP, ANALYZER_TOPICS),
        await lagOf(brokers, SINK_GROUP, SINK_TOPICS),
      ];
      return lags.every((lag) => lag === 0) ? true : undefined;
    });
  };

  test(
    'a deleted and recreated topic is rejected until an operator accepts it, then processing resumes',
    async () => {
      await the.underLoad('Topic lost', async () => undefined);
      await the.expectWhole();
      await deleteTopic(the.stack.settings.KAFKA_BROKERS as string, LEDGER.name);
      expect(await runCas(['migrate'], the.stack.settings)).toMatchObject({ code: 0 });
      for (const sink of the.service.of('sink')) await turns(sink, 503, 120_000);
      // The sinks have left their group. Analyzers and correlators have not, though one may be rejoining.
      for (const option of ['--new-epoch', '--accept-older-state']) {
        const early = await runCas(['migrate', option], the.stack.settings);
        expect(early.code).not.toBe(0);
        expect(early.output).toMatch(
          /the group "(analyzer|policies|correlator)" has members: .*(Nothing was|The state was not) changed/,
        );
      }
      await the.service.killTree();
      const refused = await the.service.startOne('sink').then(
        async (started) => {
          await started.killTree();
          return 'it started';
        },
        (error: Error) => error.message,
      );
      expect(refused).toMatch(/audit\.ledger\/\d+: .*cas migrate --new-epoch/);

      await eventually('the sessions of the killed analyzers have ended', 90_000, async () => {
        const { code } = await runCas(['migrate', '--new-epoch'], the.stack.settings);
        return code === 0 ? true : undefined;
      });
      await the.restart();
      await the.expectWhole();
    },
    LIMIT_MS,
  );

  test(
    'API and correlator are killed during policies, erasures and packages: each takes effect once',
    async () => {
      const { internalSecret } = the.service;
      const work = await createEvidenceWork(the.service);
      await Promise.all(
        [...the.service.of('api'), ...the.service.of('correlator')].map((one) => one.killTree()),
      );
      const start = async (deaths: { readonly api?: string; readonly correlator?: string } = {}) => {
        const started = await Promise.all(
          (['api', 'correlator'] as const).map((role) => {
            const point = deaths[role];
            return the.service.startOne(role, point === undefined ? {} : { CRASH_AT: point });
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
      // The next start removes package files left by dead processes.
      await the.service.startOne('api');
      const packages = await expectSwept(work, the.options.settings.PACKAGES_DIR as string, reached);
      const address = warehouseAddress(the.stack.settings.CLICKHOUSE_URL as string);
      const warehouse = openWarehouse({ ...address, logger: createLogger('silent') });
      const seen = { ...settled, packages };
      await expectEvidenceStored(work, the.options.settings.PACKAGES_DIR as string, warehouse, seen);
      await warehouse.close();
    },
    LIMIT_MS,
  );
});
