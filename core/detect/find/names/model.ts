import { CANDIDATE_ROWS } from './east-asian/candidates.ts';
import { ROWS } from './features.ts';
import { decodeFrequentWords, type FrequentWords } from './guides/languages.ts';
import { LETTER_ROWS, type LetterWeights } from './guides/letters-of-names.ts';
import { LABELS } from './labels.ts';
import { createWeights, type Weights } from './tagger.ts';
import { decodeLexicon, type Lexicon } from './words/lexicon.ts';

/** Everything trained. */
export interface NameModel {
  readonly lexicon: Lexicon;
  readonly languages: FrequentWords;
  readonly letters: LetterWeights;
  /** Weights of names in Chinese, Japanese and Korean. */
  readonly eastAsian: Int8Array;
  readonly weights: Weights;
}

const TRANSITION_BYTES = LABELS * LABELS * 2;
const COUNT_BYTES = 4;
const HEAD_BYTES = TRANSITION_BYTES + 2 * COUNT_BYTES;

/** The encoded model, except the tagger's weights. */
export interface EncodedGuides {
  readonly lexicon: Uint8Array;
  readonly languages: Uint8Array;
  readonly letters: LetterWeights;
  readonly eastAsian: Int8Array;
}

/**
 * Encodes the transitions (16 bits each) and the lengths of the encoded rows and of the words by language. Then come,
 * for each non-zero row, its distance from the previous one (seven bits per byte), a bit for each non-zero weight, and
 * those weights. The words by language, the weights of runs of letters and of East Asian names, and the lexicon follow.
 */
export function encodeModel(
  transitions: Int32Array,
  rows: Int8Array,
  { lexicon, languages, letters, eastAsian }: EncodedGuides,
): string {
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
  const head = Buffer.alloc(HEAD_BYTES);
  transitions.forEach((weight, index) => {
    head.writeInt16LE(weight, index * 2);
  });
  head.writeUInt32LE(packed.length, TRANSITION_BYTES);
  head.writeUInt32LE(languages.length, TRANSITION_BYTES + COUNT_BYTES);
  const parts = [
    head,
    Uint8Array.from(packed),
    languages,
    Uint8Array.from(letters),
    Uint8Array.from(eastAsian),
    lexicon,
  ];
  return Buffer.concat(parts).toString('base64');
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
  const rowsEnd = HEAD_BYTES + bytes.readUInt32LE(TRANSITION_BYTES);
  const languagesEnd = rowsEnd + bytes.readUInt32LE(TRANSITION_BYTES + COUNT_BYTES);
  const lettersEnd = languagesEnd + LETTER_ROWS;
  const eastAsianEnd = lettersEnd + CANDIDATE_ROWS;
  return {
    lexicon: decodeLexicon(bytes.subarray(eastAsianEnd)),
    eastAsian: Int8Array.from(bytes.subarray(lettersEnd, eastAsianEnd)),
    languages: decodeFrequentWords(bytes.subarray(rowsEnd, languagesEnd)),
    letters: Int8Array.from(bytes.subarray(languagesEnd, lettersEnd)),
    weights: createWeights(unpackRows(bytes.subarray(HEAD_BYTES, rowsEnd)), transitions),
  };
}
