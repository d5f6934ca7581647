/**
 * Counts of one key by hour (since the epoch), ascending; hours without signals are omitted. An hour and its count are
 * packed into one number, hour x 2^27 + count: most of a customer's state consists of these, and they take 8 bytes
 * each.
 */
export type Series = number[];

/** Counts stay below this, and hours below 2^26 (7,600 years): exact in a double, and hours fit into 32 bits. */
const HOUR = 2 ** 27;

export const emptySeries = (): Series => [];

export const hourOf = (packed: number): number => (packed / HOUR) | 0;
/** The remainder operator is ten times slower for numbers this large. */
export const countOf = (packed: number): number => packed - hourOf(packed) * HOUR;

export function addTo(packed: Series, hour: number, count: number): void {
  const last = packed.length - 1;
  if (last < 0 || packed[last]! < hour * HOUR) {
    packed.push(hour * HOUR + count);
    return;
  }
  // Most are added to the last hour, and nearly all others close to it.
  const at = hourOf(packed[last]!) === hour ? last : indexFromEnd(packed, hour);
  const known = packed[at];
  if (known !== undefined && hourOf(known) === hour) packed[at] = known + count;
  else packed.splice(at, 0, hour * HOUR + count);
}

/** Adds the first `length` of these counts. Hours ascend, so each search starts after the previous hour. */
export function addEach(
  packed: Series,
  hours: readonly number[],
  counts: readonly number[],
  length: number,
): void {
  let [at, before] = [-1, Number.NEGATIVE_INFINITY];
  for (let next = 0; next < length; next += 1) {
    const hour = hours[next]!;
    if (hour <= before) throw new RangeError('hours are not in ascending order');
    // No further away than the number of hours between them.
    const high = Math.min(packed.length, at + hour - before);
    const isNext = high > 0 && packed[high - 1]! < hour * HOUR;
    at = isNext ? high : indexBetween(packed, hour, at + 1, high);
    const known = packed[at];
    if (known !== undefined && hourOf(known) === hour) packed[at] = known + counts[next]!;
    else packed.splice(at, 0, hour * HOUR + counts[next]!);
    before = hour;
  }
}

/** The first index whose hour is at least `hour`. */
export function indexOf(packed: readonly number[], hour: number): number {
  const { length } = packed;
  if (length > 0 && packed[length - 1]! < hour * HOUR) return length;
  return indexBetween(packed, hour, 0, length);
}

/** The same by exponential search from the end: does not read the distant part. */
function indexFromEnd(packed: readonly number[], hour: number): number {
  const from = hour * HOUR;
  let high = packed.length;
  let step = 1;
  while (step <= high && packed[high - step]! >= from) {
    high -= step;
    step *= 2;
  }
  return indexBetween(packed, hour, Math.max(0, high - step), high);
}

/** The same by binary search in [low, high]. */
function indexBetween(packed: readonly number[], hour: number, low: number, high: number): number {
  const from = hour * HOUR;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (packed[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Signals in the hours from `from` (inclusive) to `end` (exclusive). */
export function sumOf(packed: Readonly<Series>, from: number, end: number): number {
  let sum = 0;
  const limit = end * HOUR;
  for (let at = indexOf(packed, from); at < packed.length && packed[at]! < limit; at += 1)
    sum += countOf(packed[at]!);
  return sum;
}

/** Whether there are signals in the hours from `from` (inclusive) to `end` (exclusive). */
export function hasAny(packed: Readonly<Series>, from: number, end: number): boolean {
  const at = indexOf(packed, from);
  return at < packed.length && packed[at]! < end * HOUR;
}

/** Removes the hours before `hour`. */
export function prune(packed: Series, hour: number): void {
  const kept = indexOf(packed, hour);
  if (kept > 0) packed.splice(0, kept);
}
