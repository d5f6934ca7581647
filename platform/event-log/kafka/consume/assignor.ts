import { balance } from '../../assignment.ts';
import type { TopicPartition } from '../connection/cluster.ts';
import { groupProtocol } from '../protocol/wire.ts';

/** Members with other assignment rules must not join, so the name changes with the rules. */
export const PROTOCOL_NAME = 'cas-cooperative-1';
const METADATA_VERSION = 0;

/** What a member reports to the group's leader. */
export interface MemberClaim {
  readonly topics: readonly string[];
  /** Partitions that it works on, including those it is still releasing. */
  readonly owned: readonly TopicPartition[];
  /** Generation in which they were assigned to it. */
  readonly generation: number;
}

type PartitionsByTopic = Record<string, number[]>;

interface Ownership {
  readonly generation: number;
  readonly owned: PartitionsByTopic;
}

export function encodeClaim({ topics, owned, generation }: MemberClaim): Buffer {
  const ownership: Ownership = { generation, owned: gather(owned) };
  const userData = Buffer.from(JSON.stringify(ownership));
  return groupProtocol.MemberMetadata.encode({ version: METADATA_VERSION, topics, userData });
}

export function decodeClaim(bytes: Buffer): MemberClaim {
  const { topics, userData } = groupProtocol.MemberMetadata.decode(bytes);
  const { generation, owned } = JSON.parse(userData?.toString('utf8') ?? '') as Ownership;
  return { topics, owned: spread(owned), generation };
}

/** What the group's leader sends to a member. */
interface MemberShare {
  readonly partitions: readonly TopicPartition[];
  /**
   * Partitions wait for their old owners, so another rebalance follows as soon as these have released them. Members
   * poll for that rebalance; members of an older release do not know this field and notice it only later.
   */
  readonly moving: boolean;
}

export function encodeShare({ partitions, moving }: MemberShare): Buffer {
  const userData = Buffer.from(JSON.stringify({ moving }));
  return groupProtocol.MemberAssignment.encode({
    version: METADATA_VERSION,
    assignment: gather(partitions),
    userData,
  });
}

export function decodeShare(bytes: Buffer): MemberShare {
  const decoded = bytes.length === 0 ? null : groupProtocol.MemberAssignment.decode(bytes);
  if (decoded === null) return { partitions: [], moving: false };
  const text = decoded.userData?.toString('utf8') ?? '';
  const { moving = false } = (text === '' ? {} : JSON.parse(text)) as Partial<MemberShare>;
  return { partitions: spread(decoded.assignment), moving };
}

/** True when `assign` left partitions unassigned because their owners must release them first. */
export function isMoving(
  members: ReadonlyMap<string, MemberClaim>,
  assigned: ReadonlyMap<string, readonly TopicPartition[]>,
  partitionCount: (topic: string) => number | null,
): boolean {
  const topics = new Set([...members.values()].flatMap((member) => member.topics));
  const all = [...topics].reduce((sum, topic) => sum + (partitionCount(topic) ?? 0), 0);
  const given = [...assigned.values()].reduce((sum, partitions) => sum + partitions.length, 0);
  return given < all;
}

/**
 * Assigns the partitions of each topic to the members that read it, and moves as few as possible. A partition that
 * moves stays unassigned in this rebalance: its owner first ends its work, then rejoins without it, and the next
 * rebalance assigns it to the new owner. So two members never work on one partition, unless one of them was presumed
 * dead.
 */
export function assign(
  members: ReadonlyMap<string, MemberClaim>,
  partitionCount: (topic: string) => number | null,
): Map<string, TopicPartition[]> {
  const ids = [...members.keys()].sort();
  const assigned = new Map<string, TopicPartition[]>(ids.map((id) => [id, []]));
  const owners = ownersOf(members);
  const topics = [...new Set([...members.values()].flatMap((member) => member.topics))].sort();
  for (const [index, topic] of topics.entries()) {
    const readers = ids.filter((id) => members.get(id)!.topics.includes(topic));
    // Rotates the members by topic, because the first ones get the larger shares.
    const first = index % readers.length;
    const ranked = [...readers.slice(first), ...readers.slice(0, first)];
    const current = Array.from({ length: partitionCount(topic) ?? 0 }, (_, partition) => {
      const owner = owners.get(`${topic}/${partition}`)?.id ?? null;
      return owner !== null && readers.includes(owner) ? owner : null;
    });
    for (const [partition, target] of balance(current, ranked).entries()) {
      const owner = current[partition] ?? null;
      if (target !== null && (owner === null || owner === target)) {
        assigned.get(target)!.push({ topic, partition });
      }
    }
  }
  return assigned;
}

/** When two members claim a partition, the one that got it last owns it. */
function ownersOf(
  members: ReadonlyMap<string, MemberClaim>,
): Map<string, { id: string; generation: number }> {
  const owners = new Map<string, { id: string; generation: number }>();
  for (const [id, { owned, generation }] of members) {
    for (const { topic, partition } of owned) {
      const name = `${topic}/${partition}`;
      if (generation > (owners.get(name)?.generation ?? -1)) owners.set(name, { id, generation });
    }
  }
  return owners;
}

function gather(partitions: readonly TopicPartition[]): PartitionsByTopic {
  const topics: PartitionsByTopic = {};
  for (const { topic, partition } of partitions) {
    topics[topic] ??= [];
    topics[topic].push(partition);
  }
  return topics;
}

const spread = (topics: PartitionsByTopic): TopicPartition[] =>
  Object.entries(topics).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  );
