import { foldedUnit, hashOf } from '../words/letters.ts';

/** Number of weights, which runs of letters share by hash. */
export const LETTER_ROWS = 2 ** 16;

/** Weights of runs of letters: how much more frequent they are in names than in other words. */
export type LetterWeights = Int8Array;

const [SHORTEST, LONGEST] = [3, 5];
const MAX_LETTERS = 24;
/** Maximum number of runs in one word, including the word itself. */
export const MAX_RUNS = (LONGEST - SHORTEST + 1) * (MAX_LETTERS + 2) + 1;
const BORDER = 1;

const units = new Uint16Array(MAX_LETTERS + 2);

/** Writes the rows of a word's runs of letters; returns their number. */
export function rowsOfLetters(text: string, start: number, end: number, rows: Int32Array): number {
  let length = 0;
  units[length++] = BORDER;
  for (let at = start; at < end && length <= MAX_LETTERS; at++) {
    const unit = foldedUnit(text.charCodeAt(at));
    if (unit !== 0) units[length++] = unit;
  }
  units[length++] = BORDER;
  let count = 0;
  rows[count++] = hashOf(text, start, end) & (LETTER_ROWS - 1);
  for (let from = 0; from < length; from++) {
    let hash = 0x1b873593;
    for (let at = from; at < length && at < from + LONGEST; at++) {
      hash = Math.imul(hash ^ units[at]!, 0x01000193);
      if (at - from + 1 < SHORTEST) continue;
      const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
      rows[count++] = (mixed ^ (mixed >>> 13)) & (LETTER_ROWS - 1);
    }
  }
  return count;
}

/** Quantisation steps of a weight per unit of the logistic model. */
export const LETTER_STEPS = 24;
/** How name-like a word is, from 1 to `MAX_LIKE_A_NAME`; 0 if it was not computed. */
export const MAX_LIKE_A_NAME = 9;
const UNDECIDED = 5;

const rows = new Int32Array(MAX_RUNS);

export function likenessOf(text: string, start: number, end: number, weights: LetterWeights): number {
  const count = rowsOfLetters(text, start, end, rows);
  let sum = 0;
  for (let at = 0; at < count; at++) sum += weights[rows[at]!]!;
  const level = UNDECIDED + Math.round(sum / LETTER_STEPS);
  return Math.max(1, Math.min(MAX_LIKE_A_NAME, level));
}
