import type { TextFeatures } from './features.ts';

/** Words of a window: a sentence or two, and a page. Windows of a size overlap by half. */
const SIZES = [40, 240] as const;
/** All windows begin at a multiple of so many words, and all but the last ones end there. */
export const BLOCK = SIZES[0] / 2;

/** A stretch of words, end exclusive. */
export interface WordWindow {
  readonly first: number;
  readonly end: number;
}

/** All windows of a text with so many words; a text that a window covers is one window. */
export function* eachWindow(count: number): Generator<WordWindow, void> {
  if (count === 0) return;
  for (const size of SIZES) {
    for (let first = 0; first === 0 || first + size / 2 < count; first += size / 2) {
      yield { first, end: Math.min(first + size, count) };
    }
    if (count <= size) return;
  }
}

export const windowsOf = (count: number): WordWindow[] => [...eachWindow(count)];

/** A window with fewer features is judged as if it had so many: two or three words are no sentence. */
const FEWEST_FEATURES = 50;

/** What the sum of a window's weights is divided by: a window with more features is not worse for that alone. */
export const rootOfCount = (features: number): number => Math.sqrt(Math.max(features, FEWEST_FEATURES));

export const rootOf = ({ firsts }: TextFeatures, { first, end }: WordWindow): number =>
  rootOfCount(firsts[end]! - firsts[first]!);

/** A table of weights: `of(bucket)` per head. */
export interface WeightTable {
  readonly heads: number;
  /** `heads` numbers per bucket. */
  readonly weights: Int8Array | Float32Array;
}

/** Sums of the weights of all words before each word: `sums[word]` of the head. */
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
