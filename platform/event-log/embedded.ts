import type { TopicDefinition } from '../../schemas/topics.ts';
import { createAppendBatcher } from './append-batcher.ts';
import { createMember, type LogWarnings, type Member } from './embedded-consumer.ts';
import { type ConsumerGroup, createConsumerGroup } from './embedded-group.ts';
import { type EmbeddedStore, openEmbeddedStore } from './embedded-store.ts';
import type { PartitionState } from './embedded-topics.ts';
import type { PartitionSource } from './partition-runner.ts';
import type { ConsumeOptions, Consumer, EventLog, LogRecord } from './port.ts';
import { deleteOlder } from './retention.ts';

const DEFAULT_MAX_RECORDS = 500;
const MAX_BATCH_READ_BYTES = 4 * 1024 * 1024;
const MIB = 1024 * 1024;

export interface EmbeddedLogOptions {
  /** Folder of the log's file; made when it is missing. The caller holds the data folder's lock (`lock.ts`). */
  readonly path: string;
  readonly topics: readonly TopicDefinition[];
  readonly now?: () => number;
  readonly logger?: LogWarnings;
  /** Under load a write begins this often, ms. */
  readonly batchDelayMs?: number;
  readonly maxBatchRecords?: number;
  readonly maxBatchBytes?: number;
  /** Bytes that may wait to be durable; more is refused with `LogOverloaded`. */
  readonly maxWaitingBytes?: number;
  readonly retentionIntervalMs?: number;
  readonly revocationTimeoutMs?: number;
}

export interface EmbeddedLog extends EventLog {
  /** Deletes what is older than each topic's retention; runs by itself too. Returns how many records went. */
  runRetention(): Promise<number>;
}

const SILENT: LogWarnings = { warn: () => undefined, error: () => undefined };

/**
 * Opens the event log of one process on LMDB. Refuses, with what to do, when a topic was made with another
 * partition count. Handlers of a consumer are first called after `consume` has resolved. `append` keeps the
 * records' buffers until it settles: do not change them before.
 */
export async function openEmbeddedLog(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
  const { now = Date.now, logger = SILENT, batchDelayMs = 3, retentionIntervalMs = 600_000 } = options;
  const store = await openEmbeddedStore({
    path: options.path,
    topics: options.topics,
    now,
    commitDelayMs: batchDelayMs,
  });
  const batcher = createAppendBatcher({
    write: store.write,
    batchDelayMs,
    maxBatchRecords: options.maxBatchRecords ?? 500,
    maxBatchBytes: options.maxBatchBytes ?? 3 * MIB,
    maxWaitingBytes: options.maxWaitingBytes ?? 64 * MIB,
  });
  const consumers = createConsumers(store, logger, options.revocationTimeoutMs ?? 30_000);
  let closing: Promise<void> | null = null;
  let retention: Promise<number> | null = null;

  async function deleteExpired(): Promise<number> {
    let deleted = 0;
    for (const topic of options.topics) {
      const cutoff = now() - topic.retentionMs;
      for (const partition of store.partitions(topic.name)) {
        deleted += await deleteOlder(store, partition, cutoff, () => closing === null);
      }
    }
    return deleted;
  }

  /** One run at a time: a second call joins the first. */
  function runRetention(): Promise<number> {
    assertOpen();
    retention ??= deleteExpired().finally(() => {
      retention = null;
    });
    return retention;
  }

  const timer = setInterval(() => {
    runRetention().catch((error: Error) => logger.error(`deleting expired records failed: ${error.message}`));
  }, retentionIntervalMs);
  timer.unref();

  function assertOpen(): void {
    if (closing !== null) throw new Error('the event log is closed');
  }

  async function append(records: readonly LogRecord[]) {
    for (const record of records) store.partitions(record.topic);
    return batcher.append(records);
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    await consumers.stop();
    await batcher.close();
    await retention?.catch(() => undefined);
    await store.close();
  }

  return {
    append,
    async consume(consume) {
      assertOpen();
      return consumers.start(consume);
    },
    async read(topic, partition, offset) {
      assertOpen();
      const state = store.partition(topic, partition);
      if (offset < state.start || offset >= state.end) return null;
      const record = store.read(state, offset, 1, MAX_BATCH_READ_BYTES)[0];
      return record?.offset === offset ? record : null;
    },
    async bounds(topic, partition) {
      const { start, end } = store.partition(topic, partition);
      return { start, end };
    },
    async lag(group, topics) {
      return topics.flatMap(store.partitions).map(({ topic, partition, start, end }) => {
        const committed = store.committed.get(group, topic, partition);
        return { topic, partition, committed, end, lag: Math.max(0, end - (committed ?? start)) };
      });
    },
    async ping() {
      assertOpen();
    },
    runRetention,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The consumer groups of this process. */
function createConsumers(store: EmbeddedStore, logger: LogWarnings, revocationTimeoutMs: number) {
  const groups = new Map<string, ConsumerGroup>();
  const running = new Set<Member & Consumer>();

  function groupOf(name: string): ConsumerGroup {
    const known = groups.get(name);
    if (known !== undefined) return known;
    const group = createConsumerGroup({ name, partitions: store.partitions, revocationTimeoutMs, logger });
    groups.set(name, group);
    return group;
  }

  return {
    start(options: ConsumeOptions): Consumer {
      const { group, maxRecords = DEFAULT_MAX_RECORDS } = options;
      if (!Number.isInteger(maxRecords) || maxRecords < 1)
        throw new RangeError('maxRecords must be 1 or more');
      for (const topic of options.topics) store.partitions(topic);
      const member: Member & Consumer = createMember({
        options,
        source: (partition) => sourceOf(store, group, partition, maxRecords),
        storeOffset: ({ topic, partition }, next) => store.committed.commit(group, topic, partition, next),
        find: store.partition,
        leave: (leaving) => {
          groupOf(group).leave(leaving);
          running.delete(member);
        },
        logger,
      });
      running.add(member);
      groupOf(group).join(member);
      return member;
    },
    async stop(): Promise<void> {
      await Promise.all([...running].map((member) => member.stop()));
    },
  };
}

function sourceOf(
  store: EmbeddedStore,
  group: string,
  state: PartitionState,
  maxRecords: number,
): PartitionSource {
  return {
    topic: state.topic,
    partition: state.partition,
    bounds: () => ({ start: state.start, end: state.end }),
    committed: () => store.committed.get(group, state.topic, state.partition),
    read: (offset) => store.read(state, offset, maxRecords, MAX_BATCH_READ_BYTES),
    onAppend(listener) {
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },
  };
}
