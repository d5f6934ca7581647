import { EMPTY_FRONTIER, type Frontier, rootOf, withLeaf } from '../tree/frontier.ts';
import { EMPTY_ROOT, nodeHash } from '../tree/node-hash.ts';
import { halvesOf, type LeafRange } from '../tree/ranges.ts';

/** The subtrees into which a range divides a tree of `size` leaves, each list from left to right. */
interface RangeParts {
  /** Entirely before and entirely after the range: their roots complete the tree. */
  readonly left: readonly LeafRange[];
  readonly right: readonly LeafRange[];
  /** Entirely within it. */
  readonly inside: readonly LeafRange[];
}

export function rangeParts({ from, to }: LeafRange, size: number): RangeParts {
  const parts = { left: [] as LeafRange[], inside: [] as LeafRange[], right: [] as LeafRange[] };
  const visit = (range: LeafRange): void => {
    if (range.to <= from) parts.left.push(range);
    else if (range.from >= to) parts.right.push(range);
    else if (range.from >= from && range.to <= to) parts.inside.push(range);
    else for (const half of halvesOf(range)) visit(half);
  };
  if (size > 0) visit({ from: 0, to: size });
  return parts;
}

/** Takes the leaf hashes of a range in order, and returns the root of the whole tree. */
export interface RangeTree {
  leaf(hash: Buffer): void;
  /** Throws `RangeError` unless exactly the leaves of the range were added. */
  root(): Buffer;
}

/**
 * `left`, `right`: the roots of the parts next to the range, in order. Throws `RangeError` if their number is wrong.
 */
export function createRangeTree(
  range: LeafRange,
  size: number,
  { left, right }: { readonly left: readonly Buffer[]; readonly right: readonly Buffer[] },
): RangeTree {
  const parts = rangeParts(range, size);
  if (left.length !== parts.left.length || right.length !== parts.right.length)
    throw new RangeError('the subtrees next to the range do not fit a tree of this size');
  const known = new Map<number, Buffer>();
  for (const [number, part] of parts.left.entries()) known.set(part.from, left[number]!);
  for (const [number, part] of parts.right.entries()) known.set(part.from, right[number]!);
  let next = 0;
  let frontier: Frontier = EMPTY_FRONTIER;
  return {
    leaf: (hash) => {
      const part = parts.inside[next];
      if (part === undefined) throw new RangeError('more leaves than the range contains');
      frontier = withLeaf(frontier, hash);
      if (frontier.size < part.to - part.from) return;
      known.set(part.from, rootOf(frontier));
      frontier = EMPTY_FRONTIER;
      next += 1;
    },
    root: () => {
      if (next < parts.inside.length) throw new RangeError('fewer leaves than the range contains');
      return size === 0 ? EMPTY_ROOT : joined({ from: 0, to: size }, range, known);
    },
  };
}

/** The parts do not overlap, so their first leaf identifies them. */
function joined(node: LeafRange, { from, to }: LeafRange, known: ReadonlyMap<number, Buffer>): Buffer {
  const isPart = node.to <= from || node.from >= to || (node.from >= from && node.to <= to);
  if (isPart) return known.get(node.from)!;
  const [left, right] = halvesOf(node);
  return nodeHash(joined(left, { from, to }, known), joined(right, { from, to }, known));
}
