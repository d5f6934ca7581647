import type { TopicDefinition } from '#schemas/topics.ts';
import type { ConsumeOptions, Consumer, EventLog } from '../port.ts';
import { LogUnavailable } from '../port.ts';
import { createCluster, type KafkaCluster } from './connection/cluster.ts';
import type { KafkaLogger } from './connection/connection.ts';
import { type KafkaSecurity, messageOf } from './connection/connection.ts';
import { withRetries } from './connection/retry.ts';
import { KafkaConsumer, type KafkaConsumerSettings } from './consume/consumer.ts';
import { KafkaOffsets } from './consume/offsets.ts';
import { createKafkaTails } from './consume/tails.ts';
import { createKafkaProducer, type KafkaProducer } from './produce/producer.ts';
import { createKafkaReader } from './reader.ts';
import { checkTopicSettings } from './topic-settings.ts';

const DEFAULT_MAX_RECORDS = 500;
const DEFAULT_REQUEST_TIMEOUT_MS = 8_000;
const MIB = 1024 * 1024;
/** Limit on bytes queued or being written; appends beyond it are refused. */
const MAX_WAITING_BYTES = 64 * MIB;

export interface KafkaOptions extends KafkaSecurity {
  /** `host:port` of some brokers, from which the others are discovered. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly topics: readonly TopicDefinition[];
  /** Replication factor that each topic must have; -1 (default): the brokers decide. */
  readonly replicationFactor?: number;
  /** Prefix of each group's name. */
  readonly groupPrefix?: string;
  readonly logger?: KafkaLogger;
  /** Interval between the starts of writes under load, ms. */
  readonly batchDelayMs?: number;
  readonly maxBatchRecords?: number;
  readonly maxBatchBytes?: number;
  /** Limit on bytes queued or being written; appends beyond it are refused with `LogOverloaded`. */
  readonly maxWaitingBytes?: number;
  /** Limit on a record's time in the queue, and separately on the retries of its write, ms. */
  readonly appendTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** How long any other operation is retried before it fails with `LogUnavailable`, ms. */
  readonly retryTimeoutMs?: number;
  /** Time without a heartbeat after which the group reassigns a consumer's partitions, ms. */
  readonly sessionTimeoutMs?: number;
  readonly heartbeatIntervalMs?: number;
  readonly rebalanceTimeoutMs?: number;
  readonly revocationTimeoutMs?: number;
}

const SILENT: KafkaLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Settings of the connection to a cluster, with their defaults. */
export function connectTo(options: KafkaOptions): KafkaCluster {
  const {
    connectTimeoutMs = 5_000,
    requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS,
    logger = SILENT,
  } = options;
  const topics = options.topics.map(({ name }) => name);
  return createCluster({ ...options, topics, connectTimeoutMs, requestTimeoutMs, logger });
}

/**
 * Opens the event log on Kafka 3.2 or later. Rejects with what to do when no broker answers, when a topic is missing,
 * or when its partition count or settings break a guarantee. `append` uses the records' buffers until it settles: do
 * not change them before.
 */
export async function openKafkaLog(options: KafkaOptions): Promise<EventLog> {
  const cluster = connectTo(options);
  try {
    await reach(cluster, options);
    for (const definition of options.topics) checkTopic(cluster, definition);
    await checkTopicSettings(cluster, options);
    return logOn(cluster, options);
  } catch (error) {
    cluster.close();
    throw error;
  }
}

/** Rejects with what to check when no broker answers. */
export async function reach(cluster: KafkaCluster, options: KafkaOptions): Promise<void> {
  try {
    const timeoutMs = options.retryTimeoutMs ?? 5_000;
    await withRetries({ what: 'reading brokers and topics', timeoutMs }, cluster.refresh);
  } catch (error) {
    const cause = error instanceof LogUnavailable ? error.cause : error;
    throw new Error(
      `cannot reach a Kafka broker at ${options.brokers.join(', ')}: ${messageOf(cause)}. Check the addresses and security settings, and that the brokers are running.`,
      { cause },
    );
  }
}

function checkTopic(cluster: KafkaCluster, { name, partitions }: TopicDefinition): void {
  const found = cluster.partitionCount(name);
  if (found === null)
    throw new Error(`topic "${name}" does not exist; run "cas migrate" to create the topics`);
  if (found !== partitions) {
    throw new Error(
      `topic "${name}" has ${found} partitions but is defined with ${partitions}. ` +
        'Keys would move to other partitions, so the log was not opened. Restore the definition, or start with new topics.',
    );
  }
}

function logOn(cluster: KafkaCluster, options: KafkaOptions): EventLog {
  const { groupPrefix = '', retryTimeoutMs: timeoutMs = 5_000 } = options;
  const { partitionsOf, check } = topicsOf(options.topics);
  const offsets = new KafkaOffsets({ cluster, pool: cluster.pool(), timeoutMs });
  const reader = createKafkaReader({ cluster, pool: cluster.pool(), timeoutMs });
  const producer = producerOn(cluster, options, partitionsOf);
  const consumers = new Consumers(cluster, options, timeoutMs);
  const tails = createKafkaTails({ cluster, offsets, logger: options.logger ?? SILENT });
  let closing: Promise<void> | null = null;

  function assertOpen(): void {
    if (closing !== null) throw new Error('the event log is closed');
    if (cluster.replaced !== null) throw cluster.replaced;
  }

  const topicPartitionOf = (topic: string, partition: number) => {
    assertOpen();
    check(topic, partition);
    return { topic, partition };
  };

  async function close(): Promise<void> {
    await tails.stop();
    await consumers.stop();
    await producer.close();
    cluster.close();
  }

  return {
    async append(records) {
      for (const { topic } of records) partitionsOf(topic);
      return producer.append(records);
    },
    async consume(consumeOptions) {
      assertOpen();
      for (const topic of consumeOptions.topics) partitionsOf(topic);
      return consumers.start(consumeOptions);
    },
    async tail(requested) {
      assertOpen();
      return tails.start(requested, partitionsOf(requested.topic));
    },
    read: async (topic, partition, offset) => reader.read(topicPartitionOf(topic, partition), offset),
    readFrom: async (topic, partition, offset) => reader.readFrom(topicPartitionOf(topic, partition), offset),
    bounds: async (topic, partition) => offsets.bounds(topicPartitionOf(topic, partition)),
    async lag(group, requested) {
      assertOpen();
      const partitions = requested.flatMap((topic) =>
        Array.from({ length: partitionsOf(topic) }, (_, partition) => ({ topic, partition })),
      );
      return offsets.lag(`${groupPrefix}${group}`, partitions);
    },
    async members(group) {
      assertOpen();
      return offsets.members(`${groupPrefix}${group}`);
    },
    async ping() {
      assertOpen();
      await cluster.refresh();
      assertOpen();
      consumers.assertRead();
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Topics by definition. Both throw for an unknown topic. */
function topicsOf(definitions: readonly TopicDefinition[]) {
  const topics = new Map(definitions.map((topic) => [topic.name, topic.partitions]));
  const partitionsOf = (topic: string): number => {
    const partitions = topics.get(topic);
    if (partitions === undefined) throw new Error(`the event log has no topic "${topic}"`);
    return partitions;
  };
  const check = (topic: string, partition: number): void => {
    if (!Number.isInteger(partition) || partition < 0 || partition >= partitionsOf(topic))
      throw new Error(`topic "${topic}" has no partition ${partition}`);
  };
  return { partitionsOf, check };
}

const producerOn = (
  cluster: KafkaCluster,
  options: KafkaOptions,
  partitions: (topic: string) => number,
): KafkaProducer =>
  createKafkaProducer({
    cluster,
    pool: cluster.pool(),
    partitions,
    timeoutMs: options.appendTimeoutMs ?? 15_000,
    requestTimeoutMs: options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
    batchDelayMs: options.batchDelayMs ?? 5,
    limits: { records: options.maxBatchRecords ?? 500, bytes: options.maxBatchBytes ?? 3 * MIB },
    maxWaitingBytes: options.maxWaitingBytes ?? MAX_WAITING_BYTES,
    logger: options.logger ?? SILENT,
  });

/** The running consumers of one log. */
class Consumers {
  readonly #cluster: KafkaCluster;
  readonly #options: KafkaOptions;
  readonly #timeoutMs: number;
  readonly #running = new Set<KafkaConsumer>();

  constructor(cluster: KafkaCluster, options: KafkaOptions, timeoutMs: number) {
    this.#cluster = cluster;
    this.#options = options;
    this.#timeoutMs = timeoutMs;
  }

  start(requested: ConsumeOptions): Consumer {
    const { maxRecords = DEFAULT_MAX_RECORDS } = requested;
    const { groupPrefix = '', logger = SILENT } = this.#options;
    if (!Number.isInteger(maxRecords) || maxRecords < 1) throw new RangeError('maxRecords must be 1 or more');
    const consumer = new KafkaConsumer({
      ...consumerSettings(this.#options, this.#timeoutMs),
      options: { ...requested, maxRecords, group: `${groupPrefix}${requested.group}` },
      cluster: this.#cluster,
      logger,
      onStopped: () => this.#running.delete(consumer),
    });
    this.#running.add(consumer);
    return consumer;
  }

  /** Throws the reason when one of the consumers lacks permission to read. */
  assertRead(): void {
    for (const consumer of this.#running) {
      const cause = consumer.refusal();
      if (cause === null) continue;
      const message = `${cause.message}; grant the right to the user of this service`;
      throw new LogUnavailable(message, { cause });
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((consumer) => consumer.stop()));
  }
}

function consumerSettings(options: KafkaOptions, timeoutMs: number): KafkaConsumerSettings {
  const { sessionTimeoutMs = 30_000 } = options;
  return {
    sessionTimeoutMs,
    // Far below the usual third: heartbeats tell members that another one left, and its partitions are idle until then.
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? Math.min(300, sessionTimeoutMs / 10),
    rebalanceTimeoutMs: options.rebalanceTimeoutMs ?? 60_000,
    revocationTimeoutMs: options.revocationTimeoutMs ?? 30_000,
    timeoutMs,
  };
}
