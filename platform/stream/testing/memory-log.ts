import { partitionOf } from '#platform/event-log/murmur2.ts';
import {
  type PartitionRunner,
  type PartitionSource,
  runPartition,
} from '#platform/event-log/partition-runner.ts';
import {
  AppendError,
  type Appended,
  type AppendFailure,
  type ConsumeOptions,
  type Consumer,
  type EventLog,
  type LogRecord,
  StalePartition,
  type StoredRecord,
} from '#platform/event-log/port.ts';
import { startTail } from '#platform/event-log/tail.ts';

export interface MemoryLog extends EventLog {
  /** Records of a topic in append order. */
  stored(topic: string): StoredRecord[];
  committed(topic: string, partition: number): number | null;
  /** While set, every append fails with it. */
  failAppends: AppendFailure | null;
  /** While set, every commit fails with it. */
  failCommits: Error | null;
  /** Topics of the records of each successful `append` call. */
  readonly appends: string[][];
  /** Drops all consumers as a kill of their process would: no signal, no revocation, and their commits are refused. */
  killConsumers(): void;
  /** Loses all records of a partition below an offset. */
  lose(topic: string, partition: number, below: number): void;
  /** Loses all records of a partition from an offset on; the next appends reuse their offsets. */
  cutEnd(topic: string, partition: number, from: number): void;
  /** Revokes a partition from its consumer as a rebalance would, and reassigns it. */
  rebalance(topic: string, partition: number): Promise<void>;
}

interface Partition {
  readonly records: StoredRecord[];
  /** First offset that still exists. */
  start: number;
  readonly listeners: Set<() => void>;
  owner: { readonly runner: PartitionRunner; readonly options: ConsumeOptions } | null;
}

/** An in-memory event log for tests of its readers: a group has one consumer, which owns every partition. */
export function memoryLog(settings: { readonly partitions: number; readonly now?: () => number }): MemoryLog {
  const { partitions, now = Date.now } = settings;
  const topics = new Map<string, Partition[]>();
  const offsets = new Map<string, number>();
  const order: StoredRecord[] = [];

  const partitionsOf = (topic: string): Partition[] => {
    const known = topics.get(topic);
    if (known !== undefined) return known;
    const made = Array.from({ length: partitions }, () => ({
      records: [],
      start: 0,
      listeners: new Set<() => void>(),
      owner: null,
    }));
    topics.set(topic, made);
    return made;
  };
  const at = (topic: string, partition: number): Partition => {
    const found = partitionsOf(topic)[partition];
    if (found === undefined) throw new Error(`${topic} has no partition ${partition}`);
    return found;
  };
  const committed = (topic: string, partition: number): number | null =>
    offsets.get(`${topic}/${partition}`) ?? null;
  const store = (record: LogRecord): Appended => {
    const partition = partitionOf(record.key, partitions);
    const target = at(record.topic, partition);
    const position = { partition, offset: target.records.length, timestamp: now() };
    target.records.push({ ...record, ...position });
    order.push({ ...record, ...position });
    for (const listener of target.listeners) setImmediate(listener);
    return position;
  };

  const sourceOf = (topic: string, partition: number, maxRecords: number): PartitionSource => {
    const target = at(topic, partition);
    return {
      topic,
      partition,
      bounds: () => ({ start: target.start, end: target.records.length }),
      committed: () => committed(topic, partition),
      read: (offset: number) => target.records.slice(offset, offset + maxRecords),
      onAppend: (listener: () => void) => {
        target.listeners.add(listener);
        return () => target.listeners.delete(listener);
      },
    };
  };
  const take = (topic: string, partition: number, options: ConsumeOptions): void => {
    const target = at(topic, partition);
    const source = sourceOf(topic, partition, options.maxRecords ?? 500);
    const runner = runPartition(source, options.handlers, (error) =>
      options.handlers.onStopped?.(error as Error),
    );
    target.owner = { runner, options };
  };
  const release = async (topic: string, partition: number): Promise<void> => {
    const { owner } = at(topic, partition);
    if (owner === null) return;
    await owner.runner.end();
    at(topic, partition).owner = null;
    await owner.options.handlers.onRevoked?.(topic, partition);
  };

  const members = new Set<{ readonly group: string }>();
  const log: MemoryLog = {
    failAppends: null,
    failCommits: null,
    appends: [],
    committed,
    stored: (topic) => order.filter((record) => record.topic === topic),
    killConsumers: () => {
      for (const partition of [...topics.values()].flat()) {
        partition.owner = null;
        partition.listeners.clear();
      }
    },
    lose: (topic, partition, below) => {
      at(topic, partition).start = below;
    },
    cutEnd: (topic, partition, from) => {
      const target = at(topic, partition);
      target.records.splice(from);
      for (const listener of target.listeners) setImmediate(listener);
    },
    rebalance: async (topic, partition) => {
      const owner = at(topic, partition).owner;
      await release(topic, partition);
      if (owner !== null) take(topic, partition, owner.options);
    },
    append: async (records) => {
      await new Promise((resolve) => setImmediate(resolve));
      const failure = log.failAppends;
      if (failure !== null)
        throw new AppendError(
          'nothing was stored',
          records.map(() => failure),
        );
      log.appends.push(records.map((record) => record.topic));
      return records.map(store);
    },
    consume: async (options) => {
      const all = options.topics.flatMap((topic) =>
        partitionsOf(topic).map((_, partition) => ({ topic, partition })),
      );
      members.add(options);
      setImmediate(() => {
        for (const { topic, partition } of all) take(topic, partition, options);
      });
      const runner = (topic: string, partition: number): PartitionRunner | undefined => {
        const owner = at(topic, partition).owner;
        return owner?.options === options ? owner.runner : undefined;
      };
      const consumer: Consumer = {
        joined: true,
        commit: async (topic, partition, nextOffset) => {
          await new Promise((resolve) => setImmediate(resolve));
          if (runner(topic, partition) === undefined) throw new StalePartition(topic, partition);
          if (log.failCommits !== null) throw log.failCommits;
          offsets.set(`${topic}/${partition}`, nextOffset);
        },
        pause: (topic, partition) => runner(topic, partition)?.pause(),
        resume: (topic, partition) => runner(topic, partition)?.resume(),
        seek: (topic, partition, offset) => runner(topic, partition)?.seek(offset),
        stop: async () => {
          members.delete(options);
          await Promise.all(
            all
              .filter(({ topic, partition }) => runner(topic, partition))
              .map((one) => release(one.topic, one.partition)),
          );
        },
      };
      return consumer;
    },
    tail: async (options) => {
      const targets = partitionsOf(options.topic);
      return startTail(options, {
        ends: targets.map(({ records }) => records.length),
        bounds: log.bounds,
        run: (partition, handlers, onFailure) =>
          runPartition(sourceOf(options.topic, partition, 500), handlers, onFailure),
        onEnd: () => undefined,
      });
    },
    read: async (topic, partition, offset) => {
      const { start, records } = at(topic, partition);
      return offset < start ? null : (records[offset] ?? null);
    },
    readFrom: async (topic, partition, offset) => {
      const { start, records } = at(topic, partition);
      return records.slice(Math.max(offset, start));
    },
    bounds: async (topic, partition) => {
      const { start, records } = at(topic, partition);
      return { start, end: records.length };
    },
    lag: async (_, names) =>
      names.flatMap((topic) =>
        partitionsOf(topic).map(({ records }, partition) => {
          const done = committed(topic, partition);
          return {
            topic,
            partition,
            committed: done,
            end: records.length,
            lag: records.length - (done ?? 0),
          };
        }),
      ),
    members: async (group) => [...members].filter((one) => one.group === group).map(() => 'this process'),
    ping: async () => undefined,
    close: async () => undefined,
  };
  return log;
}
