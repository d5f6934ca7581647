import { createReading, type LogReading } from '#platform/event-log/lmdb/reading.ts';
import { moveEnd, type PartitionState, partitionFinder } from '#platform/event-log/lmdb/topics.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { Appended, LogRecord, StoredRecord } from '#platform/event-log/port.ts';
import type { TopicDefinition } from '#schemas/topics.ts';

export interface DurableLogOptions {
  readonly topics: readonly TopicDefinition[];
  /** Unix ms according to the log's clock. */
  readonly wall: () => number;
  readonly revocationTimeoutMs: number;
  /**
   * Partitions in use: a group assigns only these, so that a run does not spend time on empty ones. The others exist
   * but must stay empty.
   */
  readonly used: (topic: string) => readonly number[];
  readonly onWarning?: (fields: object, message: string) => void;
}

/**
 * The log of a world: its records persist. Its groups and consumers are those of the embedded log and stand for the
 * protocol between a broker and its clients.
 */
export interface DurableLog {
  readonly reading: LogReading;
  store(record: LogRecord): Appended;
  /** Every record of a topic, partition by partition. */
  all(topic: string): StoredRecord[];
  end(topic: string, partition: number): number;
  partitionOf(topic: string, key: string): number;
  /** The highest offset that the group has ever committed. */
  done(group: string, topic: string, partition: number): number;
  /** Whether all its records were deleted. */
  isEmpty(topic: string, partition: number): boolean;
  /** Deletes all records of a partition, as a broker does after their retention time. */
  expire(topic: string, partition: number): void;
}

export function createDurableLog(options: DurableLogOptions): DurableLog {
  const { wall, onWarning = () => undefined } = options;
  const topics = new Map<string, PartitionState[]>(
    options.topics.map(({ name, partitions }, topicId) => [
      name,
      Array.from({ length: partitions }, (_, partition) => ({
        topic: name,
        topicId,
        partition,
        start: 0,
        end: 0,
        listeners: new Set<() => void>(),
      })),
    ]),
  );
  const all = partitionFinder(topics);
  const finder = {
    partition: all.partition,
    partitions: (topic: string) =>
      all.partitions(topic).filter(({ partition }) => options.used(topic).includes(partition)),
  };
  const records = new Map<PartitionState, StoredRecord[]>(
    [...topics.values()].flat().map((one) => [one, []]),
  );
  const offsets = new Map<string, number>();
  const furthest = new Map<string, number>();
  const keyOf = (group: string, topic: string, partition: number): string => `${group} ${topic}/${partition}`;
  const committed = (group: string, topic: string, partition: number): number | null =>
    offsets.get(keyOf(group, topic, partition)) ?? null;

  const reading = createReading(
    {
      ...finder,
      read: (state, offset, maxRecords) => records.get(state)!.slice(offset, offset + maxRecords),
      committed: {
        get: committed,
        commit: async (group, topic, partition, next) => {
          const key = keyOf(group, topic, partition);
          offsets.set(key, next);
          furthest.set(key, Math.max(furthest.get(key) ?? 0, next));
        },
      },
    },
    {
      logger: { warn: onWarning, error: onWarning },
      revocationTimeoutMs: options.revocationTimeoutMs,
      assertOpen: () => undefined,
    },
  );

  return {
    reading,
    store: (record) => {
      const partition = partitionOf(record.key, all.partitions(record.topic).length);
      if (!options.used(record.topic).includes(partition))
        throw new Error(`this world uses no partition ${partition} of ${record.topic}`);
      const state = finder.partition(record.topic, partition);
      const position = { partition, offset: state.end, timestamp: Math.floor(wall()) };
      records.get(state)!.push({ ...record, ...position });
      moveEnd(state, state.end + 1);
      return position;
    },
    all: (topic) => finder.partitions(topic).flatMap((state) => records.get(state)!),
    partitionOf: (topic, key) => partitionOf(key, all.partitions(topic).length),
    end: (topic, partition) => finder.partition(topic, partition).end,
    done: (group, topic, partition) => furthest.get(keyOf(group, topic, partition)) ?? 0,
    isEmpty: (topic, partition) => {
      const { start, end } = finder.partition(topic, partition);
      return start === end;
    },
    expire: (topic, partition) => {
      const state = finder.partition(topic, partition);
      state.start = state.end;
      for (const listener of state.listeners) listener();
    },
  };
}
