import { MAX_FEATURES, ROWS } from './features.ts';
import { LABELS, mayFollow, OTHER } from './labels.ts';

/** Array elements per row: one per label, and an unused one that aligns rows to word boundaries. */
const STRIDE = 8;

/** Decoded weights of a linear-chain model. */
export interface Weights {
  readonly rows: Int8Array;
  /** A bit for each row that is not all zero. Most requested rows are all zero, and the bits fit into the CPU cache. */
  readonly isUsed: Uint8Array;
  /** `transitions[before * LABELS + label]`; `IMPOSSIBLE` if the label may not follow. */
  readonly transitions: Float64Array;
}

const IMPOSSIBLE = -1e9;

/** `rows`: consecutive rows of one weight per label. */
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

/** The same weights, with `IMPOSSIBLE` for forbidden transitions. */
export const possibleTransitions = (transitions: ArrayLike<number>): Float64Array =>
  Float64Array.from(transitions, (weight, index) =>
    mayFollow(Math.floor(index / LABELS), index % LABELS) ? weight : IMPOSSIBLE,
  );

/** Used for one token at a time. */
const usedRows = new Int32Array(MAX_FEATURES);

/** Adds the weights of a token's features to `scores`, starting at index `at`. */
export function addScores(
  { rows, isUsed }: Weights,
  features: Int32Array,
  count: number,
  scores: Float64Array,
  at: number,
): void {
  // Branchless, because which features are used is unpredictable, and a misprediction costs more than a store.
  let used = 0;
  for (let feature = 0; feature < count; feature++) {
    const row = features[feature]!;
    usedRows[used] = row;
    used += (isUsed[row >>> 3]! >>> (row & 7)) & 1;
  }
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  for (let feature = 0; feature < used; feature++) {
    const index = usedRows[feature]! * STRIDE;
    s0 = (s0 + rows[index]!) | 0;
    s1 = (s1 + rows[index + 1]!) | 0;
    s2 = (s2 + rows[index + 2]!) | 0;
    s3 = (s3 + rows[index + 3]!) | 0;
    s4 = (s4 + rows[index + 4]!) | 0;
    s5 = (s5 + rows[index + 5]!) | 0;
    s6 = (s6 + rows[index + 6]!) | 0;
  }
  scores[at] = s0;
  scores[at + 1] = s1;
  scores[at + 2] = s2;
  scores[at + 3] = s3;
  scores[at + 4] = s4;
  scores[at + 5] = s5;
  scores[at + 6] = s6;
}

/** The scores of the best paths to each label of each token. */
type Ways = Float64Array;

export const createWays = (mostTokens: number): Ways => new Float64Array((mostTokens + 1) * LABELS);

/**
 * The best labels for a run of `length` tokens between two that belong to nothing (Viterbi). `scores` holds one row per
 * token. `allowed`: a bit set of each token's possible labels.
 */
export function bestLabels(
  scores: Float64Array,
  length: number,
  transitions: Float64Array,
  best: Ways,
  labels: Uint8Array,
  allowed?: Uint8Array,
): void {
  for (let label = 0; label < LABELS; label++) best[label] = label === OTHER ? 0 : IMPOSSIBLE;
  for (let token = 0, at = 0; token < length; token++, at += LABELS) {
    const b0 = best[at]!;
    const b1 = best[at + 1]!;
    const b2 = best[at + 2]!;
    const b3 = best[at + 3]!;
    const b4 = best[at + 4]!;
    const b5 = best[at + 5]!;
    const b6 = best[at + 6]!;
    const bits = allowed === undefined ? ALL_LABELS : allowed[token]!;
    for (let label = 0; label < LABELS; label++) {
      // Stores only the score; the previous label is recovered later, for the best path alone.
      const first = Math.max(b0 + transitions[label]!, b1 + transitions[label + LABELS]!);
      const second = Math.max(b2 + transitions[label + 2 * LABELS]!, b3 + transitions[label + 3 * LABELS]!);
      const third = Math.max(b4 + transitions[label + 4 * LABELS]!, b5 + transitions[label + 5 * LABELS]!);
      const most = Math.max(Math.max(first, second), Math.max(third, b6 + transitions[label + 6 * LABELS]!));
      best[at + LABELS + label] = ((bits >>> label) & 1) === 1 ? most + scores[at + label]! : 2 * IMPOSSIBLE;
    }
  }
  for (let token = length, label = OTHER; token > 0; token--) {
    label = bestBefore(best, token * LABELS, transitions, label);
    labels[token - 1] = label;
  }
}

const ALL_LABELS = 2 ** LABELS - 1;

/** The first label of the token whose scores are at `at` from which the best path leads to `next`. */
function bestBefore(best: Ways, at: number, transitions: Float64Array, next: number): number {
  let label = 0;
  let most = best[at]! + transitions[next]!;
  for (let before = 1; before < LABELS; before++) {
    const score = best[at + before]! + transitions[before * LABELS + next]!;
    if (score > most) {
      most = score;
      label = before;
    }
  }
  return label;
}
