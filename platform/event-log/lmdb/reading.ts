import { type PartitionSource, runPartition } from '../partition-runner.ts';
import type { ConsumeOptions, Consumer, EventLog, StoredRecord, Tail } from '../port.ts';
import { startTail } from '../tail.ts';
import type { CommittedOffsets } from './committed-offsets.ts';
import { createMember, type LogWarnings, type Member } from './consumer.ts';
import { type ConsumerGroup, createConsumerGroup } from './group.ts';
import type { PartitionFinder, PartitionState } from './topics.ts';

const DEFAULT_MAX_RECORDS = 500;
const MAX_BATCH_READ_BYTES = 4 * 1024 * 1024;
/** A tail runs in the thread that answers requests and must not delay them. */
const TAIL_READ_BYTES = 512 * 1024;

/** What reading needs from the log, in any thread. */
export interface ReadableLog extends PartitionFinder {
  /** Records starting at `offset`, limited by count and (except for the first) by bytes. */
  read(partition: PartitionState, offset: number, maxRecords: number, maxBytes: number): StoredRecord[];
  readonly committed: Pick<CommittedOffsets, 'get' | 'commit'>;
}

export interface LogReading
  extends Pick<EventLog, 'consume' | 'tail' | 'read' | 'readFrom' | 'bounds' | 'lag' | 'members'> {
  /** Stops all consumers and tails. */
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
  const tails = new Set<Tail>();
  const bounds: EventLog['bounds'] = async (topic, partition) => {
    const { start, end } = log.partition(topic, partition);
    return { start, end };
  };
  return {
    async tail(asked) {
      assertOpen();
      const states = log.partitions(asked.topic);
      const tail = startTail(asked, {
        ends: states.map(({ end }) => end),
        bounds,
        run: (partition, handlers, onFailure) =>
          runPartition(tailSourceOf(log, states[partition]!), handlers, onFailure),
        onEnd: () => tails.delete(tail),
      });
      tails.add(tail);
      return tail;
    },
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
    async readFrom(topic, partition, offset) {
      assertOpen();
      return log.read(log.partition(topic, partition), offset, DEFAULT_MAX_RECORDS, TAIL_READ_BYTES);
    },
    bounds,
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
    stop: async () => {
      await Promise.all([...tails].map((tail) => tail.stop()));
      await consumers.stop();
    },
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
    ...tailSourceOf(log, state),
    committed: () => log.committed.get(group, state.topic, state.partition),
    read: (offset) => log.read(state, offset, maxRecords, MAX_BATCH_READ_BYTES),
  };
}

/** A tail is in no group, so nothing is committed. */
const tailSourceOf = (log: ReadableLog, state: PartitionState): PartitionSource => ({
  topic: state.topic,
  partition: state.partition,
  bounds: () => ({ start: state.start, end: state.end }),
  committed: () => null,
  read: (offset) => log.read(state, offset, DEFAULT_MAX_RECORDS, TAIL_READ_BYTES),
  onAppend(listener) {
    state.listeners.add(listener);
    return () => state.listeners.delete(listener);
  },
});
