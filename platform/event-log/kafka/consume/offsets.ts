import { microBatch } from '#platform/flow/micro-batch.ts';
import { groupBy } from '#schemas/group-by.ts';
import type { PartitionBounds, PartitionLag } from '../../port.ts';
import type { KafkaCluster, TopicPartition } from '../connection/cluster.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { withRetries } from '../connection/retry.ts';
import { BrokerError, CODES } from '../protocol/errors.ts';
import { type Apis, byTopic } from '../protocol/requests.ts';

const LATEST = -1;
const EARLIEST = -2;
const READ_UNCOMMITTED = 0;
const NEVER_COMMITTED = -1;

interface KafkaOffsetsOptions {
  readonly cluster: KafkaCluster;
  readonly pool: ConnectionPool;
  readonly timeoutMs: number;
}

/**
 * Requests the bounds of logs and committed offsets from brokers; calls in one turn share requests. All methods reject
 * with `LogUnavailable` when the brokers do not answer in time.
 */
export class KafkaOffsets {
  readonly #options: KafkaOffsetsOptions;
  readonly bounds = microBatch((requested: readonly TopicPartition[]) => this.#listBoth(requested), {
    concurrency: Infinity,
  });

  constructor(options: KafkaOffsetsOptions) {
    this.#options = options;
  }

  /** Next offsets that the group committed, in the order of `partitions`; null for none. */
  committed(group: string, partitions: readonly TopicPartition[]): Promise<(number | null)[]> {
    return this.#askCoordinator('offsets', group, () => this.#fetchCommitted(group, partitions));
  }

  members(group: string): Promise<string[]> {
    return this.#askCoordinator('members', group, () => this.#fetchMembers(group));
  }

  async lag(group: string, partitions: readonly TopicPartition[]): Promise<PartitionLag[]> {
    const offsets = await this.committed(group, partitions);
    const fresh = partitions.filter((_, index) => offsets[index] === null);
    const [ends, starts] = await this.#askLeaders('asking for the lag', () =>
      Promise.all([this.#list(partitions, LATEST), this.#list(fresh, EARLIEST)]),
    );
    return partitions.map(({ topic, partition }, index) => {
      const end = ends.get(nameOf({ topic, partition }))!;
      const next = offsets[index] ?? null;
      const from = next ?? starts.get(nameOf({ topic, partition }))!;
      return { topic, partition, committed: next, end, lag: Math.max(0, end - from) };
    });
  }

  #askLeaders<Result>(what: string, ask: () => Promise<Result>): Promise<Result> {
    const { cluster, timeoutMs } = this.#options;
    return withRetries({ what, timeoutMs, between: cluster.refresh }, ask);
  }

  #askCoordinator<Result>(what: string, group: string, ask: () => Promise<Result>): Promise<Result> {
    const { cluster, timeoutMs } = this.#options;
    const between = async (): Promise<void> => {
      cluster.forgetCoordinator(group);
      await cluster.refresh();
    };
    return withRetries({ what: `reading the ${what} of group ${group}`, timeoutMs, between }, ask);
  }

  #listBoth(requested: readonly TopicPartition[]): Promise<PartitionBounds[]> {
    const partitions = [...new Map(requested.map((each) => [nameOf(each), each])).values()];
    return this.#askLeaders('reading partition offsets', async () => {
      // Sent in this order over one connection, and so answered in this order: a deletion in between cannot move the
      // start past the end.
      const [starts, ends] = await Promise.all([
        this.#list(partitions, EARLIEST),
        this.#list(partitions, LATEST),
      ]);
      return requested.map((each) => ({ start: starts.get(nameOf(each))!, end: ends.get(nameOf(each))! }));
    });
  }

  async #list(partitions: readonly TopicPartition[], timestamp: number): Promise<Map<string, number>> {
    const { cluster, pool } = this.#options;
    const offsets = new Map<string, number>();
    const leaders = groupBy(partitions, ({ topic, partition }) => cluster.leader(topic, partition));
    await Promise.all(
      [...leaders].map(async ([node, led]) => {
        const { responses } = await pool.request(node, 'ListOffsets', {
          isolationLevel: READ_UNCOMMITTED,
          topics: byTopic(led, ({ partition }) => ({ partition, timestamp })),
        });
        noteOffsets(offsets, responses, 'offsets of');
      }),
    );
    return offsets;
  }

  async #fetchCommitted(group: string, partitions: readonly TopicPartition[]): Promise<(number | null)[]> {
    const { cluster, pool } = this.#options;
    const node = await cluster.coordinator(group);
    const { errorCode, responses } = await pool.request(node, 'OffsetFetch', {
      groupId: group,
      topics: byTopic(partitions, ({ partition }) => ({ partition })),
    });
    if (errorCode !== CODES.NONE) throw new BrokerError(`offsets of group ${group}`, errorCode);
    const offsets = new Map<string, number>();
    noteOffsets(offsets, responses, `offset of group ${group} on`);
    return partitions.map((each) => {
      const offset = offsets.get(nameOf(each)) ?? NEVER_COMMITTED;
      return offset === NEVER_COMMITTED ? null : offset;
    });
  }

  async #fetchMembers(group: string): Promise<string[]> {
    const { cluster, pool } = this.#options;
    const node = await cluster.coordinator(group);
    const { groups } = await pool.request(node, 'DescribeGroups', { groupIds: [group] });
    const found = groups.find(({ groupId }) => groupId === group);
    if (found === undefined) throw new Error(`the coordinator of group ${group} returned another group`);
    if (found.errorCode !== CODES.NONE) throw new BrokerError(`members of group ${group}`, found.errorCode);
    return found.members.map(({ clientId, clientHost }) => `${clientId} (${clientHost.replace(/^\//, '')})`);
  }
}

/** Records the offsets of an answer by partition. Throws when a broker could not return one. */
function noteOffsets(
  offsets: Map<string, number>,
  responses: Apis['ListOffsets']['response']['responses'],
  what: string,
): void {
  for (const { topic, partitions } of responses) {
    for (const { partition, errorCode, offset } of partitions) {
      if (errorCode !== CODES.NONE) throw new BrokerError(`${what} ${topic}/${partition}`, errorCode);
      offsets.set(nameOf({ topic, partition }), Number(offset));
    }
  }
}

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
