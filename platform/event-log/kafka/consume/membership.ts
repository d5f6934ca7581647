import { pauseAfter } from '#platform/flow/backoff.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import type { KafkaCluster, TopicPartition } from '../connection/cluster.ts';
import type { KafkaLogger } from '../connection/connection.ts';
import { messageOf } from '../connection/connection.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { BROKER_BACKOFF, withRetries } from '../connection/retry.ts';
import { BrokerError, CODES } from '../protocol/errors.ts';
import type { Apis } from '../protocol/requests.ts';
import {
  assign,
  decodeClaim,
  decodeShare,
  encodeClaim,
  encodeShare,
  isMoving,
  PROTOCOL_NAME,
} from './assignor.ts';

/** This consumer's member id and the group's current generation; commits under any other are refused. */
export interface Identity {
  readonly memberId: string;
  readonly generation: number;
}

interface MembershipOptions {
  readonly cluster: KafkaCluster;
  /** For joins and heartbeats. */
  readonly pool: ConnectionPool;
  /** For leaving, which must not queue behind a join. */
  readonly leavePool: ConnectionPool;
  readonly group: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly logger: KafkaLogger;
  /** Partitions with running work. */
  readonly owned: () => TopicPartition[];
  /** Called when this consumer owns exactly these partitions. */
  readonly onAssigned: (partitions: readonly TopicPartition[]) => void;
  /** Called when the group has expelled this consumer: it no longer owns any partition. */
  readonly onLost: () => void;
  /** Called when the group cannot be joined and no retry will help. */
  readonly onFailure: (error: Error) => void;
}

const LEAVE_TIMEOUT_MS = 3_000;
/**
 * A member learns of a rebalance from a heartbeat's answer, and every rebalance waits for its last member. While
 * partitions wait for their new owner they are not processed, so members send heartbeats this often.
 */
const MOVING_HEARTBEAT_MS = 100;

/** Keeps one consumer in its group: joins, sends heartbeats, and rejoins whenever necessary. */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #watchers = new Set<() => void>();
  #memberId = '';
  #identity: Identity | null = null;
  #aliveAt = performance.now();
  #left = false;
  #rejoining = false;
  /** Partitions are moving between owners: another rebalance follows soon. */
  #moving = false;
  /** A join waits at the broker for the other members; no heartbeats are needed meanwhile. */
  #joining = false;
  #failures = 0;
  #wakeUp: () => void = () => undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
    void this.#run();
  }

  /** Null before the first assignment and after the membership was lost. */
  get identity(): Identity | null {
    return this.#identity;
  }

  get joined(): boolean {
    const isAlive = performance.now() - this.#aliveAt <= this.#options.sessionTimeoutMs;
    return this.#identity !== null && !this.#left && (this.#joining || isAlive);
  }

  /** Rejoins soon, because partitions were released or a broker refused a commit. */
  rejoin(): void {
    this.#rejoining = true;
    this.#wakeUp();
  }

  /** Resolves when the identity differs from `known`, or after `timeoutMs`. */
  changed(known: Identity | null, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#identity !== known) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#watchers.add(done);
    });
  }

  /** Leaves the group, so that other members take over at once. Does not reject. */
  async leave(): Promise<void> {
    const { cluster, pool, leavePool, group } = this.#options;
    this.#left = true;
    this.#wakeUp();
    this.#setIdentity(null);
    if (this.#memberId === '') return;
    // The coordinator may be down; the session time-out then has the same effect.
    await withRetries({ what: `leaving group ${group}`, timeoutMs: LEAVE_TIMEOUT_MS }, async () => {
      const node = await cluster.coordinator(group);
      await leavePool.request(node, 'LeaveGroup', { groupId: group, memberId: this.#memberId });
    }).catch(() => undefined);
    pool.close();
  }

  async #run(): Promise<void> {
    let needsJoin = true;
    while (!this.#left) {
      try {
        if (needsJoin || this.#identity === null || this.#rejoining) await this.#join();
        needsJoin = false;
        await this.#stayAlive();
        needsJoin = true;
      } catch (error) {
        if (this.#left) return;
        if (!this.#recover(error)) {
          const { group, onFailure } = this.#options;
          onFailure(new Error(`group ${group}: ${messageOf(error)}`, { cause: error }));
          return;
        }
        // An unanswered heartbeat is retried; any error from the coordinator requires a rejoin.
        needsJoin ||= error instanceof BrokerError;
        if (this.#failures === 0) continue;
        await this.#pause(pauseAfter(BROKER_BACKOFF, this.#failures - 1));
        await this.#options.cluster.refresh().catch(() => undefined);
      }
    }
  }

  async #join(): Promise<void> {
    const { cluster, pool, group, rebalanceTimeoutMs, onAssigned } = this.#options;
    this.#rejoining = false;
    const node = await cluster.coordinator(group);
    this.#joining = true;
    const joined = await this.#joinGroup(node).finally(() => {
      this.#joining = false;
    });
    if (joined.errorCode !== CODES.NONE) throw new BrokerError(`joining group ${group}`, joined.errorCode);
    this.#memberId = joined.memberId;
    this.#aliveAt = performance.now();
    const { memberId, generationId } = joined;
    const groupAssignment = shareOut(cluster, joined);
    const synced = await pool.request(
      node,
      'SyncGroup',
      { groupId: group, generationId, memberId, groupAssignment },
      rebalanceTimeoutMs,
    );
    if (synced.errorCode !== CODES.NONE) throw new BrokerError(`joining group ${group}`, synced.errorCode);
    this.#aliveAt = performance.now();
    this.#failures = 0;
    if (this.#left) return;
    this.#setIdentity({ memberId, generation: generationId });
    const share = decodeShare(synced.memberAssignment);
    this.#moving = share.moving;
    onAssigned(share.partitions);
  }

  async #joinGroup(node: number): Promise<Joined> {
    const { pool, group, topics, owned, sessionTimeoutMs, rebalanceTimeoutMs } = this.#options;
    const claim = { topics, owned: owned(), generation: this.#identity?.generation ?? -1 };
    const payload = {
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      protocolType: 'consumer',
      groupProtocols: [{ name: PROTOCOL_NAME, metadata: encodeClaim(claim) }],
    };
    const ask = (memberId: string): Promise<Joined> =>
      pool.request(node, 'JoinGroup', { ...payload, memberId }, rebalanceTimeoutMs);
    const answer = await ask(this.#memberId);
    if (answer.errorCode !== CODES.MEMBER_ID_REQUIRED) return answer;
    this.#memberId = answer.memberId;
    return ask(this.#memberId);
  }

  /** Returns when the group must be joined again. */
  async #stayAlive(): Promise<void> {
    const { cluster, pool, group, heartbeatIntervalMs } = this.#options;
    while (!this.#left && !this.#rejoining && this.#identity !== null) {
      await this.#pause(
        this.#moving ? Math.min(MOVING_HEARTBEAT_MS, heartbeatIntervalMs) : heartbeatIntervalMs,
      );
      if (this.#left || this.#rejoining) return;
      const { generation } = this.#identity;
      const node = await cluster.coordinator(group);
      const payload = { groupId: group, memberId: this.#memberId, groupGenerationId: generation };
      const { errorCode } = await pool.request(node, 'Heartbeat', payload);
      if (errorCode !== CODES.NONE) throw new BrokerError(`a heartbeat of group ${group}`, errorCode);
      this.#aliveAt = performance.now();
      this.#failures = 0;
    }
  }

  /** Handles a failure; returns true when joining again makes sense. */
  #recover(error: unknown): boolean {
    const { cluster, group, sessionTimeoutMs } = this.#options;
    const code = error instanceof BrokerError ? error.code : null;
    if (code === CODES.REBALANCE_IN_PROGRESS) return true;
    if (code === CODES.UNKNOWN_MEMBER_ID || code === CODES.ILLEGAL_GENERATION) {
      if (code === CODES.UNKNOWN_MEMBER_ID) this.#memberId = '';
      this.#lose('removed from the group');
      return true;
    }
    this.#failures += 1;
    if (!isRetryable(error)) return false;
    cluster.forgetCoordinator(group);
    if (performance.now() - this.#aliveAt > sessionTimeoutMs) this.#lose('group coordinator unreachable');
    return true;
  }

  #lose(why: string): void {
    const { group, logger, onLost } = this.#options;
    if (this.#identity === null) return;
    logger.warn({ group, reason: why }, 'consumer lost its partitions');
    this.#moving = false;
    this.#setIdentity(null);
    onLost();
  }

  #setIdentity(next: Identity | null): void {
    this.#identity = next;
    for (const watcher of [...this.#watchers]) watcher();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

type Joined = Apis['JoinGroup']['response'];

/** Computes the assignment of this generation; only the group's leader does this. */
function shareOut(cluster: Pick<KafkaCluster, 'partitionCount'>, joined: Joined) {
  if (joined.leaderId !== joined.memberId) return [];
  const count = (topic: string): number | null => cluster.partitionCount(topic);
  const claims = new Map(
    joined.members.map((member) => [member.memberId, decodeClaim(member.memberMetadata)]),
  );
  const assigned = assign(claims, count);
  const moving = isMoving(claims, assigned, count);
  return [...assigned].map(([memberId, partitions]) => ({
    memberId,
    memberAssignment: encodeShare({ partitions, moving }),
  }));
}
