import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { EMPTY_FRONTIER, rootOf, withLeaf } from './frontier.ts';
import { consistencyRanges, inclusionRanges } from './ranges.ts';
import {
  completeRoot,
  rangeRoot,
  STORED_HEIGHTS,
  type StoredRun,
  type StoredTree,
  storedRuns,
} from './stored-subtrees.ts';
import { isConsistent, rootFromInclusion } from './verify-proofs.ts';

const SIZE = 70_000;
const leafAt = (index: number): Buffer => hash('sha256', `leaf ${index}`, 'buffer');
const leaves = Array.from({ length: SIZE }, (_, index) => leafAt(index));
const stored = new Map<string, Buffer>();
let frontier = EMPTY_FRONTIER;
for (const leaf of leaves)
  frontier = withLeaf(frontier, leaf, ({ height, index, hash: root }) => {
    if ([3, 6, 8, 16].includes(height)) stored.set(`${height}:${index}`, root);
  });
for (const [index, leaf] of leaves.entries()) stored.set(`0:${index}`, leaf);

/** Hashes of exactly these runs, as a proof would read them. */
const read =
  (runs: readonly StoredRun[]) =>
  (height: number, index: number): Buffer => {
    const isRead = runs.some((run) => run.height === height && run.from <= index && index < run.to);
    if (!isRead) throw new Error(`${height}:${index} was not read`);
    return stored.get(`${height}:${index}`)!;
  };

const size = fc.integer({ min: 1, max: SIZE });
/** All subtrees are stored. */
const ALL: StoredTree = { heights: STORED_HEIGHTS, upTo: Number.POSITIVE_INFINITY };

test('runs cover a range once, from left to right, with few hashes', () => {
  fc.assert(
    fc.property(size, size, (one, other) => {
      const [from, to] = [Math.min(one, other) - 1, Math.max(one, other)];
      let at = from;
      let hashes = 0;
      for (const run of storedRuns({ from, to }, ALL)) {
        expect(run.from * 2 ** run.height).toBe(at);
        expect(run.to).toBeGreaterThan(run.from);
        at = run.to * 2 ** run.height;
        hashes += run.to - run.from;
      }
      expect(at).toBe(to);
      expect(hashes).toBeLessThanOrEqual(4 * 255 + SIZE / 65_536);
    }),
  );
});

/** Without stored subtrees every leaf is read, so heights and trees are smaller here. */
const LOW: StoredTree['heights'] = { small: 3, large: 6 };
const lowSize = fc.integer({ min: 1, max: 1_000 });

test('roots and proofs of any size need their runs alone, however many subtrees are stored', () => {
  fc.assert(
    fc.property(lowSize, lowSize, lowSize, (one, other, upTo) => {
      const tree = { heights: LOW, upTo: Math.floor(upTo / 8) * 8 };
      const [older, newer] = [Math.min(one, other), Math.max(one, other)];
      const rootAt = (count: number): Buffer => {
        const range = { from: 0, to: count };
        return rangeRoot(range, tree, read(storedRuns(range, tree)));
      };
      const proofOf = (ranges: ReturnType<typeof inclusionRanges>): Buffer[] =>
        ranges.map((range) => rangeRoot(range, tree, read(storedRuns(range, tree))));
      const included = proofOf(inclusionRanges(older - 1, newer));
      expect(rootFromInclusion(leaves[older - 1]!, older - 1, newer, included)).toEqual(rootAt(newer));
      const consistent = proofOf(consistencyRanges(older, newer));
      expect(
        isConsistent({ size: older, root: rootAt(older) }, { size: newer, root: rootAt(newer) }, consistent),
      ).toBe(true);
    }),
  );
});

test('the same holds with the production heights', () => {
  const whole = { from: 0, to: SIZE };
  expect(rangeRoot(whole, ALL, read(storedRuns(whole, ALL)))).toEqual(rootOf(frontier));
});

test('an empty range has the root of the empty tree', () => {
  const nothing = { from: 0, to: 0 };
  expect(rangeRoot(nothing, ALL, read(storedRuns(nothing, ALL)))).toEqual(rootOf(EMPTY_FRONTIER));
});

test('the number of leaves of a complete subtree must be a power of two', () => {
  expect(completeRoot(leaves.slice(0, 256))).toEqual(stored.get('8:0'));
  expect(completeRoot(leaves.slice(0, 1))).toEqual(leaves[0]);
  for (const count of [0, 3, 255]) expect(() => completeRoot(leaves.slice(0, count))).toThrow(RangeError);
});
