import { partitionOf } from '#platform/event-log/murmur2.ts';
import { type PartitionSource, runPartition } from '#platform/event-log/partition-runner.ts';
import {
  AppendError,
  type Appended,
  AppendFailure,
  type EventLog,
  type LogRecord,
  LogUnavailable,
  type PartitionBounds,
  type StoredRecord,
} from '#platform/event-log/port.ts';
import { startTail } from '#platform/event-log/tail.ts';
import { PARTITIONS } from '#schemas/topics.ts';

export interface MemoryLog extends Pick<EventLog, 'append' | 'bounds' | 'read' | 'tail'> {
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
  const listeners = new Set<() => void>();
  const endOf = (topic: string, partition: number): number => ends.get(`${topic}/${partition}`) ?? 0;
  const sourceOf = (topic: string, partition: number): PartitionSource => ({
    topic,
    partition,
    bounds: () => ({ start: 0, end: endOf(topic, partition) }),
    committed: () => null,
    read: (offset) =>
      log.of(topic).filter((record) => record.partition === partition && record.offset >= offset),
    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const store = (record: LogRecord): Appended => {
    const partition = partitionOf(record.key, PARTITIONS);
    const offset = endOf(record.topic, partition);
    ends.set(`${record.topic}/${partition}`, offset + 1);
    const timestamp = now();
    records.push({ ...record, partition, offset, timestamp });
    for (const listener of listeners) setImmediate(listener);
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
      end: endOf(topic, partition),
    }),
    tail: async (options) => {
      if (log.mode === 'refuses') throw new LogUnavailable('tests');
      const ends = Array.from({ length: PARTITIONS }, (_, partition) => endOf(options.topic, partition));
      return startTail(options, {
        ends,
        bounds: log.bounds,
        run: (partition, handlers, onFailure) =>
          runPartition(sourceOf(options.topic, partition), handlers, onFailure),
        onEnd: () => undefined,
      });
    },
    read: async (topic, partition, offset) =>
      log.of(topic).find((record) => record.partition === partition && record.offset === offset) ?? null,
  };
  return log;
}
