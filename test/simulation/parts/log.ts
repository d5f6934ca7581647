import { createReading, type LogReading } from '../../../platform/event-log/embedded-reading.ts';
import {
  moveEnd,
  type PartitionState,
  partitionFinder,
} from '../../../platform/event-log/embedded-topics.ts';
import { partitionOf } from '../../../platform/event-log/murmur2.ts';
import type { Appended, LogRecord, StoredRecord } from '../../../platform/event-log/port.ts';
import type { TopicDefinition } from '../../../schemas/topics.ts';

export interface DurableLogOptions {
  readonly topics: readonly TopicDefinition[];
  /** Unix ms by the log's own clock. */
  readonly wall: () => number;
  readonly revocationTimeoutMs: number;
  readonly onWarning?: (message: string) => void;
}

/**
 * The log of a world: what is in it stays. Its groups and consumers are those of the embedded log; they stand for what
 * a broker and its clients agree on.
 */
export interface DurableLog {
  readonly reading: LogReading;
  store(record: LogRecord): Appended;
  /** Every record of a topic, partition by partition. */
  all(topic: string): StoredRecord[];
  end(topic: string, partition: number): number;
  partitionOf(topic: string, key: string): number;
  committed(group: string, topic: string, partition: number): number | null;
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
  const finder = partitionFinder(topics);
  const records = new Map<PartitionState, StoredRecord[]>(
    [...topics.values()].flat().map((one) => [one, []]),
  );
  const offsets = new Map<string, number>();
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
          offsets.set(keyOf(group, topic, partition), next);
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
      const partition = partitionOf(record.key, finder.partitions(record.topic).length);
      const state = finder.partition(record.topic, partition);
      const place = { partition, offset: state.end, timestamp: Math.floor(wall()) };
      records.get(state)!.push({ ...record, ...place });
      moveEnd(state, state.end + 1);
      return place;
    },
    all: (topic) => finder.partitions(topic).flatMap((state) => records.get(state)!),
    partitionOf: (topic, key) => partitionOf(key, finder.partitions(topic).length),
    end: (topic, partition) => finder.partition(topic, partition).end,
    committed,
  };
}
