import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaCluster, TopicPartition } from './kafka-cluster.ts';
import { BrokerError, CODES, mayPass } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import type { Identity, Membership } from './kafka-membership.ts';
import { byTopic } from './kafka-requests.ts';
import { retryPauseMs } from './kafka-retry.ts';
import { LogUnavailable, StalePartition } from './port.ts';

export interface KafkaCommitsOptions {
  readonly cluster: KafkaCluster;
  readonly lane: Lane;
  readonly group: string;
  readonly membership: Pick<Membership, 'identity' | 'rejoin' | 'changed'>;
  /** How long one commit is repeated, ms. */
  readonly timeoutMs: number;
}

export interface KafkaCommits {
  /**
   * Stores the group's next offset. `isOwned` is asked before each attempt. Rejects with `StalePartition` when it
   * says no, and with `LogUnavailable` when the time is up.
   */
  commit(partition: TopicPartition, nextOffset: number, isOwned: () => boolean): Promise<void>;
}

interface Waiting {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
  readonly isOwned: () => boolean;
  readonly resolve: (code: number | typeof NOT_OWNED) => void;
  readonly reject: (error: unknown) => void;
}

const NOT_OWNED = 'not owned';
const GENERATION_CODES: ReadonlySet<number> = new Set([
  CODES.ILLEGAL_GENERATION,
  CODES.UNKNOWN_MEMBER_ID,
  CODES.REBALANCE_IN_PROGRESS,
]);

/**
 * Commits of one consumer, one request at a time: what comes while one is under way shares the next. Each request
 * names the group's generation, so the broker refuses a consumer that the group has left behind; a commit that falls
 * into a change of generation waits for the new one, and then counts only when the partition was kept.
 */
export function createKafkaCommits(options: KafkaCommitsOptions): KafkaCommits {
  const { cluster, lane, group, membership, timeoutMs } = options;
  let waiting: Waiting[] = [];
  let sending = false;

  async function send(identity: Identity, entries: readonly Waiting[]): Promise<Map<string, number>> {
    const node = await cluster.coordinator(group);
    const { responses } = await lane.request(node, 'OffsetCommit', {
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

  async function flush(): Promise<void> {
    sending = true;
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      // Owned and generation are read in one turn: the generation sent is one in which the partition is owned.
      const { identity } = membership;
      const owned = taken.filter((entry) => entry.isOwned());
      for (const entry of taken) if (!owned.includes(entry)) entry.resolve(NOT_OWNED);
      try {
        const codes = identity === null || owned.length === 0 ? new Map() : await send(identity, owned);
        for (const { topic, partition, resolve } of owned) {
          resolve(codes.get(`${topic}/${partition}`) ?? CODES.REBALANCE_IN_PROGRESS);
        }
      } catch (error) {
        for (const { reject } of owned) reject(error);
      }
    }
    sending = false;
  }

  const attempt = (
    partition: TopicPartition,
    nextOffset: number,
    isOwned: () => boolean,
  ): Promise<number | typeof NOT_OWNED> =>
    new Promise((resolve, reject) => {
      waiting.push({ ...partition, nextOffset, isOwned, resolve, reject });
      // Handlers that end in the same turn share the request.
      if (!sending && waiting.length === 1) setImmediate(() => (sending ? undefined : flush()));
    });

  return {
    async commit({ topic, partition }, nextOffset, isOwned) {
      const deadline = performance.now() + timeoutMs;
      for (let failures = 0; ; failures += 1) {
        const { identity } = membership;
        let failure: unknown;
        try {
          const code = await attempt({ topic, partition }, nextOffset, isOwned);
          if (code === CODES.NONE) return;
          if (code === NOT_OWNED) throw new StalePartition(topic, partition);
          failure = new BrokerError(`committing ${topic}/${partition} for group ${group}`, code);
          if (GENERATION_CODES.has(code)) {
            if (code !== CODES.REBALANCE_IN_PROGRESS) membership.rejoin();
            await membership.changed(identity, Math.max(0, deadline - performance.now()));
          } else if (!mayPass(failure)) {
            throw failure;
          }
        } catch (error) {
          if (!mayPass(error)) throw error;
          failure = error;
        }
        const pauseMs = retryPauseMs(failures);
        if (performance.now() + pauseMs > deadline) {
          throw new LogUnavailable(`a commit of ${topic}/${partition} failed for ${timeoutMs} ms`, {
            cause: failure,
          });
        }
        await sleep(pauseMs);
        cluster.forgetCoordinator(group);
      }
    },
  };
}
