import { LETTER_PAIR_SYMBOLS, symbolOf } from '#core/detect/find/secrets/letter-pairs.ts';
import type { DataFolder } from '../samples/data-folder.ts';
import type { TrainedFile } from '../samples/trained-file.ts';

interface Prompt {
  readonly text: string;
  readonly response?: string;
}

/** Runs that are counted: text that an entropy detector must distinguish from a key. */
const RUN = /[A-Za-z0-9_-]{4,80}/g;
const SMOOTHING = 1;

/**
 * The table of `core/detect/find/secrets/letter-pairs.ts`: how much more likely each pair of symbols is in a random
 * string than in ordinary words, names and identifiers, in bits rounded to halves, with one letter per pair ("m" is 0,
 * "n" half a bit more likely at random).
 */
function letterPairTable(data: DataFolder): string {
  const size = LETTER_PAIR_SYMBOLS;
  const counts = new Float64Array(size * size).fill(SMOOTHING);
  for (const { text, response = '' } of data.cases<Prompt>('benign/prompts.jsonl')) {
    for (const [run] of `${text} ${response}`.matchAll(RUN)) {
      for (let i = 1; i < run.length; i++) {
        counts[symbolOf(run.charCodeAt(i - 1)) * size + symbolOf(run.charCodeAt(i))]!++;
      }
    }
  }
  let table = '';
  for (let a = 0; a < size; a++) {
    const row = counts.subarray(a * size, (a + 1) * size);
    const all = row.reduce((sum, count) => sum + count, 0);
    row.forEach((count, b) => {
      const bits = Math.log2(atRandom(b)) - Math.log2(count / all);
      table += String.fromCharCode(109 + Math.max(-12, Math.min(13, Math.round(bits * 2))));
    });
  }
  return table;
}

/** Frequency of a symbol in base64url: 26 letters of either case, ten digits, two punctuation marks. */
const atRandom = (symbol: number): number => (symbol < 26 ? 2 / 64 : symbol === 26 ? 10 / 64 : 2 / 64);

export const trainLetterPairs = (data: DataFolder): TrainedFile => ({
  file: 'core/detect/find/models/letter-pairs.json',
  content: `${JSON.stringify({ pairs: letterPairTable(data) })}\n`,
});
