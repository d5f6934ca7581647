import { partitionOf } from '#platform/event-log/murmur2.ts';
import {
  AppendError,
  type Appended,
  AppendFailure,
  type EventLog,
  type LogRecord,
  type PartitionBounds,
  type StoredRecord,
} from '#platform/event-log/port.ts';
import { PARTITIONS } from '#schemas/topics.ts';

export interface MemoryLog extends Pick<EventLog, 'append' | 'bounds' | 'read'> {
  readonly records: StoredRecord[];
  of(topic: string): StoredRecord[];
  /**
   * How appends behave from now on; `lost answer`: the record is stored, but the append fails uncertainly; `loses`: it
   * is not stored, but the append succeeds.
   */
  mode: 'takes' | 'refuses' | 'lost answer' | 'loses';
}

/** A log in memory into which tests can inject failures. */
export function memoryLog(now: () => number): MemoryLog {
  const records: StoredRecord[] = [];
  const ends = new Map<string, number>();
  const store = (record: LogRecord): Appended => {
    const partition = partitionOf(record.key, PARTITIONS);
    const offset = ends.get(`${record.topic}/${partition}`) ?? 0;
    ends.set(`${record.topic}/${partition}`, offset + 1);
    const timestamp = now();
    records.push({ ...record, partition, offset, timestamp });
    return { partition, offset, timestamp };
  };
  const log: MemoryLog = {
    records,
    mode: 'takes',
    of: (topic) => records.filter((record) => record.topic === topic),
    append: async (batch) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (log.mode === 'takes') return batch.map(store);
      if (log.mode === 'loses')
        return batch.map((record) => ({
          partition: partitionOf(record.key, PARTITIONS),
          offset: 0,
          timestamp: now(),
        }));
      if (log.mode === 'lost answer') batch.forEach(store);
      const certain = log.mode === 'refuses';
      throw new AppendError(
        'the log does not answer',
        batch.map(() => new AppendFailure('the log does not answer', certain)),
      );
    },
    bounds: async (topic, partition): Promise<PartitionBounds> => ({
      start: 0,
      end: ends.get(`${topic}/${partition}`) ?? 0,
    }),
    read: async (topic, partition, offset) =>
      log.of(topic).find((record) => record.partition === partition && record.offset === offset) ?? null,
  };
  return log;
}
