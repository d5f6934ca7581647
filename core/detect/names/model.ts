import { type Lexicon, decodeLexicon } from './lexicon.ts';
import { LABELS } from './labels.ts';
import { ROWS } from './features.ts';
import type { Weights } from './tagger.ts';

/** Everything that was learned. */
export interface NameModel {
  readonly lexicon: Lexicon;
  readonly weights: Weights;
}

const TRANSITION_BYTES = LABELS * LABELS * 2;
const ROW_BYTES = ROWS * LABELS;

/** Transitions (16 bits each), rows of weights (8 bits each), then the lexicon. */
export function encodeModel(transitions: Int32Array, rows: Int8Array, lexicon: Uint8Array): string {
  const bytes = Buffer.alloc(TRANSITION_BYTES + ROW_BYTES + lexicon.length);
  transitions.forEach((weight, index) => bytes.writeInt16LE(weight, index * 2));
  bytes.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.length), TRANSITION_BYTES);
  bytes.set(lexicon, TRANSITION_BYTES + ROW_BYTES);
  return bytes.toString('base64');
}

export function decodeModel(base64: string): NameModel {
  const bytes = Buffer.from(base64, 'base64');
  const transitions = Int32Array.from({ length: LABELS * LABELS }, (_none, index) => bytes.readInt16LE(index * 2));
  const rows = new Int8Array(ROW_BYTES);
  rows.set(new Int8Array(bytes.buffer, bytes.byteOffset + TRANSITION_BYTES, ROW_BYTES));
  return { lexicon: decodeLexicon(bytes.subarray(TRANSITION_BYTES + ROW_BYTES)), weights: { rows, transitions } };
}
