import { microBatch } from '#platform/flow/micro-batch.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { StalePartition } from '../../port.ts';
import type { KafkaCluster, TopicPartition } from '../connection/cluster.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { withRetries } from '../connection/retry.ts';
import { BrokerError, CODES } from '../protocol/errors.ts';
import { byTopic } from '../protocol/requests.ts';
import type { Identity, Membership } from './membership.ts';

interface KafkaCommitsOptions {
  readonly cluster: KafkaCluster;
  readonly pool: ConnectionPool;
  readonly group: string;
  readonly membership: Pick<Membership, 'identity' | 'rejoin' | 'changed'>;
  /** How long one commit is retried, ms. */
  readonly timeoutMs: number;
}

interface KafkaCommits {
  /**
   * Stores the group's next offset. Calls `isOwned` before each attempt. Rejects with `StalePartition` when it returns
   * false, and with `LogUnavailable` when the time is up.
   */
  commit(partition: TopicPartition, nextOffset: number, isOwned: () => boolean): Promise<void>;
}

interface CommitRequest extends TopicPartition {
  readonly nextOffset: number;
  readonly isOwned: () => boolean;
  /** Called at once, whatever happens to the request shared with other commits. */
  readonly refuse: (why: StalePartition) => void;
}

const GENERATION_CODES: ReadonlySet<number> = new Set([
  CODES.ILLEGAL_GENERATION,
  CODES.UNKNOWN_MEMBER_ID,
  CODES.REBALANCE_IN_PROGRESS,
]);

/**
 * Commits of one consumer, one request at a time: commits made while one is in flight share the next. Each request
 * names the group's generation, so the broker refuses a consumer of an older one. A commit during a rebalance waits for
 * the new generation and then counts only if the partition was kept.
 */
export function createKafkaCommits(options: KafkaCommitsOptions): KafkaCommits {
  const { cluster, pool, group, membership, timeoutMs } = options;

  async function send(identity: Identity, entries: readonly CommitRequest[]): Promise<Map<string, number>> {
    const node = await cluster.coordinator(group);
    const { responses } = await pool.request(node, 'OffsetCommit', {
      groupId: group,
      groupGenerationId: identity.generation,
      memberId: identity.memberId,
      topics: byTopic(entries, ({ partition, nextOffset }) => ({ partition, offset: `${nextOffset}` })),
    });
    return new Map(
      responses.flatMap(({ topic, partitions }) =>
        partitions.map(({ partition, errorCode }) => [`${topic}/${partition}`, errorCode] as const),
      ),
    );
  }

  /** Handlers that end in the same turn share the request. */
  const attempt = microBatch(async (requests: readonly CommitRequest[]) => {
    // Ownership and generation are read in one turn, so the partition is owned in the generation that is sent.
    const { identity } = membership;
    const owned = requests.filter(({ isOwned }) => isOwned());
    for (const one of requests)
      if (!owned.includes(one)) one.refuse(new StalePartition(one.topic, one.partition));
    const codes = identity === null || owned.length === 0 ? null : await send(identity, owned);
    return requests.map(
      ({ topic, partition }) => codes?.get(`${topic}/${partition}`) ?? CODES.REBALANCE_IN_PROGRESS,
    );
  });

  async function commitOnce(requests: Omit<CommitRequest, 'refuse'>, deadline: number): Promise<void> {
    const { topic, partition } = requests;
    const { identity } = membership;
    const code = await new Promise<number>((resolve, refuse) => {
      attempt({ ...requests, refuse }).then(resolve, refuse);
    });
    if (code === CODES.NONE) return;
    if (GENERATION_CODES.has(code)) {
      if (code !== CODES.REBALANCE_IN_PROGRESS) membership.rejoin();
      await membership.changed(identity, Math.max(0, deadline - performance.now()));
    }
    throw new BrokerError(`committing ${topic}/${partition} for group ${group}`, code);
  }

  return {
    commit({ topic, partition }, nextOffset, isOwned) {
      const deadline = performance.now() + timeoutMs;
      return withRetries(
        {
          what: `a commit of ${topic}/${partition}`,
          timeoutMs,
          isRetryable: (error) =>
            isRetryable(error) || (error instanceof BrokerError && GENERATION_CODES.has(error.code)),
          between: async () => cluster.forgetCoordinator(group),
        },
        () => commitOnce({ topic, partition, nextOffset, isOwned }, deadline),
      );
    },
  };
}
