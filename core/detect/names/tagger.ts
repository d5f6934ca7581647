import { LABELS, mayFollow, OTHER } from './labels.ts';

/** Weights of a linear chain: one row of labels per feature, and what follows what. */
export interface Weights {
  readonly rows: Int8Array | Float64Array;
  /** `transitions[before * LABELS + label]`. */
  readonly transitions: Int32Array | Float64Array;
}

export const IMPOSSIBLE = -1e9;

/** Sums the weights of a token's features to `scores`, from place `at` on. */
export function addScores(
  rows: Weights['rows'],
  features: Int32Array,
  from: number,
  until: number,
  scores: Float64Array,
  at: number,
): void {
  let [s0, s1, s2, s3, s4, s5, s6] = [0, 0, 0, 0, 0, 0, 0];
  for (let feature = from; feature < until; feature++) {
    const row = features[feature]! * LABELS;
    s0 += rows[row]!;
    s1 += rows[row + 1]!;
    s2 += rows[row + 2]!;
    s3 += rows[row + 3]!;
    s4 += rows[row + 4]!;
    s5 += rows[row + 5]!;
    s6 += rows[row + 6]!;
  }
  scores[at] = s0;
  scores[at + 1] = s1;
  scores[at + 2] = s2;
  scores[at + 3] = s3;
  scores[at + 4] = s4;
  scores[at + 5] = s5;
  scores[at + 6] = s6;
}

/**
 * The best labels of a run of `length` tokens between two that are no part of anything (Viterbi). `scores` holds the
 * tokens' scores, row by row; `allowed`: for each token, bits of the labels that may be taken.
 */
export function bestLabels(
  scores: Float64Array,
  length: number,
  transitions: Weights['transitions'],
  labels: Uint8Array,
  allowed?: Uint8Array,
): void {
  let best = new Float64Array(LABELS).fill(IMPOSSIBLE);
  let next = new Float64Array(LABELS);
  const from = new Uint8Array(length * LABELS);
  best[OTHER] = 0;
  for (let token = 0; token < length; token++) {
    for (let label = 0; label < LABELS; label++) {
      let bestScore = 2 * IMPOSSIBLE;
      let bestBefore = OTHER;
      for (let before = 0; before < LABELS; before++) {
        if (!mayFollow(before, label)) continue;
        const score = best[before]! + transitions[before * LABELS + label]!;
        if (score > bestScore) {
          bestScore = score;
          bestBefore = before;
        }
      }
      const isAllowed = allowed === undefined || ((allowed[token]! >>> label) & 1) === 1;
      next[label] = isAllowed ? bestScore + scores[token * LABELS + label]! : IMPOSSIBLE;
      from[token * LABELS + label] = bestBefore;
    }
    [best, next] = [next, best];
  }
  let label = OTHER;
  let bestScore = 2 * IMPOSSIBLE;
  for (let last = 0; last < LABELS; last++) {
    const score = best[last]! + transitions[last * LABELS + OTHER]!;
    if (score > bestScore) [bestScore, label] = [score, last];
  }
  for (let token = length - 1; token >= 0; token--) {
    labels[token] = label;
    label = from[token * LABELS + label]!;
  }
}
