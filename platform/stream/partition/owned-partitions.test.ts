import { expect, test } from '#jest';
import { ownedPartitions } from './owned-partitions.ts';
import type { PartitionWork } from './partition-work.ts';

const work = (): PartitionWork => ({}) as PartitionWork;

test('a partition is added only when the work under its earlier assignment has ended', () => {
  const owned = ownedPartitions();
  const [first, second] = [work(), work()];
  owned.add('main', 0, first);
  owned.add('main', 1, work());
  expect(() => owned.add('main', 0, second)).toThrow('main/0 was assigned while an earlier');
  expect(owned.get('main', 0)).toBe(first);
  owned.remove('main', 0);
  expect(() => owned.get('main', 0)).toThrow('which is not assigned');
  owned.add('main', 0, second);
  expect(owned.get('main', 0)).toBe(second);
});
