import type { TextFeatures } from './features.ts';

/** Words per window: a sentence or two, and a page. Windows of equal size overlap by half. */
const SIZES = [40, 240] as const;
/** All windows start at a multiple of this many words, and all but the last ones end at one. */
export const BLOCK = SIZES[0] / 2;

/** A range of words, end exclusive. */
export interface WordWindow {
  readonly first: number;
  readonly end: number;
}

/** A text's windows by index, so that a long text needs no list of them. */
interface Windows {
  readonly length: number;
  firstOf(window: number): number;
  endOf(window: number): number;
}

/** All windows of a text with this many words. A text no longer than a window is a single window. */
export function windowsIn(count: number): Windows {
  const lengthOf = (size: number): number =>
    count === 0 ? 0 : Math.max(1, Math.ceil(count / (size / 2)) - 1);
  const small = lengthOf(SIZES[0]);
  const firstOf = (window: number): number =>
    window < small ? (window * SIZES[0]) / 2 : ((window - small) * SIZES[1]) / 2;
  return {
    length: small + (count > SIZES[0] ? lengthOf(SIZES[1]) : 0),
    firstOf,
    endOf: (window) => Math.min(firstOf(window) + (window < small ? SIZES[0] : SIZES[1]), count),
  };
}

export function windowsOf(count: number): WordWindow[] {
  const { length, firstOf, endOf } = windowsIn(count);
  return Array.from({ length }, (_, window) => ({ first: firstOf(window), end: endOf(window) }));
}

/** A window with fewer features is scored as if it had this many, because two or three words are not a sentence. */
const FEWEST_FEATURES = 50;

/** The divisor of a window's summed weights, so that more features alone do not raise the score. */
export const rootOfCount = (features: number): number => Math.sqrt(Math.max(features, FEWEST_FEATURES));

export const rootOf = ({ firsts }: TextFeatures, { first, end }: WordWindow): number =>
  rootOfCount(firsts[end]! - firsts[first]!);

interface WeightTable {
  readonly heads: number;
  /** `heads` numbers per bucket. */
  readonly weights: Int8Array | Float32Array;
}

/** Prefix sums of a head's weights: `sums[word]` covers all words before `word`. */
export function sumsOf(
  { count, features, firsts }: TextFeatures,
  { heads, weights }: WeightTable,
  head: number,
): Float64Array {
  const sums = new Float64Array(count + 1);
  let total = 0;
  let at = 0;
  for (let word = 0; word < count; word++) {
    for (const end = firsts[word + 1]!; at < end; at++) total += weights[features[at]! * heads + head]!;
    sums[word + 1] = total;
  }
  return sums;
}
