import { type Admin, Kafka, logLevel } from 'kafkajs';
import { SIGNALS } from '#schemas/topics.ts';
import { ANALYZER_GROUP, ANALYZER_TOPICS } from '#services/analyzer/run-analyzer.ts';
import { POLICIES_GROUP } from '#services/correlator/policies/run-policies.ts';
import { SINK_GROUP, SINK_TOPICS } from '#services/sink/start/sink-topics.ts';

const GIVE_UP_MS = 120_000;

export const kafkaAdmin = (brokers: string): Admin =>
  new Kafka({ clientId: 'bench', brokers: brokers.split(','), logLevel: logLevel.ERROR }).admin();

/** Number of records of the topics that a group has not committed yet. */
export async function lagOf(admin: Admin, groupId: string, topics: readonly string[]): Promise<number> {
  let lag = 0;
  for (const { topic, partitions } of await admin.fetchOffsets({ groupId, topics: [...topics] })) {
    const committed = new Map(partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
      lag += Number(high) - Math.max(Number(low), committed.get(partition) ?? 0);
  }
  return lag;
}

/**
 * Resolves when every accepted audit is stored and compared with the policies. The correlator's patterns commit once a
 * minute and are not waited for.
 */
export const untilAllStored = (admin: Admin): Promise<void> =>
  waitFor('all is stored', async () => {
    if ((await lagOf(admin, ANALYZER_GROUP, ANALYZER_TOPICS)) > 0) return false;
    if ((await lagOf(admin, SINK_GROUP, SINK_TOPICS)) > 0) return false;
    return (await lagOf(admin, POLICIES_GROUP, [SIGNALS.name])) === 0;
  });

/** Polls until `done`; rejects, naming it, after two minutes. */
export async function waitFor(what: string, done: () => Promise<boolean>, everyMs = 250): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error(`not within two minutes: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
