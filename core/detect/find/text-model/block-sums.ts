import { visitWords } from './features.ts';
import type { HeadTable } from './head-tables.ts';
import { BLOCK } from './windows.ts';

/**
 * The sums that windows are scored with, kept per block of words rather than per word: a text of megabytes has a
 * million words, and windows start and end only between blocks.
 */
interface BlockSums {
  /** Words of the text. */
  readonly count: number;
  /** For the words from `first` to `end`, which must be window borders. */
  weightOf(head: number, first: number, end: number): number;
  featuresOf(first: number, end: number): number;
  /** Start of a window's first word, and end of the last word before its end, in UTF-16 code units. */
  startOf(first: number): number;
  endOf(end: number): number;
}

/** Buffers for the sums of a text. */
interface SumRoom {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly featuresBefore: Float64Array;
  readonly weightsBefore: Float64Array;
  readonly sums: Float64Array;
}

const createRoom = (blocks: number, heads: number): SumRoom => ({
  starts: new Uint32Array(blocks),
  ends: new Uint32Array(blocks),
  featuresBefore: new Float64Array(blocks),
  weightsBefore: new Float64Array(blocks * heads),
  sums: new Float64Array(heads),
});

/** Maximum code units of a text that needs no buffers of its own; most texts are shorter. */
const USUAL = 8_192;
const blocksIn = (length: number): number => Math.ceil(length / BLOCK) + 1;

/** Sums the weights of some heads over texts. A text's sums are valid until the next text is summed. */
export function createBlockSums(table: HeadTable): (text: string) => BlockSums {
  const usual = createRoom(blocksIn(USUAL), table.heads);
  return (text) =>
    sumsIn(text, table, text.length > USUAL ? createRoom(blocksIn(text.length), table.heads) : usual);
}

/** All summands are integers, so sums are exact in any order. Before the first block, all are 0. */
function sumsIn(text: string, { heads, add }: HeadTable, room: SumRoom): BlockSums {
  const { starts, ends, featuresBefore, weightsBefore, sums } = room;
  sums.fill(0);
  let [block, words, features] = [0, 0, 0];
  const close = (): void => {
    block++;
    featuresBefore[block] = features;
    for (let head = 0; head < heads; head++) weightsBefore[block * heads + head] = sums[head]!;
    words = 0;
  };
  const count = visitWords(text, (start, end, buckets, length) => {
    if (words === 0) starts[block] = start;
    add(buckets, length, sums);
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
