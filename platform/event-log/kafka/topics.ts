import type { TopicDefinition } from '#schemas/topics.ts';
import type { KafkaCluster } from './connection/cluster.ts';
import { withRetries } from './connection/retry.ts';
import { connectTo, type KafkaOptions, reach } from './event-log.ts';
import { BrokerError, CODES } from './protocol/errors.ts';
import { BROKERS_DEFAULT, checkTopicSettings, settingsOf } from './topic-settings.ts';

const CREATE_TIMEOUT_MS = 30_000;

/** Names of the topics, in the order of their definitions. */
interface CreatedTopics {
  readonly created: string[];
  readonly existing: string[];
}

/**
 * Creates the missing topics and waits until they have leaders. `replicationFactor`: -1 for the brokers' default.
 * Existing topics are never changed: a different partition count is refused, and so are settings that break a
 * guarantee; other differences are reported as warnings, with the value to set.
 */
export async function createKafkaTopics(
  options: KafkaOptions,
  replicationFactor: number,
): Promise<CreatedTopics> {
  if (replicationFactor !== BROKERS_DEFAULT && !(replicationFactor >= 1)) {
    throw new RangeError(
      `invalid replication factor ${replicationFactor}; use 1 or more, or -1 for the brokers' default`,
    );
  }
  const cluster = connectTo(options);
  try {
    await reach(cluster, options);
    const existing = options.topics.filter(({ name }) => cluster.partitionCount(name) !== null);
    const missing = options.topics.filter(({ name }) => cluster.partitionCount(name) === null);
    for (const topic of existing) checkPartitions(cluster, topic);
    await checkTopicSettings(cluster, { ...options, topics: existing, replicationFactor });
    if (missing.length > 0) await create(cluster, missing, replicationFactor);
    return { created: missing.map(({ name }) => name), existing: existing.map(({ name }) => name) };
  } finally {
    cluster.close();
  }
}

function checkPartitions(cluster: KafkaCluster, { name, partitions }: TopicDefinition): void {
  const found = cluster.partitionCount(name);
  if (found === partitions) return;
  throw new Error(
    `topic "${name}" has ${found} partitions but is defined with ${partitions}. Nothing was changed: ` +
      'A different partition count would move keys to other partitions and break their ledgers.',
  );
}

async function create(
  cluster: KafkaCluster,
  topics: readonly TopicDefinition[],
  replicationFactor: number,
): Promise<void> {
  const pool = cluster.pool();
  const what = 'creating the topics';
  await withRetries({ what, timeoutMs: CREATE_TIMEOUT_MS, between: cluster.refresh }, async () => {
    const { topicErrors } = await pool.request(
      cluster.anyNode(),
      'CreateTopics',
      {
        timeout: CREATE_TIMEOUT_MS,
        topics: topics.map((topic) => ({
          topic: topic.name,
          numPartitions: topic.partitions,
          replicationFactor,
          configEntries: Object.entries(settingsOf(topic, replicationFactor)).map(([name, value]) => ({
            name,
            value,
          })),
        })),
      },
      CREATE_TIMEOUT_MS,
    );
    for (const { topic, errorCode, errorMessage } of topicErrors) {
      // The topic also exists when an earlier attempt got no answer.
      if (errorCode === CODES.NONE || errorCode === CODES.TOPIC_ALREADY_EXISTS) continue;
      const error = new BrokerError(`topic "${topic}" could not be created`, errorCode);
      if (errorMessage !== null) error.message += ` (${errorMessage})`;
      throw error;
    }
  });
  await withRetries({ what: 'waiting for the new topics', timeoutMs: CREATE_TIMEOUT_MS }, async () => {
    await cluster.refresh();
    for (const { name, partitions } of topics) {
      for (let partition = 0; partition < partitions; partition += 1) cluster.leader(name, partition);
    }
  });
  // Another process may have created one meanwhile.
  for (const topic of topics) checkPartitions(cluster, topic);
}
