import { EMPTY_ROOT, nodeHash } from './node-hash.ts';
import { halvesOf, type LeafRange } from './ranges.ts';

/**
 * Heights of the complete subtrees whose roots are stored beside the leaves: of 256 leaves and of 65,536. A proof in a tree
 * of n leaves then needs at most a few times 256 hashes, and n / 65,536 of the largest.
 */
export interface StoredHeights {
  readonly small: number;
  readonly large: number;
}
export const STORED_HEIGHTS: StoredHeights = { small: 8, large: 16 };

/** The largest first; at height 0 the leaves themselves. */
const descending = ({ small, large }: StoredHeights): readonly number[] => [large, small, 0];

/** Subtrees of one height, side by side: from index `from` up to, and without, `to`. */
export interface StoredRun {
  readonly height: number;
  readonly from: number;
  readonly to: number;
}

/** Root of `2 ** n` hashes side by side. */
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

/** What is stored of a tree: its leaves, and the roots of its complete subtrees up to leaf `upTo`. */
export interface StoredTree {
  readonly heights: StoredHeights;
  /** A multiple of the leaves of a small subtree; infinite: all of them are stored. */
  readonly upTo: number;
}

/** What to read of a range, from left to right: the largest stored subtrees that fit, then smaller ones, and leaves. */
export function storedRuns({ from, to }: LeafRange, { heights, upTo }: StoredTree): StoredRun[] {
  const all = descending(heights);
  const last = Math.min(to, upTo);
  const runs: StoredRun[] = [];
  for (let at = from; at < to; ) {
    const height = all.find((one) => one === 0 || (at % 2 ** one === 0 && at + 2 ** one <= last))!;
    const leaves = 2 ** height;
    // Up to where the next larger subtree could begin, or the last that fits.
    const larger = all.findLast((one) => one > height);
    const nextLarger = larger === undefined ? to : (Math.floor(at / 2 ** larger) + 1) * 2 ** larger;
    const end = height === 0 ? to : Math.floor(last / leaves) * leaves;
    const until = Math.min(at >= upTo ? to : nextLarger, end);
    runs.push({ height, from: at / leaves, to: until / leaves });
    at = until;
  }
  return runs;
}

/** Root over a range of an RFC 6962 tree, from stored hashes. `stored`: hash of a stored subtree, or of a leaf. */
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
