import fc from 'fast-check';
import { expect, test } from '#jest';
import { balance } from './assignment.ts';

const members = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 10 });
const owners = fc.array(fc.option(fc.integer({ min: 0, max: 9 })), { maxLength: 24 });

const sharesOf = (assigned: readonly (number | null)[], all: readonly number[]): number[] =>
  all.map((member) => assigned.filter((owner) => owner === member).length);

test('every partition has an owner and shares differ by at most one', () => {
  fc.assert(
    fc.property(owners, members, (before, all) => {
      const after = balance(before, all);
      expect(after).toHaveLength(before.length);
      if (all.length === 0) return expect(after.every((owner) => owner === null)).toBe(true);
      expect(after.every((owner) => owner !== null && all.includes(owner))).toBe(true);
      const shares = sharesOf(after, all);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a balanced assignment is not changed, and adding or removing a member moves the fewest partitions', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 9 }), (partitions, count) => {
      const all = Array.from({ length: count }, (_, member) => member);
      const before = balance<number>(new Array(partitions).fill(null), all);
      expect(balance(before, all)).toEqual(before);

      const joined = balance(before, [...all, count]);
      const moved = joined.filter((owner, partition) => owner !== before[partition]);
      expect(moved.every((owner) => owner === count)).toBe(true);

      const left = balance(before, all.slice(1));
      for (const [partition, owner] of before.entries()) {
        if (owner !== 0) expect(left[partition]).toBe(owner);
      }
    }),
  );
});
