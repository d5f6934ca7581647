import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { treeOf } from '../tree/small-tree.ts';
import { createRangeTree, rangeParts } from './range-tree.ts';

const leaves = Array.from({ length: 200 }, (_, index) => hash('sha256', `leaf ${index}`, 'buffer'));
const rootOver = (from: number, to: number): Buffer => treeOf(leaves.slice(from, to)).root;

const ranges = fc
  .tuple(fc.nat(200), fc.nat(200), fc.nat(200))
  .map((three) => three.sort((a, b) => a - b) as [from: number, to: number, size: number])
  .filter(([, , size]) => size > 0);

const given = ([from, to, size]: [number, number, number]) => {
  const { left, right } = rangeParts({ from, to }, size);
  const rootsOf = (parts: typeof left): Buffer[] => parts.map((part) => rootOver(part.from, part.to));
  return { left: rootsOf(left), right: rootsOf(right) };
};

test('any range of any tree leads to its root with the adjacent subtrees', () => {
  fc.assert(
    fc.property(ranges, ([from, to, size]) => {
      const tree = createRangeTree({ from, to }, size, given([from, to, size]));
      for (const leaf of leaves.slice(from, to)) tree.leaf(leaf);
      expect(tree.root()).toEqual(rootOver(0, size));
    }),
  );
});

test('few subtrees are adjacent to a range, and they cover everything else once', () => {
  fc.assert(
    fc.property(ranges, ([from, to, size]) => {
      const { left, inside, right } = rangeParts({ from, to }, size);
      const parts = [...left, ...inside, ...right];
      expect(parts.reduce((at, part) => (part.from === at ? part.to : Number.NaN), 0)).toBe(size);
      expect(left.length + right.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(size + 1)));
    }),
  );
});

test('a changed leaf or subtree changes the root; one too many or too few is rejected', () => {
  const range: [number, number, number] = [5, 11, 23];
  const [from, to, size] = range;
  const rootWith = (some: readonly Buffer[], beside = given(range)): Buffer => {
    const tree = createRangeTree({ from, to }, size, beside);
    for (const leaf of some) tree.leaf(leaf);
    return tree.root();
  };
  const own = leaves.slice(from, to);
  expect(rootWith(own)).toEqual(rootOver(0, size));
  expect(rootWith(own.with(2, leaves[0]!))).not.toEqual(rootOver(0, size));
  const { left, right } = given(range);
  expect(rootWith(own, { left: left.with(0, leaves[0]!), right })).not.toEqual(rootOver(0, size));
  expect(() => rootWith(own.slice(1))).toThrow(RangeError);
  expect(() => rootWith([...own, leaves[0]!])).toThrow(RangeError);
  expect(() => rootWith(own, { left: left.slice(1), right })).toThrow(RangeError);
});
