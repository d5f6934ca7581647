import { MAX_RECORD_BYTES, type TopicDefinition } from '#schemas/topics.ts';
import type { KafkaCluster } from './connection/cluster.ts';
import type { KafkaLogger } from './connection/connection.ts';
import { withRetries } from './connection/retry.ts';
import { BrokerError, CODES, describeCode, isPassing } from './protocol/errors.ts';
import type { ConfigEntry } from './protocol/requests.ts';

const DAY_MS = 86_400_000;
const TOPIC_RESOURCE = 2;
export const BROKERS_DEFAULT = -1;
const MIN_IN_SYNC = 'min.insync.replicas';
/** From this replication factor on, acknowledged records survive the loss of a broker. */
const PRODUCTION_COPIES = 3;

/** The settings for creating a topic. */
export function settingsOf(topic: TopicDefinition, replicationFactor: number): Record<string, string> {
  return {
    'cleanup.policy': 'delete',
    'retention.ms': `${topic.retentionMs}`,
    'retention.bytes': '-1',
    // Only whole segments are deleted: this bounds how long a record may outlive its retention.
    'segment.ms': `${DAY_MS}`,
    'max.message.bytes': `${MAX_RECORD_BYTES}`,
    // The values are encrypted, so compression gains nothing; and the client supports few codecs.
    'compression.type': 'uncompressed',
    // One clock determines timestamps and retention.
    'message.timestamp.type': 'LogAppendTime',
    'unclean.leader.election.enable': 'false',
    // One broker may fail without refused records, and acknowledged records are on two.
    ...(replicationFactor === BROKERS_DEFAULT
      ? {}
      : { 'min.insync.replicas': replicationFactor >= 3 ? '2' : '1' }),
  };
}

/**
 * Values that break a guarantee, and how. Any other difference from `settingsOf` weakens a guarantee or costs
 * resources.
 */
const BREAKING: Readonly<
  Record<string, { readonly when: (value: string) => boolean; readonly why: string }>
> = {
  'compression.type': {
    when: (value) => !['uncompressed', 'gzip', 'producer'].includes(value),
    why: 'records in this codec cannot be read',
  },
  'cleanup.policy': {
    when: (value) => value.includes('compact'),
    why: 'all but the last record of each key would be deleted',
  },
  'max.message.bytes': {
    when: (value) => Number(value) < MAX_RECORD_BYTES,
    why: 'records of an accepted size could not be stored',
  },
  'message.timestamp.type': {
    when: (value) => value !== 'LogAppendTime',
    why: 'retries, erasures and retention go by the clock of the log, not by those of its writers',
  },
  'unclean.leader.election.enable': {
    when: (value) => value !== 'false',
    why: 'a broker that lacks acknowledged records could become their leader',
  },
};

interface TopicCheck {
  readonly topics: readonly TopicDefinition[];
  /** The configured value; -1 or undefined: the brokers decide. */
  readonly replicationFactor?: number;
  readonly logger?: KafkaLogger;
  /** How long the request is retried, ms. */
  readonly retryTimeoutMs?: number;
}

/**
 * Checks that topics have the settings that the guarantees need. Rejects with all settings that break a guarantee and
 * the values to set; warns of those that weaken one, and of settings that this user may not read.
 */
export async function checkTopicSettings(cluster: KafkaCluster, check: TopicCheck): Promise<void> {
  const { topics, replicationFactor = BROKERS_DEFAULT, logger } = check;
  if (topics.length === 0) return;
  const settings = await describe(cluster, check);
  const broken: string[] = [];
  for (const topic of topics) {
    const found = settings.get(topic.name);
    if (found === undefined) continue;
    const replicas = cluster.replicaCount(topic.name);
    const problems = [
      ...problemsOf(topic, found),
      ...problemsOfCopies({ replicas, minInSync: Number(found.get(MIN_IN_SYNC)), replicationFactor }),
    ];
    for (const { isBreaking, text } of problems) {
      if (isBreaking) broken.push(`topic "${topic.name}" has ${text}`);
      else logger?.warn({ topic: topic.name, reason: text }, 'topic settings differ from recommended');
    }
  }
  if (broken.length === 0) return;
  throw new Error(
    `the topics have unsuitable settings; nothing was changed:\n${broken.join('\n')}\nChange settings with Kafka's tools: kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --add-config NAME=VALUE`,
  );
}

interface Problem {
  readonly isBreaking: boolean;
  readonly text: string;
}

function problemsOf(topic: TopicDefinition, found: ReadonlyMap<string, string>): Problem[] {
  return Object.entries(settingsOf(topic, BROKERS_DEFAULT)).flatMap(([name, wanted]): Problem[] => {
    const value = found.get(name);
    if (value === undefined || value === wanted) return [];
    const rule = BREAKING[name];
    if (rule?.when(value) === true)
      return [{ isBreaking: true, text: `${name}=${value}: ${rule.why}. Set ${name}=${wanted}` }];
    const text = `${name}=${value} instead of ${wanted}; change it with Kafka's tools, or keep it on purpose`;
    return [{ isBreaking: false, text }];
  });
}

interface Copies {
  readonly replicas: number;
  readonly minInSync: number;
  readonly replicationFactor: number;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function problemsOfCopies({ replicas, minInSync, replicationFactor }: Copies): Problem[] {
  const problems: Problem[] = [];
  if (replicas < replicationFactor) {
    const text = `${counted(replicas, 'replica')}, but KAFKA_REPLICATION_FACTOR is ${replicationFactor}. Add replicas with kafka-reassign-partitions.sh, or change KAFKA_REPLICATION_FACTOR`;
    problems.push({ isBreaking: true, text });
  }
  if (minInSync > replicas) {
    const text = `${MIN_IN_SYNC}=${minInSync} and ${counted(replicas, 'replica')}: nothing can be stored. Set ${MIN_IN_SYNC} to at most ${replicas}`;
    problems.push({ isBreaking: true, text });
  }
  if (minInSync < 2 && replicas >= PRODUCTION_COPIES) {
    const text = `${MIN_IN_SYNC}=${minInSync}: acknowledged records may be on a single broker. Set ${MIN_IN_SYNC}=2`;
    problems.push({ isBreaking: replicationFactor >= PRODUCTION_COPIES, text });
  }
  if (minInSync === replicas && replicas > 1) {
    const text = `${MIN_IN_SYNC}=${minInSync} equals the number of replicas: nothing can be stored while one broker is down. Set ${MIN_IN_SYNC} below the number of replicas`;
    problems.push({ isBreaking: false, text });
  }
  return problems;
}

/** The effective settings of each topic: the topic's or the brokers' defaults. */
async function describe(
  cluster: KafkaCluster,
  { topics, logger, retryTimeoutMs = 5_000 }: TopicCheck,
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const requested = topics.map((topic) => ({
    type: TOPIC_RESOURCE,
    name: topic.name,
    configNames: [...Object.keys(settingsOf(topic, BROKERS_DEFAULT)), MIN_IN_SYNC],
  }));
  const retries = {
    what: 'reading topic settings',
    timeoutMs: retryTimeoutMs,
    between: cluster.refresh,
  };
  const { resources } = await withRetries(retries, async () => {
    const answer = await cluster.askAny('DescribeConfigs', { resources: requested });
    // A broker may learn of a new topic later than the others.
    const late = answer.resources.find(({ errorCode }) => isPassing(errorCode));
    if (late !== undefined) throw new BrokerError(`settings of topic "${late.resourceName}"`, late.errorCode);
    return answer;
  });
  const found = new Map<string, ReadonlyMap<string, string>>();
  for (const { resourceName, errorCode, configEntries } of resources) {
    if (errorCode === CODES.NONE) found.set(resourceName, valuesOf(configEntries));
    else {
      const reason = describeCode(errorCode);
      logger?.warn({ topic: resourceName, reason }, 'failed to read topic settings');
    }
  }
  return found;
}

const valuesOf = (entries: readonly ConfigEntry[]): ReadonlyMap<string, string> =>
  new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
