import { randomUUID } from 'node:crypto';
import { LEDGER, type TopicDefinition, TRIPLETS } from '#schemas/topics.ts';
import {
  type ContractEnvironment,
  type SpawnedAppender,
  spawnCrashAppender,
} from '../../harness.contract.ts';
import type { EventLog } from '../../port.ts';
import type { KafkaAccess } from '../connection/connection.ts';
import { type KafkaOptions, openKafkaLog } from '../event-log.ts';
import { createKafkaTopics } from '../topics.ts';

/** The shortest that brokers accept by default. */
const SESSION_TIMEOUT_MS = 6_000;

/** Topics and groups of one test, under unique names because all tests share the brokers. */
export async function beginOnKafka(
  access: KafkaAccess,
  replicationFactor: number,
): Promise<ContractEnvironment> {
  const name = `contract-${randomUUID()}`;
  const topic = (of: TopicDefinition): TopicDefinition => ({ ...of, name: `${name}.${of.name}` });
  const topics = [topic(TRIPLETS), topic(LEDGER)] as const;
  const options: KafkaOptions = {
    ...access,
    clientId: name,
    topics,
    groupPrefix: `${name}.`,
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    heartbeatIntervalMs: 300,
  };
  const logs: EventLog[] = [];
  const appenders: SpawnedAppender[] = [];
  await createKafkaTopics(options, replicationFactor);
  return {
    topics,
    async open(limits = {}) {
      const log = await openKafkaLog({ ...options, ...limits });
      logs.push(log);
      return log;
    },
    async spawnAppender(appendTo, round) {
      const child = spawnCrashAppender({ log: access, topics, topic: appendTo, round });
      appenders.push(child);
      return child;
    },
    async end() {
      await Promise.all(appenders.map((appender) => appender.kill()));
      await Promise.all(logs.map((log) => log.close()));
    },
  };
}
