import {
  CANDIDATE_ROWS,
  CANDIDATE_STEPS,
  featuresOfCandidate,
  forEachCandidate,
  isHan,
  MAX_CANDIDATE_FEATURES,
} from '#core/detect/find/names/east-asian/candidates.ts';
import { isEastAsian } from '#core/detect/find/names/east-asian/find.ts';
import {
  CHINESE_SURNAMES,
  JAPANESE_SURNAMES,
  KOREAN_SURNAMES,
} from '#core/detect/find/names/east-asian/surnames.ts';
import type { DataFolder } from '../../../samples/data-folder.ts';
import { type SeededRandom, seededRandom } from '../../../samples/random.ts';
import { LAYOUTS_OF_EAST_ASIA } from '../layouts/layouts.ts';
import { namesOf } from './lists-by-language.ts';
import { simplified } from './simplified.ts';
import { createWriter, type TaggedText } from './tagged-text.ts';
import { type Sentence, sentencesOf } from './treebanks.ts';

type Language = keyof typeof LAYOUTS_OF_EAST_ASIA;

interface Names {
  readonly full: () => string;
  readonly surname: () => string;
  readonly given: () => string;
  readonly isSurname: (text: string) => boolean;
}

const FREQUENT_CHINESE = [
  ...'王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕張劉陳楊趙黃吳孫馬羅鄭謝韓馮許',
];
const FREQUENT_KOREAN = [...'김이박최정강조윤장임한오서신권황안송류홍'];

function namesIn(data: DataFolder, language: Language, { pick, below }: SeededRandom): Names {
  const isScript = (name: string): boolean => [...name].every((sign) => isEastAsian(sign.charCodeAt(0)));
  const given = namesOf(data, language, 'given').filter(isScript);
  const listed = namesOf(data, language, 'surname').filter(isScript);
  if (language === 'ja') {
    const known = [...JAPANESE_SURNAMES];
    const surnames = listed.filter((name) => isHan(name.charCodeAt(0)));
    const surname = (): string => (below(100) < 50 ? pick(known) : pick(surnames));
    const inHan = given.filter((name) => isHan(name.charCodeAt(0)));
    const inKana = given.filter((name) => isHiragana(name.charCodeAt(0)));
    const name = (): string => (below(100) < 30 ? pick(inKana) : pick(inHan));
    return {
      surname,
      given: () => pick(inHan),
      full: () => surname() + name(),
      isSurname: (text) => JAPANESE_SURNAMES.has(text.slice(0, 2)) || JAPANESE_SURNAMES.has(text.slice(0, 3)),
    };
  }
  const signs = [...new Set(given.flatMap((name) => [...name]))];
  const frequent = language === 'zh' ? FREQUENT_CHINESE : FREQUENT_KOREAN;
  const known = language === 'zh' ? CHINESE_SURNAMES : KOREAN_SURNAMES;
  const usable = listed.filter((name) => known.has(name));
  const surname = (): string => (below(100) < 70 ? pick(frequent) : pick(usable));
  const name = (): string => {
    const kind = below(100);
    if (language === 'zh' && kind < 25) return pick(signs);
    return kind < 60 ? pick(given) : pick(signs) + pick(signs);
  };
  return {
    surname,
    given: name,
    full: () => surname() + name(),
    isSurname: (text) => known.has(text.charAt(0)),
  };
}

const isHiragana = (unit: number): boolean => unit >= 0x3041 && unit <= 0x309f;

const SLOT = /\{([PLF])\}/;

function filled(layout: string, names: Names): TaggedText {
  const writer = createWriter();
  let rest = layout;
  for (let match = SLOT.exec(rest); match !== null; match = SLOT.exec(rest)) {
    writer.add(rest.slice(0, match.index));
    const value = match[1] === 'P' ? names.full() : match[1] === 'L' ? names.surname() : names.given();
    writer.add(value, 'PERSON');
    rest = rest.slice(match.index + match[0].length);
  }
  writer.add(rest);
  return writer.finish();
}

const [SHORTEST, LONGEST] = [2, 5];

/** Replaces half of the proper nouns that start like a name with another name; all others are unknown. */
function withNames({ text, spans = [] }: Sentence, names: Names, { below }: SeededRandom): TaggedText {
  const writer = createWriter();
  let from = 0;
  for (const { start, end } of spans) {
    if (start < from) continue;
    writer.add(text.slice(from, start));
    const value = text.slice(start, end);
    const maySo = value.length >= SHORTEST && value.length <= LONGEST && names.isSurname(value);
    if (maySo && below(2) === 0) writer.add(names.full(), 'PERSON');
    else writer.add(value, 'UNKNOWN');
    from = end;
  }
  writer.add(text.slice(from));
  return writer.finish();
}

/** A sentence whose persons are labelled; its other proper nouns are known not to be persons. */
const labelled = ({ text, entities = [] }: Sentence): TaggedText => ({
  text,
  isWeak: true,
  spans: entities.flatMap(({ type, start, end }) =>
    type === 'PERSON' ? [{ type: 'PERSON' as const, start, end }] : [],
  ),
});

/**
 * Sequences of common words, in proportion to their frequency, with names in between: a name may start where a word
 * ends.
 */
function rowsOfWords(
  data: DataFolder,
  names: Names,
  random: SeededRandom,
  count: number,
): readonly TaggedText[] {
  const words = data
    .rows('pii/common-words-zh.txt')
    .map(([line = '']) => line.split(' '))
    .filter(([word = '']) => word.length < 3 || !CHINESE_SURNAMES.has(word.charAt(0)))
    .map(([word = '', number = '0']) => ({ word, weight: Math.sqrt(Number(number)) }));
  const ends: number[] = [];
  let all = 0;
  for (const { weight } of words) {
    all += weight;
    ends.push(all);
  }
  const any = (): string => {
    const at = random.below(Math.floor(all));
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return words[low]!.word;
  };
  return Array.from({ length: count }, () => {
    const writer = createWriter();
    const nameAt = random.below(10);
    for (let at = 0; at < 8; at++) {
      if (at === nameAt) writer.add(names.full(), 'PERSON');
      writer.add(any());
    }
    return writer.finish();
  });
}

const TIMES = 80;
const ROWS_OF_WORDS = 6_000;

function textsOf(data: DataFolder, language: Language, random: SeededRandom): readonly TaggedText[] {
  const names = namesIn(data, language, random);
  const sentences = sentencesOf(data, language);
  const texts = sentences.flatMap((sentence) => {
    if (sentence.entities !== undefined) return [labelled(sentence)];
    const isPlain = sentence.spans?.length === 0;
    const times = isPlain ? 1 : 2;
    return Array.from({ length: times }, () => withNames(sentence, names, random));
  });
  const own = Array.from({ length: TIMES }, () =>
    LAYOUTS_OF_EAST_ASIA[language].map((layout) => filled(layout, names)),
  ).flat();
  if (language !== 'zh') return [...texts, ...own];
  const both = [...texts, ...texts.map((one) => ({ ...one, text: simplified(one.text) }))];
  return [...both, ...own, ...rowsOfWords(data, names, random, ROWS_OF_WORDS)];
}

interface Example {
  readonly rows: Int32Array;
  readonly isName: boolean;
}

const rows = new Int32Array(MAX_CANDIDATE_FEATURES);
const WORDS = /[\u3005\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]+/g;

/** The candidates of a text, without those that touch an unknown span. */
function examplesOf({ text, spans }: TaggedText, isJapanese: boolean): readonly Example[] {
  const examples: Example[] = [];
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    forEachCandidate(text, index, index + word.length, isJapanese, (one) => {
      const touched = spans.filter(({ start, end }) => start < one.end && end > one.start);
      if (touched.some(({ type }) => type === 'UNKNOWN')) return;
      const isName = touched.some(({ start, end }) => start === one.start && end === one.end);
      examples.push({ rows: rows.slice(0, featuresOfCandidate(text, one, rows)), isName });
    });
  }
  return examples;
}

const [PASSES, RATE, SHRINKAGE] = [10, 0.08, 1e-5];

/** Weights for names in Chinese, Japanese and Korean, from a logistic regression. */
export function eastAsianWeights(data: DataFolder): Int8Array {
  const random = seededRandom(11);
  const examples = (['zh', 'ja', 'ko'] as const).flatMap((language) =>
    textsOf(data, language, random).flatMap((one) => examplesOf(one, language === 'ja')),
  );
  const weights = new Float64Array(CANDIDATE_ROWS);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let last = examples.length - 1; last > 0; last--) {
      const other = random.below(last + 1);
      [examples[last], examples[other]] = [examples[other]!, examples[last]!];
    }
    const rate = RATE / (1 + pass / 2);
    for (const { rows: own, isName } of examples) {
      let sum = 0;
      for (const row of own) sum += weights[row]!;
      const step = rate * ((isName ? 1 : 0) - 1 / (1 + Math.exp(-sum)));
      for (const row of own) weights[row]! += step - SHRINKAGE * weights[row]!;
    }
  }
  return Int8Array.from(weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight * CANDIDATE_STEPS))),
  );
}
