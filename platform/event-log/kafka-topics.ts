import { MAX_RECORD_BYTES, type TopicDefinition } from '../../schemas/topics.ts';
import { connectTo, type KafkaOptions, reach } from './kafka.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { BrokerError, CODES, describeCode } from './kafka-errors.ts';
import { withRetries } from './kafka-retry.ts';

const DAY_MS = 86_400_000;
const CREATE_TIMEOUT_MS = 30_000;
const TOPIC_RESOURCE = 2;
const BROKERS_DEFAULT = -1;

/** Names of the topics, in the order of their definitions. */
export interface CreatedTopics {
  readonly created: string[];
  readonly existing: string[];
}

/**
 * Creates the topics that are missing and waits until they have leaders. `replicationFactor`: -1 for the brokers'
 * default. What exists is never changed: another partition count is refused, and settings that differ from the
 * defined ones are reported as warnings, with the value to set.
 */
export async function createKafkaTopics(
  options: KafkaOptions,
  replicationFactor: number,
): Promise<CreatedTopics> {
  if (replicationFactor !== BROKERS_DEFAULT && !(replicationFactor >= 1)) {
    throw new RangeError(
      `${replicationFactor} is no replication factor; use 1 or more, or -1 for the brokers' default`,
    );
  }
  const cluster = connectTo(options);
  try {
    await reach(cluster, options);
    const existing = options.topics.filter(({ name }) => cluster.partitionCount(name) !== null);
    const missing = options.topics.filter(({ name }) => cluster.partitionCount(name) === null);
    for (const topic of existing) checkPartitions(cluster, topic);
    if (missing.length > 0) await create(cluster, missing, replicationFactor);
    if (existing.length > 0) await reportDrift(cluster, existing, options);
    return { created: missing.map(({ name }) => name), existing: existing.map(({ name }) => name) };
  } finally {
    cluster.close();
  }
}

function checkPartitions(cluster: KafkaCluster, { name, partitions }: TopicDefinition): void {
  const found = cluster.partitionCount(name);
  if (found === partitions) return;
  throw new Error(
    `topic "${name}" has ${found} partitions and is defined with ${partitions}. Nothing was changed: ` +
      'another partition count would send keys to other partitions and break their chains.',
  );
}

/** Settings of a topic's own. */
function settingsOf(topic: TopicDefinition, replicationFactor: number): Record<string, string> {
  return {
    'cleanup.policy': 'delete',
    'retention.ms': `${topic.retentionMs}`,
    'retention.bytes': '-1',
    // Only whole segments are deleted: this bounds how much longer than the retention a record may stay.
    'segment.ms': `${DAY_MS}`,
    'max.message.bytes': `${MAX_RECORD_BYTES}`,
    // The values are sealed, so there is nothing to gain; and the client reads few of the other codecs.
    'compression.type': 'uncompressed',
    // One clock decides about times and retention.
    'message.timestamp.type': 'LogAppendTime',
    'unclean.leader.election.enable': 'false',
    // One broker may fail without refusing records, and what was acknowledged is on two.
    ...(replicationFactor === BROKERS_DEFAULT
      ? {}
      : { 'min.insync.replicas': replicationFactor >= 3 ? '2' : '1' }),
  };
}

async function create(
  cluster: KafkaCluster,
  topics: readonly TopicDefinition[],
  replicationFactor: number,
): Promise<void> {
  const lane = cluster.lane();
  const what = 'creating the topics';
  await withRetries({ what, timeoutMs: CREATE_TIMEOUT_MS, between: cluster.refresh }, async () => {
    const { topicErrors } = await lane.request(
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
      // Also when an earlier attempt got no answer.
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
  // Somebody else may have created one meanwhile.
  for (const topic of topics) checkPartitions(cluster, topic);
}

async function reportDrift(
  cluster: KafkaCluster,
  topics: readonly TopicDefinition[],
  options: KafkaOptions,
): Promise<void> {
  const wanted = new Map(topics.map((topic) => [topic.name, settingsOf(topic, BROKERS_DEFAULT)]));
  const { resources } = await cluster.lane().request(cluster.anyNode(), 'DescribeConfigs', {
    resources: topics.map(({ name }) => ({
      type: TOPIC_RESOURCE,
      name,
      configNames: Object.keys(wanted.get(name)!),
    })),
  });
  for (const { resourceName, errorCode, configEntries } of resources) {
    if (errorCode !== CODES.NONE) {
      options.logger?.warn(
        `the settings of topic "${resourceName}" cannot be read: ${describeCode(errorCode)}`,
      );
      continue;
    }
    for (const { configName, configValue } of configEntries) {
      const value = wanted.get(resourceName)?.[configName];
      if (value === undefined || value === configValue) continue;
      options.logger?.warn(
        `topic "${resourceName}" has ${configName}=${configValue}, defined is ${value}; change it with Kafka's tools or leave it knowingly`,
      );
    }
  }
}
