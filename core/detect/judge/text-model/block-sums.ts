import { visitWords } from './features.ts';
import { BLOCK } from './windows.ts';

/**
 * The sums that windows are scored with, kept per block of words and not per word: a text of megabytes has a million
 * words, and windows begin and end only between blocks.
 */
interface BlockSums {
  /** Words of the text. */
  readonly count: number;
  /** For the words from `first` to `end`, which are the ends of a window. */
  weightOf(head: number, first: number, end: number): number;
  featuresOf(first: number, end: number): number;
  /** Where a window's first word begins, in UTF-16 code units; and where the last word before its end ends. */
  startOf(first: number): number;
  endOf(end: number): number;
}

/** Heads of the model, all summed in one pass over the words. */
export const HEADS = 5;

/**
 * Adds the weights of buckets to `sums`, a row of `HEADS` weights for each. Unrolled: most of the time is spent here.
 */
function addWeights(weights: Int8Array, buckets: Uint32Array, count: number, sums: Float64Array): void {
  let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0];
  for (let at = 0; at < count; at++) {
    const row = buckets[at]! * HEADS;
    s0 += weights[row]!;
    s1 += weights[row + 1]!;
    s2 += weights[row + 2]!;
    s3 += weights[row + 3]!;
    s4 += weights[row + 4]!;
  }
  sums[0]! += s0;
  sums[1]! += s1;
  sums[2]! += s2;
  sums[3]! += s3;
  sums[4]! += s4;
}

/** `weights`: `HEADS` of them per bucket. */
export function blockSums(text: string, weights: Int8Array): BlockSums {
  const most = Math.ceil(text.length / BLOCK) + 1;
  const starts = new Uint32Array(most);
  const ends = new Uint32Array(most);
  /** Before each block, over all words of the blocks before it. Integers: sums are exact in any order. */
  const featuresBefore = new Float64Array(most);
  const weightsBefore = new Float64Array(most * HEADS);
  const sums = new Float64Array(HEADS);
  let [block, words, features] = [0, 0, 0];
  const close = (): void => {
    block++;
    featuresBefore[block] = features;
    weightsBefore.set(sums, block * HEADS);
    words = 0;
  };
  const count = visitWords(text, (start, end, buckets, length) => {
    if (words === 0) starts[block] = start;
    addWeights(weights, buckets, length, sums);
    features += length;
    ends[block] = end;
    if (++words === BLOCK) close();
  });
  if (words > 0) close();
  const blockAt = (word: number): number => Math.ceil(word / BLOCK);
  return {
    count,
    weightOf: (head, first, end) =>
      weightsBefore[blockAt(end) * HEADS + head]! - weightsBefore[blockAt(first) * HEADS + head]!,
    featuresOf: (first, end) => featuresBefore[blockAt(end)]! - featuresBefore[blockAt(first)]!,
    startOf: (first) => starts[blockAt(first)]!,
    endOf: (end) => ends[blockAt(end) - 1]!,
  };
}
