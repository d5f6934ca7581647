import { openKafkaLog } from '#platform/event-log/kafka/event-log.ts';
import { TOPICS } from '#schemas/topics.ts';
import { startDistributed } from '../helpers/distributed.ts';
import { describeOnStack, startTestStack } from '../helpers/stack.ts';
import { describeCanary } from './canary.scenario.ts';
import { filesOf, redisContent, tablesOf, topicsOf } from './stores.ts';

describeOnStack('one process per role', () => {
  describeCanary('distributed', async () => {
    const stack = await startTestStack();
    const { kafka, clickhouse, redis } = stack.servers;
    return {
      start: async (environment) => {
        const service = await startDistributed({
          settings: { ...stack.settings, ...environment },
          analyzers: 1,
          sinks: 1,
        });
        const processes = (['api', 'analyzer', 'sink', 'correlator'] as const).flatMap((role) =>
          service.of(role),
        );
        return {
          ...service,
          metricsUrls: () => processes.map(({ url }) => url),
          output: () => processes.map((one) => one.output()).join('\n'),
        };
      },
      topics: async () => {
        const log = await openKafkaLog({
          brokers: kafka.address.split(','),
          clientId: 'canary',
          topics: TOPICS,
        });
        try {
          return await topicsOf(log);
        } finally {
          await log.close();
        }
      },
      tables: () => {
        const { origin, username, password } = new URL(clickhouse.address);
        return tablesOf({ url: origin, username, password });
      },
      rest: async () => {
        const inRedis = await redisContent(redis.address);
        // A running server creates and removes files.
        await Promise.all(Object.values(stack.servers).map((server) => server.stop()));
        return [...filesOf(stack.folder), ...inRedis];
      },
      dispose: stack.stop,
    };
  });
});
