import type { PartitionWork } from './partition-work.ts';

/** The work on the partitions that a stream owns now. */
export interface OwnedPartitions {
  add(topic: string, partition: number, work: PartitionWork): void;
  /** The work on the partition since it was assigned last. */
  get(topic: string, partition: number): PartitionWork | undefined;
  /** Takes out the work that is revoked first. */
  remove(topic: string, partition: number): PartitionWork | undefined;
  all(): PartitionWork[];
}

/** A partition may come back while the handler of the time before still ignores its signal; then it has two for a while. */
export function ownedPartitions(): OwnedPartitions {
  const owned = new Map<string, PartitionWork[]>();
  const nameOf = (topic: string, partition: number): string => `${topic}/${partition}`;
  return {
    add: (topic, partition, work) => {
      const name = nameOf(topic, partition);
      owned.set(name, [...(owned.get(name) ?? []), work]);
    },
    get: (topic, partition) => owned.get(nameOf(topic, partition))?.at(-1),
    remove: (topic, partition) => {
      const name = nameOf(topic, partition);
      const [oldest, ...others] = owned.get(name) ?? [];
      if (others.length > 0) owned.set(name, others);
      else owned.delete(name);
      return oldest;
    },
    all: () => [...owned.values()].flat(),
  };
}
