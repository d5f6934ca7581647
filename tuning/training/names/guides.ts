import { encodeFrequentWords, LANGUAGES } from '#core/detect/find/names/guides/languages.ts';
import {
  LETTER_ROWS,
  LETTER_STEPS,
  MAX_RUNS,
  rowsOfLetters,
} from '#core/detect/find/names/guides/letters-of-names.ts';
import { hashOfWord } from '#core/detect/find/names/words/letters.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import { seededRandom } from '../../samples/random.ts';
import type { NameLists } from './languages/lists.ts';
import { namesOf } from './languages/lists-by-language.ts';
import { sentencesOf } from './languages/treebanks.ts';

/**
 * The number of words considered per language. A word counts for a language if its frequency there is at least this
 * share of its highest frequency.
 */
const [FREQUENT, SHARE] = [150, 0.2];
const WORD = /(?<![\p{L}\p{N}])\p{Ll}{1,20}(?![\p{L}\p{N}])/gu;

/** The frequent words of the training sentences, with the languages in which they are frequent. */
export function frequentWords(data: DataFolder): Uint8Array {
  const shares = new Map<number, Map<number, number>>();
  LANGUAGES.forEach((language, number) => {
    if (language === '') return;
    const counts = new Map<string, number>();
    let all = 0;
    for (const { text } of sentencesOf(data, language)) {
      for (const [word] of text.toLowerCase().matchAll(WORD)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        all++;
      }
    }
    const most = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, FREQUENT);
    for (const [word, count] of most) {
      const hash = hashOfWord(word);
      const byLanguage = shares.get(hash) ?? new Map<number, number>();
      byLanguage.set(number, count / all);
      shares.set(hash, byLanguage);
    }
  });
  return encodeFrequentWords(
    new Map(
      [...shares].map(([hash, byLanguage]) => {
        const most = Math.max(...byLanguage.values());
        const bits = [...byLanguage].reduce(
          (sum, [number, share]) => (share >= SHARE * most ? sum | (1 << number) : sum),
          0,
        );
        return [hash, bits] as const;
      }),
    ),
  );
}

interface Word {
  readonly rows: Int32Array;
  readonly isName: boolean;
  readonly weight: number;
}

const rows = new Int32Array(MAX_RUNS);
const wordOf = (word: string, isName: boolean, weight: number): Word => {
  const count = rowsOfLetters(word, 0, word.length, rows);
  return { rows: rows.slice(0, count), isName, weight };
};

/** Languages with lists of names in an alphabetic script, and with counts of common words. */
const NAMED = 'cs da de en es fi fr hu id it nl no pl pt ro ru sv tr uk vi'.split(' ');
const [PASSES, RATE, SHRINKAGE] = [6, 0.08, 2e-5];
/**
 * More common words of a language are not names, whatever a list says; for "Will", "Rose" and "Weiß" this is left open.
 */
const ORDINARY = 400;

/**
 * Names as one class, common words as the other: no word of either is stored, only weights of hashed runs of letters.
 */
function wordsToLearn(data: DataFolder, lists: NameLists): Word[] {
  const names = new Set<string>();
  const add = (name: string): void => {
    for (const part of name.toLowerCase().split(/[\s.]+/)) if (part.length > 1) names.add(part);
  };
  for (const name of [...lists.given, ...lists.surnames]) add(name);
  for (const language of NAMED) {
    for (const kind of ['given', 'surname'] as const)
      for (const name of namesOf(data, language, kind)) add(name);
  }
  const common = new Map<string, number>();
  const ordinary = new Set<string>();
  for (const language of NAMED) {
    data.rows(`pii/common-words-${language}.txt`).forEach(([line = ''], rank) => {
      const [word = '', count = '0'] = line.split(' ');
      if (rank < ORDINARY) ordinary.add(word);
      if (word.length < 2 || (names.has(word) && rank >= ORDINARY)) return;
      common.set(word, Math.max(common.get(word) ?? 0, Math.log10(1 + Number(count))));
    });
  }
  for (const [name] of data.rows('products/famous.txt')) {
    for (const part of name!.toLowerCase().split(/[^\p{L}]+/u)) {
      if (part.length > 2 && !names.has(part) && !common.has(part)) common.set(part, 1);
    }
  }
  return [
    ...[...names].filter((name) => !ordinary.has(name)).map((name) => wordOf(name, true, 2)),
    ...[...common].map(([word, weight]) => wordOf(word, false, 0.3 + 0.25 * weight)),
  ];
}

/** Weights of runs of letters, from a logistic regression. */
export function letterWeights(data: DataFolder, lists: NameLists): Int8Array {
  const words = wordsToLearn(data, lists);
  const weights = new Float64Array(LETTER_ROWS);
  const { below } = seededRandom(7);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let last = words.length - 1; last > 0; last--) {
      const other = below(last + 1);
      [words[last], words[other]] = [words[other]!, words[last]!];
    }
    const rate = RATE / (1 + pass);
    for (const word of words) learnWord(weights, word, rate);
  }
  return Int8Array.from(weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight * LETTER_STEPS))),
  );
}

function learnWord(weights: Float64Array, { rows: own, isName, weight }: Word, rate: number): void {
  let sum = 0;
  for (const row of own) sum += weights[row]!;
  const share = 1 / (1 + Math.exp(-sum));
  const step = rate * weight * ((isName ? 1 : 0) - share);
  for (const row of own) weights[row]! += step - SHRINKAGE * weights[row]!;
}
