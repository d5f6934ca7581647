import type { Mutant } from '../mutant.ts';

const OWNED = `import type { PartitionWork } from './partition-work.ts';

export type OwnedPartitions = ReturnType<typeof ownedPartitions>;

export function ownedPartitions() {
  const owned = new Map<string, PartitionWork[]>();
  const nameOf = (topic: string, partition: number): string => topic + '/' + partition;
  return {
    add: (topic: string, partition: number, work: PartitionWork): void => {
      const name = nameOf(topic, partition);
      owned.set(name, [...(owned.get(name) ?? []), work]);
    },
    get: (topic: string, partition: number): PartitionWork => owned.get(nameOf(topic, partition))!.at(-1)!,
    has: (topic: string, partition: number): boolean => owned.has(nameOf(topic, partition)),
    remove: (topic: string, partition: number): PartitionWork | undefined => {
      const name = nameOf(topic, partition);
      const [oldest, ...others] = owned.get(name) ?? [];
      if (others.length > 0) owned.set(name, others);
      else owned.delete(name);
      return oldest;
    },
    all: (): PartitionWork[] => [...owned.values()].flat(),
  };
}
`;

const HEADS = `import type { Assignment } from '../../platform/event-log/port.ts';
import type { Head } from './fold/rows.ts';

export function createHeadCache() {
  const partitions = new Map<number, { nextOffset: number; heads: Map<string, Head> }>();
  return {
    begin: ({ partition }: Assignment): void => void partitions.delete(partition),
    at: ({ partition }: Assignment, offset: number): ReadonlyMap<string, Head> => {
      const cached = partitions.get(partition);
      return cached?.nextOffset === offset ? cached.heads : new Map();
    },
    store: (
      { partition }: Assignment,
      _offset: number,
      nextOffset: number,
      heads: ReadonlyMap<string, Head>,
    ): void => {
      const kept = partitions.get(partition)?.heads ?? new Map<string, Head>();
      for (const [customerId, head] of heads) kept.set(customerId, head);
      partitions.set(partition, { nextOffset, heads: kept });
    },
    forget: ({ partition }: Assignment): void => void partitions.delete(partition),
  };
}
`;

/** Each layer alone keeps chains whole, so all of them are removed. */
export const mutant: Mutant = {
  title:
    'a partition is reassigned while work of its earlier assignment continues, and both meet in one flush',
  breaks: 'one chain per customer',
  changes: [
    {
      file: 'platform/event-log/lmdb/consumer.ts',
      find: /const earlier = this\.#partitions\.get\(partition\);[\s\S]*?return;\s+\}/,
      replace: '',
    },
    {
      file: 'platform/event-log/lmdb/consumer.ts',
      find: /this\.#partitions\.delete\(partition\);\s+if \(this\.#awaited\.delete\(partition\)\) this\.take\(partition\);/,
      replace: 'if (this.#partitions.get(partition) === owned) this.#partitions.delete(partition);',
    },
    { file: 'platform/stream/partition/owned-partitions.ts', find: /[\s\S]+/, replace: OWNED },
    {
      file: 'platform/stream/run-stream.ts',
      find: /if \(partitions\.has\(topic, partition\)\) await [^;]*\.end\(\);\s+partitions\.remove\(topic, partition\);/,
      replace: 'await partitions.remove(topic, partition)?.end();',
    },
    { file: 'services/sink/flush/head-cache.ts', find: /[\s\S]+/, replace: HEADS },
    { file: 'services/sink/flush/flush-queue.ts', find: 'lost.throwIfAborted();', replace: '' },
    {
      file: 'services/sink/flush/flush-queue.ts',
      find: /if \(busy\.has\(unit\.topicPartition\)\) throw [^;]*;/,
      replace: '',
    },
    {
      file: 'services/sink/flush/flush-queue.ts',
      find: "lost.addEventListener('abort', withdraw, { once: true });",
      replace: '',
    },
    { file: 'services/sink/flush/flush.ts', find: '  assertWhole(units);', replace: '' },
    {
      file: 'services/sink/flush/lookups.ts',
      find: /const owned = chunks\.map\(ownedBy\);\s+assertApart\(owned\);/,
      replace: `const apart = chunks.map(ownedBy);
  const bounds = new Map(apart.flatMap((chunk) => [...chunk.customerIds].map((id) => [id, chunk.below] as const)));
  const cachedHeads = new Map(apart.flatMap((chunk) => [...chunk.cachedHeads]).reverse());
  const owned = apart.map((chunk) => ({
    ...chunk,
    below: Math.max(0, ...[...chunk.customerIds].map((id) => bounds.get(id)!)),
    cachedHeads,
  }));`,
    },
  ],
};
