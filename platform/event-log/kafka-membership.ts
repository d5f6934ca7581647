import {
  assign,
  decodeClaim,
  decodeShare,
  encodeClaim,
  encodeShare,
  isMoving,
  PROTOCOL_NAME,
} from './kafka-assignor.ts';
import type { KafkaCluster, KafkaLogger, TopicPartition } from './kafka-cluster.ts';
import { messageOf } from './kafka-connection.ts';
import { BrokerError, CODES, mayPass } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import type { Apis } from './kafka-requests.ts';
import { retryPauseMs, withRetries } from './kafka-retry.ts';

/** Who this consumer is in the group's present generation; a commit under another one is refused. */
export interface Identity {
  readonly memberId: string;
  readonly generation: number;
}

export interface MembershipOptions {
  readonly cluster: KafkaCluster;
  /** For joins and heartbeats. */
  readonly lane: Lane;
  /** For leaving, which must not wait behind a join. */
  readonly leaveLane: Lane;
  readonly group: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly logger: KafkaLogger;
  /** Partitions that are worked on now. */
  readonly owned: () => TopicPartition[];
  /** These are this consumer's from now on, and no others. */
  readonly onAssigned: (partitions: readonly TopicPartition[]) => void;
  /** None is any more: the group has gone on without this consumer. */
  readonly onLost: () => void;
  /** The group cannot be joined, whatever is repeated. */
  readonly onFailure: (error: Error) => void;
}

export interface Membership {
  /** Null before the first assignment and after the membership was lost. */
  readonly identity: Identity | null;
  readonly joined: boolean;
  /** Joins again soon: partitions were given back, or a broker refused a commit. */
  rejoin(): void;
  /** Resolves when the identity is another one than `known`, or after `timeoutMs`. */
  changed(known: Identity | null, timeoutMs: number): Promise<void>;
  /** Leaves the group, so that the others take over at once. Does not reject. */
  leave(): Promise<void>;
}

const LEAVE_TIMEOUT_MS = 3_000;
/**
 * A heartbeat's answer is how a member hears that the group goes into another round, and every round waits for its
 * last member. While partitions wait for their new owner nobody works on them, so members ask this often.
 */
const MOVING_HEARTBEAT_MS = 100;

/** Keeps one consumer in its group: joins, shows that it is alive, joins again for as long as it takes. */
export function createMembership(options: MembershipOptions): Membership {
  const { cluster, lane, group, logger, sessionTimeoutMs, rebalanceTimeoutMs } = options;
  let memberId = '';
  let identity: Identity | null = null;
  let aliveAt = performance.now();
  let left = false;
  let rejoining = false;
  /** Partitions are between two owners: another round of the group follows soon. */
  let moving = false;
  /** A join waits at the broker for the other members, and needs no heartbeats meanwhile. */
  let joining = false;
  let failures = 0;
  let wakeUp: () => void = () => undefined;
  const watchers = new Set<() => void>();

  function setIdentity(next: Identity | null): void {
    identity = next;
    for (const watcher of [...watchers]) watcher();
  }

  function lose(why: string): void {
    if (identity === null) return;
    logger.warn(`a consumer of group ${group} lost its partitions: ${why}`);
    moving = false;
    setIdentity(null);
    options.onLost();
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const ask = <Name extends 'JoinGroup' | 'SyncGroup' | 'Heartbeat'>(
    node: number,
    name: Name,
    payload: Apis[Name]['request'],
    waitMs = 0,
  ) => lane.request(node, name, payload, waitMs);

  async function joinGroup(node: number): Promise<Apis['JoinGroup']['response']> {
    const claim = { topics: options.topics, owned: options.owned(), generation: identity?.generation ?? -1 };
    const payload = {
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      protocolType: 'consumer',
      groupProtocols: [{ name: PROTOCOL_NAME, metadata: encodeClaim(claim) }],
    };
    const answer = await ask(node, 'JoinGroup', { ...payload, memberId }, rebalanceTimeoutMs);
    if (answer.errorCode !== CODES.MEMBER_ID_REQUIRED) return answer;
    memberId = answer.memberId;
    return ask(node, 'JoinGroup', { ...payload, memberId }, rebalanceTimeoutMs);
  }

  function shareOut(joined: Apis['JoinGroup']['response']) {
    if (joined.leaderId !== joined.memberId) return [];
    const claims = new Map(
      joined.members.map((member) => [member.memberId, decodeClaim(member.memberMetadata)]),
    );
    const assigned = assign(claims, cluster.partitionCount);
    const isAnyMoving = isMoving(claims, assigned, cluster.partitionCount);
    return [...assigned].map(([id, partitions]) => ({
      memberId: id,
      memberAssignment: encodeShare({ partitions, moving: isAnyMoving }),
    }));
  }

  async function join(): Promise<void> {
    rejoining = false;
    const node = await cluster.coordinator(group);
    joining = true;
    const joined = await joinGroup(node).finally(() => {
      joining = false;
    });
    if (joined.errorCode !== CODES.NONE) throw new BrokerError(`joining group ${group}`, joined.errorCode);
    memberId = joined.memberId;
    aliveAt = performance.now();
    const { generationId } = joined;
    const synced = await ask(
      node,
      'SyncGroup',
      { groupId: group, generationId, memberId, groupAssignment: shareOut(joined) },
      rebalanceTimeoutMs,
    );
    if (synced.errorCode !== CODES.NONE) throw new BrokerError(`joining group ${group}`, synced.errorCode);
    aliveAt = performance.now();
    failures = 0;
    if (left) return;
    setIdentity({ memberId, generation: generationId });
    const share = decodeShare(synced.memberAssignment);
    moving = share.moving;
    options.onAssigned(share.partitions);
  }

  /** Returns when the group must be joined again. */
  async function stayAlive(): Promise<void> {
    while (!left && !rejoining && identity !== null) {
      await pause(
        moving ? Math.min(MOVING_HEARTBEAT_MS, options.heartbeatIntervalMs) : options.heartbeatIntervalMs,
      );
      if (left || rejoining) return;
      const { generation } = identity;
      const node = await cluster.coordinator(group);
      const payload = { groupId: group, memberId, groupGenerationId: generation };
      const { errorCode } = await ask(node, 'Heartbeat', payload);
      if (errorCode !== CODES.NONE) throw new BrokerError(`a heartbeat of group ${group}`, errorCode);
      aliveAt = performance.now();
      failures = 0;
    }
  }

  /** What to do about a failure; true when joining again makes sense. */
  function recover(error: unknown): boolean {
    const code = error instanceof BrokerError ? error.code : null;
    if (code === CODES.REBALANCE_IN_PROGRESS) return true;
    if (code === CODES.UNKNOWN_MEMBER_ID || code === CODES.ILLEGAL_GENERATION) {
      if (code === CODES.UNKNOWN_MEMBER_ID) memberId = '';
      lose('the group went on without it');
      return true;
    }
    failures += 1;
    if (!mayPass(error)) return false;
    cluster.forgetCoordinator(group);
    if (performance.now() - aliveAt > sessionTimeoutMs) lose('the group cannot be reached');
    return true;
  }

  async function run(): Promise<void> {
    let needsJoin = true;
    while (!left) {
      try {
        if (needsJoin || identity === null || rejoining) await join();
        needsJoin = false;
        await stayAlive();
        needsJoin = true;
      } catch (error) {
        if (left) return;
        if (!recover(error)) {
          options.onFailure(new Error(`group ${group}: ${messageOf(error)}`, { cause: error }));
          return;
        }
        // A heartbeat that got no answer is repeated; anything that the coordinator said means to join.
        needsJoin ||= error instanceof BrokerError;
        if (failures === 0) continue;
        await pause(retryPauseMs(failures - 1));
        await cluster.refresh().catch(() => undefined);
      }
    }
  }

  void run();

  return {
    get identity() {
      return identity;
    },
    get joined() {
      return identity !== null && !left && (joining || performance.now() - aliveAt <= sessionTimeoutMs);
    },
    rejoin() {
      rejoining = true;
      wakeUp();
    },
    changed: (known, timeoutMs) =>
      new Promise((resolve) => {
        if (identity !== known) {
          resolve();
          return;
        }
        const done = (): void => {
          clearTimeout(timer);
          watchers.delete(done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        watchers.add(done);
      }),
    async leave() {
      left = true;
      wakeUp();
      setIdentity(null);
      if (memberId === '') return;
      // The coordinator may be away; then the session's end does what this would have done.
      await withRetries({ what: `leaving group ${group}`, timeoutMs: LEAVE_TIMEOUT_MS }, async () => {
        const node = await cluster.coordinator(group);
        await options.leaveLane.request(node, 'LeaveGroup', { groupId: group, memberId });
      }).catch(() => undefined);
      lane.close();
    },
  };
}
