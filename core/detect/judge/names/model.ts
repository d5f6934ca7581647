import { ROWS } from './features.ts';
import { LABELS } from './labels.ts';
import { decodeLexicon, type Lexicon } from './lexicon.ts';
import { createWeights, type Weights } from './tagger.ts';

/** Everything that was trained. */
export interface NameModel {
  readonly lexicon: Lexicon;
  readonly weights: Weights;
}

const TRANSITION_BYTES = LABELS * LABELS * 2;
const COUNT_BYTES = 4;

/**
 * Transitions (16 bits each), the length of the encoded rows, then for each non-zero row its distance from the previous
 * one (seven bits a byte), a bit for each non-zero weight, and those weights; then the lexicon.
 */
export function encodeModel(transitions: Int32Array, rows: Int8Array, lexicon: Uint8Array): string {
  const packed: number[] = [];
  for (let row = 0, before = 0; row < ROWS; row++) {
    const weights = rows.subarray(row * LABELS, (row + 1) * LABELS);
    const mask = weights.reduce((bits, weight, label) => bits | (weight === 0 ? 0 : 1 << label), 0);
    if (mask === 0) continue;
    let distance = row - before;
    for (; distance > 127; distance >>>= 7) packed.push((distance & 127) | 128);
    packed.push(distance, mask, ...weights.filter((weight) => weight !== 0));
    before = row;
  }
  const bytes = Buffer.alloc(TRANSITION_BYTES + COUNT_BYTES + packed.length + lexicon.length);
  transitions.forEach((weight, index) => {
    bytes.writeInt16LE(weight, index * 2);
  });
  bytes.writeUInt32LE(packed.length, TRANSITION_BYTES);
  bytes.set(packed, TRANSITION_BYTES + COUNT_BYTES);
  bytes.set(lexicon, TRANSITION_BYTES + COUNT_BYTES + packed.length);
  return bytes.toString('base64');
}

function unpackRows(bytes: Uint8Array): Int8Array {
  const rows = new Int8Array(ROWS * LABELS);
  for (let at = 0, row = 0; at < bytes.length; ) {
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      row += (byte & 127) << shift;
      if (byte < 128) break;
    }
    const mask = bytes[at++]!;
    for (let label = 0; label < LABELS; label++) {
      if (((mask >>> label) & 1) === 1) rows[row * LABELS + label] = bytes[at++]!;
    }
  }
  return rows;
}

export function decodeModel(base64: string): NameModel {
  const bytes = Buffer.from(base64, 'base64');
  const transitions = Int32Array.from({ length: LABELS * LABELS }, (_none, index) =>
    bytes.readInt16LE(index * 2),
  );
  const rowsStart = TRANSITION_BYTES + COUNT_BYTES;
  const rowsEnd = rowsStart + bytes.readUInt32LE(TRANSITION_BYTES);
  return {
    lexicon: decodeLexicon(bytes.subarray(rowsEnd)),
    weights: createWeights(unpackRows(bytes.subarray(rowsStart, rowsEnd)), transitions),
  };
}
