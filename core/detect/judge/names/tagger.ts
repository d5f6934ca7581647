import { ROWS } from './features.ts';
import { LABELS, mayFollow, OTHER } from './labels.ts';

/** Array elements per row: one for each label and an unused one, so that rows begin at word boundaries. */
const STRIDE = 8;

/** Weights of a linear-chain model, ready for use. */
export interface Weights {
  readonly rows: Int8Array;
  /** A bit for each row that is not all zero: most requested rows are, and the bits fit into the processor's cache. */
  readonly isUsed: Uint8Array;
  /** `transitions[before * LABELS + label]`; `IMPOSSIBLE` where a label may not follow. */
  readonly transitions: Float64Array;
}

const IMPOSSIBLE = -1e9;

/** `rows`: consecutive, one weight per label. */
export function createWeights(rows: Int8Array, transitions: ArrayLike<number>): Weights {
  const spread = new Int8Array(ROWS * STRIDE);
  const isUsed = new Uint8Array(ROWS / 8);
  for (let row = 0; row < ROWS; row++) {
    for (let label = 0; label < LABELS; label++) {
      const weight = rows[row * LABELS + label]!;
      if (weight === 0) continue;
      spread[row * STRIDE + label] = weight;
      isUsed[row >>> 3]! |= 1 << (row & 7);
    }
  }
  return { rows: spread, isUsed, transitions: possibleTransitions(transitions) };
}

/** The same weights, with forbidden transitions ruled out. */
export const possibleTransitions = (transitions: ArrayLike<number>): Float64Array =>
  Float64Array.from(transitions, (weight, index) =>
    mayFollow(Math.floor(index / LABELS), index % LABELS) ? weight : IMPOSSIBLE,
  );

/** Adds the weights of a token's features to `scores`, from index `at` on. */
export function addScores(
  { rows, isUsed }: Weights,
  features: Int32Array,
  count: number,
  scores: Float64Array,
  at: number,
): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  for (let feature = 0; feature < count; feature++) {
    const row = features[feature]!;
    if (((isUsed[row >>> 3]! >>> (row & 7)) & 1) === 0) continue;
    const place = row * STRIDE;
    s0 += rows[place]!;
    s1 += rows[place + 1]!;
    s2 += rows[place + 2]!;
    s3 += rows[place + 3]!;
    s4 += rows[place + 4]!;
    s5 += rows[place + 5]!;
    s6 += rows[place + 6]!;
  }
  scores[at] = s0;
  scores[at + 1] = s1;
  scores[at + 2] = s2;
  scores[at + 3] = s3;
  scores[at + 4] = s4;
  scores[at + 5] = s5;
  scores[at + 6] = s6;
}

/** Buffers for the best paths to each label of each token. */
interface Ways {
  readonly before: Uint8Array;
  readonly scores: Float64Array;
}

export const createWays = (mostTokens: number): Ways => ({
  before: new Uint8Array(mostTokens * LABELS),
  scores: new Float64Array((mostTokens + 1) * LABELS),
});

/**
 * The best labels of a run of `length` tokens between two that are not part of anything (Viterbi). `scores` holds the
 * tokens' scores, row by row; `allowed`: for each token, bits of its possible labels.
 */
export function bestLabels(
  scores: Float64Array,
  length: number,
  transitions: Float64Array,
  ways: Ways,
  labels: Uint8Array,
  allowed?: Uint8Array,
): void {
  const best = ways.scores;
  for (let label = 0; label < LABELS; label++) best[label] = label === OTHER ? 0 : IMPOSSIBLE;
  for (let token = 0, at = 0; token < length; token++, at += LABELS) {
    for (let label = 0; label < LABELS; label++) {
      let bestScore = best[at]! + transitions[label]!;
      let bestBefore = 0;
      for (let before = 1; before < LABELS; before++) {
        const score = best[at + before]! + transitions[before * LABELS + label]!;
        if (score > bestScore) {
          bestScore = score;
          bestBefore = before;
        }
      }
      const isAllowed = allowed === undefined || ((allowed[token]! >>> label) & 1) === 1;
      best[at + LABELS + label] = isAllowed ? bestScore + scores[at + label]! : 2 * IMPOSSIBLE;
      ways.before[at + label] = bestBefore;
    }
  }
  let label = OTHER;
  let bestScore = -Infinity;
  for (let last = 0; last < LABELS; last++) {
    const score = best[length * LABELS + last]! + transitions[last * LABELS + OTHER]!;
    if (score > bestScore) {
      bestScore = score;
      label = last;
    }
  }
  for (let token = length - 1; token >= 0; token--) {
    labels[token] = label;
    label = ways.before[token * LABELS + label]!;
  }
}
