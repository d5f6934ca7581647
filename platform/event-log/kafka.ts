import type { TopicDefinition } from '../../schemas/topics.ts';
import { createCluster, type KafkaCluster, type KafkaLogger } from './kafka-cluster.ts';
import { type KafkaSecurity, messageOf } from './kafka-connection.ts';
import { type KafkaConsumer, type KafkaConsumerSettings, startKafkaConsumer } from './kafka-consumer.ts';
import { createKafkaOffsets } from './kafka-offsets.ts';
import { createKafkaProducer } from './kafka-producer.ts';
import { createKafkaReader } from './kafka-reader.ts';
import { withRetries } from './kafka-retry.ts';
import { checkTopicSettings } from './kafka-topic-settings.ts';
import type { ConsumeOptions, Consumer, EventLog, LogRecord } from './port.ts';
import { LogUnavailable } from './port.ts';

const DEFAULT_MAX_RECORDS = 500;
const DEFAULT_REQUEST_TIMEOUT_MS = 8_000;
const MIB = 1024 * 1024;
/** Records that wait to be durable; what comes on top is refused. */
const MAX_WAITING_BYTES = 64 * MIB;

export interface KafkaOptions extends KafkaSecurity {
  /** `host:port` of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly topics: readonly TopicDefinition[];
  /** Copies that each topic has to have; -1 (default) leaves it to the brokers. */
  readonly replicationFactor?: number;
  /** Put before each group's name. */
  readonly groupPrefix?: string;
  readonly logger?: KafkaLogger;
  /** Under load a write begins this often, ms. */
  readonly batchDelayMs?: number;
  readonly maxBatchRecords?: number;
  readonly maxBatchBytes?: number;
  /** Bytes that may wait to be durable; more is refused with `LogOverloaded`. */
  readonly maxWaitingBytes?: number;
  /** How long a record may wait for its turn, and then again how long its write is repeated, ms. */
  readonly appendTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** How long anything else is repeated before it is `LogUnavailable`, ms. */
  readonly retryTimeoutMs?: number;
  /** After so long without a sign of life the group gives a consumer's partitions to others, ms. */
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
 * or when its partition count or settings break a promise. `append` keeps the records' buffers until it settles: do not
 * change them before.
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
    await withRetries({ what: 'asking for brokers and topics', timeoutMs }, cluster.refresh);
  } catch (error) {
    const cause = error instanceof LogUnavailable ? error.cause : error;
    throw new Error(
      `no Kafka broker answers at ${options.brokers.join(', ')}: ${messageOf(cause)}. Check the addresses, the security settings, and that the brokers run.`,
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
      `topic "${name}" has ${found} partitions and is defined with ${partitions}. ` +
        'Keys would change their partition, so the log is not opened: restore the definition, or begin with new topics.',
    );
  }
}

function logOn(cluster: KafkaCluster, options: KafkaOptions): EventLog {
  const { logger = SILENT, groupPrefix = '', batchDelayMs = 5, appendTimeoutMs = 15_000 } = options;
  const timeoutMs = options.retryTimeoutMs ?? 5_000;
  const topics = new Map(options.topics.map((topic) => [topic.name, topic.partitions]));
  const questions = cluster.lane();
  const offsets = createKafkaOffsets({ cluster, lane: questions, timeoutMs });
  const reader = createKafkaReader({ cluster, lane: cluster.lane(), timeoutMs });
  const producer = createKafkaProducer({
    cluster,
    lane: cluster.lane(),
    partitions: partitionsOf,
    timeoutMs: appendTimeoutMs,
    requestTimeoutMs: options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
    batchDelayMs,
    limits: { records: options.maxBatchRecords ?? 500, bytes: options.maxBatchBytes ?? 3 * MIB },
    maxWaitingBytes: options.maxWaitingBytes ?? MAX_WAITING_BYTES,
    logger,
  });
  const consumers = new Set<KafkaConsumer>();
  let closing: Promise<void> | null = null;

  function partitionsOf(topic: string): number {
    const partitions = topics.get(topic);
    if (partitions === undefined) throw new Error(`the event log has no topic "${topic}"`);
    return partitions;
  }

  function check(topic: string, partition: number): void {
    assertOpen();
    const partitions = partitionsOf(topic);
    if (!Number.isInteger(partition) || partition < 0 || partition >= partitions) {
      throw new Error(`topic "${topic}" has no partition ${partition}`);
    }
  }

  function assertOpen(): void {
    if (closing !== null) throw new Error('the event log is closed');
    if (cluster.replaced !== null) throw cluster.replaced;
  }

  async function append(records: readonly LogRecord[]) {
    for (const record of records) partitionsOf(record.topic);
    return producer.append(records);
  }

  function consume(consumeOptions: ConsumeOptions): Consumer {
    assertOpen();
    const { maxRecords = DEFAULT_MAX_RECORDS } = consumeOptions;
    if (!Number.isInteger(maxRecords) || maxRecords < 1) throw new RangeError('maxRecords must be 1 or more');
    for (const topic of consumeOptions.topics) partitionsOf(topic);
    const consumer = startKafkaConsumer({
      ...consumerSettings(options, timeoutMs),
      options: { ...consumeOptions, maxRecords, group: `${groupPrefix}${consumeOptions.group}` },
      cluster,
      logger,
      onStopped: () => consumers.delete(consumer),
    });
    consumers.add(consumer);
    return consumer;
  }

  async function close(): Promise<void> {
    await Promise.all([...consumers].map((consumer) => consumer.stop()));
    await producer.close();
    cluster.close();
  }

  return {
    append,
    consume: async (consumeOptions) => consume(consumeOptions),
    async read(topic, partition, offset) {
      check(topic, partition);
      return reader.read({ topic, partition }, offset);
    },
    async bounds(topic, partition) {
      check(topic, partition);
      return offsets.bounds({ topic, partition });
    },
    async lag(group, asked) {
      assertOpen();
      const partitions = asked.flatMap((topic) =>
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
      for (const consumer of consumers) {
        const cause = consumer.refusal();
        if (cause !== null)
          throw new LogUnavailable(`${cause.message}; give its right back to the user of this service`, {
            cause,
          });
      }
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function consumerSettings(options: KafkaOptions, timeoutMs: number): KafkaConsumerSettings {
  const { sessionTimeoutMs = 30_000 } = options;
  return {
    sessionTimeoutMs,
    // Far below a third: by a heartbeat members hear that another one left, and nobody works on its partitions before.
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? Math.min(300, sessionTimeoutMs / 10),
    rebalanceTimeoutMs: options.rebalanceTimeoutMs ?? 60_000,
    revocationTimeoutMs: options.revocationTimeoutMs ?? 30_000,
    timeoutMs,
  };
}
