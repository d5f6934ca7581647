/** Inclusive. */
type IndexRange = readonly [from: number, to: number];

/** Converts indexes to ascending, non-adjacent ranges. Indexes may be unordered and repeated. */
export function compressedRanges(indexes: Iterable<number>): IndexRange[] {
  const ranges: [number, number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && index === last[1] + 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
}
