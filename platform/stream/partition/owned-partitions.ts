import type { PartitionWork } from './partition-work.ts';

/** The work on the partitions that a stream owns, with at most one assignment per partition. */
export interface OwnedPartitions {
  /** Throws when the work under an earlier assignment of the partition has not ended. */
  add(topic: string, partition: number, work: PartitionWork): void;
  /** Throws when the partition is not owned. */
  get(topic: string, partition: number): PartitionWork;
  has(topic: string, partition: number): boolean;
  remove(topic: string, partition: number): void;
  all(): PartitionWork[];
}

/**
 * Two assignments of one partition in one process would share its caches, queues and flushes. The log guarantees that
 * an assignment is over before the next one of the partition starts; this asserts it.
 */
export function ownedPartitions(): OwnedPartitions {
  const owned = new Map<string, PartitionWork>();
  const nameOf = (topic: string, partition: number): string => `${topic}/${partition}`;
  return {
    add: (topic, partition, work) => {
      const name = nameOf(topic, partition);
      if (owned.has(name))
        throw new Error(`${name} was assigned while an earlier assignment is still active`);
      owned.set(name, work);
    },
    get: (topic, partition) => {
      const work = owned.get(nameOf(topic, partition));
      if (work === undefined)
        throw new Error(`received a batch of ${nameOf(topic, partition)}, which is not assigned`);
      return work;
    },
    has: (topic, partition) => owned.has(nameOf(topic, partition)),
    remove: (topic, partition) => {
      owned.delete(nameOf(topic, partition));
    },
    all: () => [...owned.values()],
  };
}
