/**
 * The leaves from `from` up to, and without, `to`. Every node of a tree of RFC 6962 is the root over such a range; the
 * ranges of a proof's hashes say what has to be known for it, however the leaves are kept.
 */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** The largest power of two below `count` (above 1): so many leaves lie left of the root of `count` leaves. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** Where the root over a range parts: the halves that it is made of. Needs two leaves or more. */
export function halvesOf({ from, to }: LeafRange): readonly [LeafRange, LeafRange] {
  const middle = from + splitOf(to - from);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

function checkSize(what: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${what} is ${value}, not an integer from ${least} to ${most}`);
}

/** Ranges of the hashes that prove leaf `index` in the tree of the first `size` leaves, from the leaf upwards. */
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
 * Ranges of the hashes that prove that the tree of the first `toSize` leaves goes on from that of the first `fromSize`,
 * from below upwards. None where the sizes are equal, or where `fromSize` is 0: everything goes on from nothing.
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
  // The smaller tree as a whole is known to who asks; a part of it is not.
  if (range.from > 0) ranges.push(range);
  return ranges.reverse();
}
