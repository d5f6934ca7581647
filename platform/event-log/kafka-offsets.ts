import type { KafkaCluster, TopicPartition } from './kafka-cluster.ts';
import { BrokerError, CODES } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import { byTopic, groupBy } from './kafka-requests.ts';
import { withRetries } from './kafka-retry.ts';
import type { PartitionBounds, PartitionLag } from './port.ts';
import { createTurnBatch } from './turn-batch.ts';

const LATEST = -1;
const EARLIEST = -2;
const READ_UNCOMMITTED = 0;
const NEVER_COMMITTED = -1;

/** All of these reject with `LogUnavailable` when the brokers do not answer in time. */
export interface KafkaOffsets {
  bounds(partition: TopicPartition): Promise<PartitionBounds>;
  /** Next offset that the group committed, or null, in the order asked for. */
  committed(group: string, partitions: readonly TopicPartition[]): Promise<(number | null)[]>;
  lag(group: string, partitions: readonly TopicPartition[]): Promise<PartitionLag[]>;
  members(group: string): Promise<string[]>;
}

export interface KafkaOffsetsOptions {
  readonly cluster: KafkaCluster;
  readonly lane: Lane;
  readonly timeoutMs: number;
}

/** Asks brokers where logs begin and end and what groups committed. Questions of one turn share their requests. */
export function createKafkaOffsets({ cluster, lane, timeoutMs }: KafkaOffsetsOptions): KafkaOffsets {
  async function list(
    partitions: readonly TopicPartition[],
    timestamp: number,
  ): Promise<Map<string, number>> {
    const offsets = new Map<string, number>();
    const leaders = groupBy(partitions, ({ topic, partition }) => cluster.leader(topic, partition));
    await Promise.all(
      [...leaders].map(async ([node, led]) => {
        const { responses } = await lane.request(node, 'ListOffsets', {
          isolationLevel: READ_UNCOMMITTED,
          topics: byTopic(led, ({ partition }) => ({ partition, timestamp })),
        });
        for (const { topic, partitions: answers } of responses) {
          for (const { partition, errorCode, offset } of answers) {
            if (errorCode !== CODES.NONE)
              throw new BrokerError(`offsets of ${topic}/${partition}`, errorCode);
            offsets.set(nameOf({ topic, partition }), Number(offset));
          }
        }
      }),
    );
    return offsets;
  }

  const repeat = <Result>(what: string, between: () => Promise<unknown>, work: () => Promise<Result>) =>
    withRetries({ what, timeoutMs, between }, work);

  const listBoth = (asked: readonly TopicPartition[]): Promise<PartitionBounds[]> => {
    const partitions = [...new Map(asked.map((each) => [nameOf(each), each])).values()];
    return repeat('asking for the bounds of partitions', cluster.refresh, async () => {
      // Sent in this order over one connection, and so answered: what is deleted in between cannot put the start
      // behind the end.
      const [starts, ends] = await Promise.all([list(partitions, EARLIEST), list(partitions, LATEST)]);
      return asked.map((each) => ({ start: starts.get(nameOf(each))!, end: ends.get(nameOf(each))! }));
    });
  };

  async function fetchCommitted(
    group: string,
    partitions: readonly TopicPartition[],
  ): Promise<(number | null)[]> {
    const node = await cluster.coordinator(group);
    const { errorCode, responses } = await lane.request(node, 'OffsetFetch', {
      groupId: group,
      topics: byTopic(partitions, ({ partition }) => ({ partition })),
    });
    if (errorCode !== CODES.NONE) throw new BrokerError(`offsets of group ${group}`, errorCode);
    const offsets = new Map<string, number>();
    for (const { topic, partitions: answers } of responses) {
      for (const { partition, errorCode: code, offset } of answers) {
        if (code !== CODES.NONE)
          throw new BrokerError(`offset of group ${group} on ${topic}/${partition}`, code);
        offsets.set(nameOf({ topic, partition }), Number(offset));
      }
    }
    return partitions.map((each) => {
      const offset = offsets.get(nameOf(each)) ?? NEVER_COMMITTED;
      return offset === NEVER_COMMITTED ? null : offset;
    });
  }

  const askCoordinator = <Result>(what: string, group: string, ask: () => Promise<Result>) => {
    const between = async () => {
      cluster.forgetCoordinator(group);
      await cluster.refresh();
    };
    return repeat(`asking for the ${what} of group ${group}`, between, ask);
  };

  const committed: KafkaOffsets['committed'] = (group, partitions) =>
    askCoordinator('offsets', group, () => fetchCommitted(group, partitions));

  async function fetchMembers(group: string): Promise<string[]> {
    const node = await cluster.coordinator(group);
    const { groups } = await lane.request(node, 'DescribeGroups', { groupIds: [group] });
    const found = groups.find(({ groupId }) => groupId === group);
    if (found === undefined) throw new Error(`the coordinator of group ${group} answered for another one`);
    if (found.errorCode !== CODES.NONE) throw new BrokerError(`members of group ${group}`, found.errorCode);
    return found.members.map(({ clientId, clientHost }) => `${clientId} (${clientHost.replace(/^\//, '')})`);
  }

  return {
    bounds: createTurnBatch(listBoth),
    committed,
    members: (group) => askCoordinator('members', group, () => fetchMembers(group)),
    async lag(group, partitions) {
      const offsets = await committed(group, partitions);
      const fresh = partitions.filter((_, index) => offsets[index] === null);
      const [ends, starts] = await repeat('asking for the lag', cluster.refresh, () =>
        Promise.all([list(partitions, LATEST), list(fresh, EARLIEST)]),
      );
      return partitions.map(({ topic, partition }, index) => {
        const end = ends.get(nameOf({ topic, partition }))!;
        const next = offsets[index] ?? null;
        const from = next ?? starts.get(nameOf({ topic, partition }))!;
        return { topic, partition, committed: next, end, lag: Math.max(0, end - from) };
      });
    },
  };
}

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
