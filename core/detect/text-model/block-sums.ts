import { visitWordsInSteps } from './features.ts';
import { BLOCK, type WeightTable } from './windows.ts';

/**
 * What windows are judged by, kept per block of words and not per word: a text of megabytes has a million words, and
 * windows begin and end between blocks alone.
 */
export interface BlockSums {
  /** Words of the text. */
  readonly count: number;
  /** Of the words from `first` to `end`, which are the ends of a window. */
  weightOf(head: number, first: number, end: number): number;
  featuresOf(first: number, end: number): number;
  /** Where a word begins that begins a window, UTF-16 code units; and where one ends before the end of a window. */
  startOf(first: number): number;
  endOf(end: number): number;
}

/** Sums up all heads in one walk through the words; the rows of the table are short and stand together. */
export function* blockSumsInSteps(text: string, { heads, weights }: WeightTable): Generator<void, BlockSums> {
  const most = Math.ceil(text.length / BLOCK) + 1;
  const starts = new Uint32Array(most);
  const ends = new Uint32Array(most);
  /** Before each block, over all words of the blocks before it. Whole numbers: sums are exact in any order. */
  const featuresBefore = new Float64Array(most);
  const weightsBefore = new Float64Array(most * heads);
  const sums = new Float64Array(heads);
  let [block, words, features] = [0, 0, 0];
  const close = (): void => {
    block++;
    featuresBefore[block] = features;
    weightsBefore.set(sums, block * heads);
    words = 0;
  };
  const count = yield* visitWordsInSteps(text, (start, end, buckets, length) => {
    if (words === 0) starts[block] = start;
    for (let at = 0; at < length; at++) {
      const row = buckets[at]! * heads;
      for (let head = 0; head < heads; head++) sums[head]! += weights[row + head]!;
    }
    features += length;
    ends[block] = end;
    if (++words === BLOCK) close();
  });
  if (words > 0) close();
  const blockAt = (word: number): number => Math.ceil(word / BLOCK);
  return {
    count,
    weightOf: (head, first, end) =>
      weightsBefore[blockAt(end) * heads + head]! - weightsBefore[blockAt(first) * heads + head]!,
    featuresOf: (first, end) => featuresBefore[blockAt(end)]! - featuresBefore[blockAt(first)]!,
    startOf: (first) => starts[blockAt(first)]!,
    endOf: (end) => ends[blockAt(end) - 1]!,
  };
}
