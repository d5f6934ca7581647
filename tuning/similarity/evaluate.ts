import { shapeOf } from '#core/correlate/state/prompt-shapes.ts';
import { bandsOf, digitsOf, similarity } from '#core/similarity/compare.ts';
import { FINGERPRINT_KEY_BYTES, fingerprintOf } from '#core/similarity/fingerprint.ts';
import { type SeededRandom, seededRandom } from '../samples/random.ts';
import { readWritten, WRITTEN } from '../training/text-model/written.ts';

/**
 * Measures how well fingerprints distinguish near-duplicates from unrelated texts, at several thresholds:
 *
 *   npm run -w tuning eval:similarity
 *
 * Unrelated texts are those written for the training of detection, each compared with all others of its file.
 * Near-duplicates are such texts with other names and numbers, in capitals, and with some words replaced, removed or
 * added. Figures are the same in every run.
 */
const SEED = 18;
const KEY = Buffer.alloc(FINGERPRINT_KEY_BYTES, 7);
const THRESHOLDS = [0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6];
const SHARES = [0.05, 0.1, 0.15, 0.2, 0.3];
/** Length in words of the texts that are changed; longer ones are several texts in sequence. */
const SIZES = [
  { words: '8 to 14', texts: 1, from: 8, to: 14 },
  { words: '15 to 24', texts: 1, from: 15, to: 24 },
  { words: '25 to 60', texts: 2, from: 25, to: 60 },
  { words: '100 to 200', texts: 6, from: 100, to: 200 },
];
const COPIES = 1_000;
const NAMES = ['Maria', 'Okafor', 'Chen', 'Dubois', 'Kowalski', 'Priya', 'Lagos', 'Berlin', 'Acme', 'Zenith'];

interface Marked {
  readonly text: string;
  readonly fingerprint: string;
  readonly keys: ReadonlySet<number>;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;
const wordsOf = (text: string): string[] => text.split(/\s+/);

function marked(text: string): Marked[] {
  const fingerprint = fingerprintOf(KEY, text);
  return fingerprint === null ? [] : [{ text, fingerprint, keys: new Set(bandsOf(digitsOf(fingerprint))) }];
}

/** Whether RECURRING treats both prompts as the same. */
const haveOneShape = (one: Marked, other: Marked): boolean =>
  shapeOf(one.fingerprint) === shapeOf(other.fingerprint);
const shareKey = (one: Marked, other: Marked): boolean => [...one.keys].some((key) => other.keys.has(key));

function unrelated(file: string, texts: readonly Marked[]): void {
  let [pairs, candidates, shapes] = [0, 0, 0];
  const above = THRESHOLDS.map(() => 0);
  for (const [index, one] of texts.entries())
    for (const other of texts.slice(0, index)) {
      pairs += 1;
      if (shareKey(one, other)) candidates += 1;
      if (haveOneShape(one, other)) shapes += 1;
      const alike = similarity(one.fingerprint, other.fingerprint);
      for (const [at, threshold] of THRESHOLDS.entries()) if (alike >= threshold) above[at]! += 1;
    }
  print(
    `| ${file} | ${texts.length} | ${pairs} | ${above.join(' | ')} | ${percent(candidates, pairs)} | ${percent(shapes, pairs)} |`,
  );
}

/** The text in capitals with other numbers, and with a share of its words replaced, removed or followed by a name. */
function nearDuplicate(text: string, share: number, words: readonly string[], random: SeededRandom): string {
  const changed = wordsOf(text).map((word) => {
    if (/\d/.test(word)) return String(random.below(1_000_000));
    if (random.next() >= share) return word;
    const way = random.below(5);
    if (way === 0) return '';
    return way === 1 ? `${word} ${random.pick(NAMES)}` : random.pick(words);
  });
  return changed.join('  ').toUpperCase();
}

function nearDuplicates(all: readonly string[], random: SeededRandom): void {
  const words = [...new Set(all.flatMap((text) => text.toLowerCase().match(/[a-z]{4,12}/g) ?? []))];
  for (const { words: size, texts, from, to } of SIZES)
    for (const share of SHARES) {
      let [made, candidates, shapes] = [0, 0, 0];
      const found = THRESHOLDS.map(() => 0);
      while (made < COPIES) {
        const text = Array.from({ length: texts }, () => random.pick(all)).join(' ');
        const { length } = wordsOf(text);
        const [one] = length >= from && length <= to ? marked(text) : [];
        if (one === undefined) continue;
        made += 1;
        const [other] = marked(nearDuplicate(text, share, words, random));
        if (other === undefined) continue;
        if (shareKey(one, other)) candidates += 1;
        if (haveOneShape(one, other)) shapes += 1;
        const alike = similarity(one.fingerprint, other.fingerprint);
        for (const [at, threshold] of THRESHOLDS.entries()) if (alike >= threshold) found[at]! += 1;
      }
      const rates = found.map((count) => percent(count, made));
      print(
        `| ${size} | ${percent(share, 1)} | ${rates.join(' | ')} | ${percent(candidates, made)} | ${percent(shapes, made)} |`,
      );
    }
}

const files = WRITTEN.map(({ file }) => ({ file, texts: readWritten(file) }));
const thresholds = THRESHOLDS.map((threshold) => `>= ${threshold}`).join(' | ');

print(`| unrelated texts | texts | pairs | ${thresholds} | share a key | same shape |`);
for (const { file, texts } of files) unrelated(file, texts.flatMap(marked));

print(`\n| words | changed | ${thresholds} | share a key | same shape |`);
nearDuplicates(
  files.flatMap(({ texts }) => texts),
  seededRandom(SEED),
);
