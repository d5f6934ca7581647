import type { PartitionSource } from '../partition-runner.ts';
import type { ConsumeOptions, Consumer, EventLog, StoredRecord } from '../port.ts';
import type { CommittedOffsets } from './committed-offsets.ts';
import { createMember, type LogWarnings, type Member } from './consumer.ts';
import { type ConsumerGroup, createConsumerGroup } from './group.ts';
import type { PartitionFinder, PartitionState } from './topics.ts';

const DEFAULT_MAX_RECORDS = 500;
const MAX_BATCH_READ_BYTES = 4 * 1024 * 1024;

/** What reading needs of the log, from whichever thread. */
export interface ReadableLog extends PartitionFinder {
  /** Records from `offset` on, limited by count and (except for the first) by bytes. */
  read(partition: PartitionState, offset: number, maxRecords: number, maxBytes: number): StoredRecord[];
  readonly committed: Pick<CommittedOffsets, 'get' | 'commit'>;
}

export interface LogReading extends Pick<EventLog, 'consume' | 'read' | 'bounds' | 'lag' | 'members'> {
  /** Stops all consumers. */
  stop(): Promise<void>;
}

/** The reading side of the embedded log. All consumers of a group must belong to one `LogReading`. */
export function createReading(
  log: ReadableLog,
  options: {
    readonly logger: LogWarnings;
    readonly revocationTimeoutMs: number;
    /** Throws when the log is closed. */
    readonly assertOpen: () => void;
  },
): LogReading {
  const { assertOpen } = options;
  const consumers = createConsumers(log, options.logger, options.revocationTimeoutMs);
  return {
    async consume(consume) {
      assertOpen();
      return consumers.start(consume);
    },
    async read(topic, partition, offset) {
      assertOpen();
      const state = log.partition(topic, partition);
      if (offset < state.start || offset >= state.end) return null;
      const record = log.read(state, offset, 1, MAX_BATCH_READ_BYTES)[0];
      return record?.offset === offset ? record : null;
    },
    async bounds(topic, partition) {
      const { start, end } = log.partition(topic, partition);
      return { start, end };
    },
    async lag(group, topics) {
      return topics.flatMap(log.partitions).map(({ topic, partition, start, end }) => {
        const committed = log.committed.get(group, topic, partition);
        return { topic, partition, committed, end, lag: Math.max(0, end - (committed ?? start)) };
      });
    },
    async members(group) {
      assertOpen();
      return consumers.members(group);
    },
    stop: consumers.stop,
  };
}

function createConsumers(log: ReadableLog, logger: LogWarnings, revocationTimeoutMs: number) {
  const groups = new Map<string, ConsumerGroup>();
  const running = new Map<Member & Consumer, { readonly group: string }>();

  function groupOf(name: string): ConsumerGroup {
    const known = groups.get(name);
    if (known !== undefined) return known;
    const group = createConsumerGroup({ name, partitions: log.partitions, revocationTimeoutMs, logger });
    groups.set(name, group);
    return group;
  }

  return {
    start(options: ConsumeOptions): Consumer {
      const { group, maxRecords = DEFAULT_MAX_RECORDS } = options;
      if (!Number.isInteger(maxRecords) || maxRecords < 1)
        throw new RangeError('maxRecords must be 1 or more');
      for (const topic of options.topics) log.partitions(topic);
      const member: Member & Consumer = createMember({
        options,
        source: (partition) => sourceOf(log, group, partition, maxRecords),
        storeOffset: ({ topic, partition }, next) => log.committed.commit(group, topic, partition, next),
        find: log.partition,
        leave: (leaving) => {
          groupOf(group).leave(leaving);
          running.delete(member);
        },
        logger,
      });
      running.set(member, { group });
      groupOf(group).join(member);
      return member;
    },
    members: (group: string): string[] =>
      [...running.values()].filter((one) => one.group === group).map(() => `process ${process.pid}`),
    async stop(): Promise<void> {
      await Promise.all([...running.keys()].map((member) => member.stop()));
    },
  };
}

function sourceOf(
  log: ReadableLog,
  group: string,
  state: PartitionState,
  maxRecords: number,
): PartitionSource {
  return {
    topic: state.topic,
    partition: state.partition,
    bounds: () => ({ start: state.start, end: state.end }),
    committed: () => log.committed.get(group, state.topic, state.partition),
    read: (offset) => log.read(state, offset, maxRecords, MAX_BATCH_READ_BYTES),
    onAppend(listener) {
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },
  };
}
