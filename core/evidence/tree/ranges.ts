/**
 * The leaves from `from` (inclusive) to `to` (exclusive). Every node of an RFC 6962 tree is the root over such a range;
 * the ranges of a proof's hashes say what it requires, independent of how leaves are stored.
 */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** The largest power of two below `count` (above 1): the number of leaves in the left subtree. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** The left and right halves of a range in its subtree. Needs at least two leaves. */
export function halvesOf({ from, to }: LeafRange): readonly [LeafRange, LeafRange] {
  const middle = from + splitOf(to - from);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

function checkSize(what: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${what} is ${value}, not an integer from ${min} to ${max}`);
}

/** Ranges of the hashes that prove leaf `index` in the tree of the first `size` leaves, bottom-up. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  checkSize('the tree size', size, 1, Number.MAX_SAFE_INTEGER);
  checkSize('the leaf index', index, 0, size - 1);
  const ranges: LeafRange[] = [];
  for (let range: LeafRange = { from: 0, to: size }; range.to - range.from > 1; ) {
    const [left, right] = halvesOf(range);
    const isLeft = index < left.to;
    ranges.push(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  return ranges.reverse();
}

/**
 * Ranges of the hashes that prove that the tree of the first `toSize` leaves extends that of the first `fromSize`,
 * bottom-up. None if the sizes are equal, or if `fromSize` is 0: every tree extends the empty one.
 */
export function consistencyRanges(fromSize: number, toSize: number): LeafRange[] {
  checkSize('the larger tree size', toSize, 0, Number.MAX_SAFE_INTEGER);
  checkSize('the smaller tree size', fromSize, 0, toSize);
  if (fromSize === 0 || fromSize === toSize) return [];
  const ranges: LeafRange[] = [];
  let range: LeafRange = { from: 0, to: toSize };
  while (range.to !== fromSize) {
    const [left, right] = halvesOf(range);
    const isLeft = fromSize <= left.to;
    ranges.push(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  // The verifier knows the root of the whole smaller tree, but not of a part of it.
  if (range.from > 0) ranges.push(range);
  return ranges.reverse();
}
