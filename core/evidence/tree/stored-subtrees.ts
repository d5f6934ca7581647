import { EMPTY_ROOT, nodeHash } from './node-hash.ts';
import { halvesOf, type LeafRange } from './ranges.ts';

/**
 * Heights of the complete subtrees whose roots are stored with the leaves: 256 leaves and 65,536. A proof in a tree of
 * n leaves then needs at most a few times 256 hashes, and n / 65,536 of the largest.
 */
export interface StoredHeights {
  readonly small: number;
  readonly large: number;
}
export const STORED_HEIGHTS: StoredHeights = { small: 8, large: 16 };

/** The largest first; height 0 is the leaves themselves. */
const descending = ({ small, large }: StoredHeights): readonly number[] => [large, small, 0];

/** Adjacent subtrees of one height: from index `from` (inclusive) to `to` (exclusive). */
export interface StoredRun {
  readonly height: number;
  readonly from: number;
  readonly to: number;
}

/** Root over `2 ** n` adjacent hashes. */
export function completeRoot(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0 || !Number.isInteger(Math.log2(hashes.length)))
    throw new RangeError(`${hashes.length} hashes do not form a complete subtree`);
  let level = hashes;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) above.push(nodeHash(level[i]!, level[i + 1]!));
    level = above;
  }
  return level[0]!;
}

/** What is stored of a tree: its leaves, and the roots of complete subtrees up to leaf `upTo`. */
export interface StoredTree {
  readonly heights: StoredHeights;
  /** A multiple of the leaves of a small subtree; infinite: all are stored. */
  readonly upTo: number;
}

/**
 * What to read for a range, from left to right: the largest stored subtrees that fit, then smaller ones, then leaves.
 */
export function storedRuns({ from, to }: LeafRange, { heights, upTo }: StoredTree): StoredRun[] {
  const all = descending(heights);
  const last = Math.min(to, upTo);
  const runs: StoredRun[] = [];
  for (let at = from; at < to; ) {
    const height = all.find((one) => one === 0 || (at % 2 ** one === 0 && at + 2 ** one <= last))!;
    const leaves = 2 ** height;
    // Up to the start of the next larger subtree, or the last one that fits.
    const larger = all.findLast((one) => one > height);
    const nextLarger = larger === undefined ? to : (Math.floor(at / 2 ** larger) + 1) * 2 ** larger;
    const end = height === 0 ? to : Math.floor(last / leaves) * leaves;
    const until = Math.min(at >= upTo ? to : nextLarger, end);
    runs.push({ height, from: at / leaves, to: until / leaves });
    at = until;
  }
  return runs;
}

/**
 * Root over a range of an RFC 6962 tree, from stored hashes. `stored`: returns the hash of a stored subtree or leaf.
 */
export function rangeRoot(
  range: LeafRange,
  tree: StoredTree,
  stored: (height: number, index: number) => Buffer,
): Buffer {
  const leaves = range.to - range.from;
  if (leaves === 0) return EMPTY_ROOT;
  const height = descending(tree.heights).find((one) => 2 ** one === leaves);
  const isStored = height === 0 || range.to <= tree.upTo;
  if (height !== undefined && isStored && range.from % leaves === 0)
    return stored(height, range.from / leaves);
  const [left, right] = halvesOf(range);
  return nodeHash(rangeRoot(left, tree, stored), rangeRoot(right, tree, stored));
}
