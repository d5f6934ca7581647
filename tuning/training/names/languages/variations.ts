import type { DataFolder } from '../../../samples/data-folder.ts';
import type { SeededRandom } from '../../../samples/random.ts';
import { namesOf } from './lists-by-language.ts';
import { capitalised } from './made-up-names.ts';
import type { TaggedText } from './tagged-text.ts';

/** Half of the words come from the most frequent ones. */
const MAX_FREQUENT = 3_000;

/** Common words of a language that are not names, most frequent first. They are used for training and not stored. */
export function ordinaryWordsOf(data: DataFolder, language: string): readonly string[] {
  const names = new Set(
    (['given', 'surname'] as const).flatMap((kind) =>
      namesOf(data, language, kind).map((name) => name.toLowerCase()),
    ),
  );
  return data
    .rows(`pii/common-words-${language}.txt`)
    .map(([line = '']) => line.split(' ')[0]!)
    .filter((word) => word.length > 1 && /^\p{L}+$/u.test(word) && !names.has(word));
}

const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+(?![\p{L}\p{N}])/gu;

/** The text with other words in place of capitalised words outside all spans, at its start and elsewhere. */
function withOtherWords(one: TaggedText, words: readonly string[], { below }: SeededRandom): TaggedText {
  const word = (): string =>
    capitalised(words[below(below(2) === 0 ? MAX_FREQUENT : words.length) % words.length]!);
  let text = '';
  let from = 0;
  const moved: { readonly at: number; readonly by: number }[] = [];
  for (const { 0: found, index } of one.text.matchAll(CAPITALISED)) {
    const end = index + found.length;
    if (one.spans.some((span) => span.start < end && span.end > index)) continue;
    text += one.text.slice(from, index) + word();
    from = end;
    moved.push({ at: end, by: text.length - end });
  }
  text += one.text.slice(from);
  const shifted = (at: number): number => at + (moved.findLast((move) => move.at <= at)?.by ?? 0);
  return {
    ...one,
    text,
    spans: one.spans.map(({ type, start, end }) => ({ type, start: shifted(start), end: shifted(end) })),
  };
}

const SMALL = /(?<=[\p{L},] )\p{Ll}{4,}(?![\p{L}\p{N}])/gu;
/** Percentage of lower-case words that are capitalised in such a sentence; in a heading nearly all. */
const [RAISED, RAISED_IN_HEADING] = [12, 90];
const HEADINGS = 25;

/** Capitalised words that are not names, as in "the Government" and in headlines. */
function withCapitals(one: TaggedText, { below }: SeededRandom): TaggedText {
  const share = below(100) < HEADINGS ? RAISED_IN_HEADING : RAISED;
  const text = one.text.replace(SMALL, (word, index: number) => {
    const isOpen = !one.spans.some(({ start, end }) => start < index + word.length && end > index);
    const raised = capitalised(word);
    return isOpen && below(100) < share && raised.length === word.length ? raised : word;
  });
  return { ...one, text };
}

function inCase(one: TaggedText, change: (text: string) => string): readonly TaggedText[] {
  const text = change(one.text);
  return text.length === one.text.length ? [{ ...one, text }] : [];
}

/** Percentage of sentences reused with each variation. */
const [OTHER_WORDS, CAPITALS, UPPER, LOWER] = [55, 20, 6, 8];

/** Sentences with other ordinary words, with capitalised words, in upper case and in lower case. */
export function variationsOf(
  texts: readonly TaggedText[],
  words: readonly string[],
  random: SeededRandom,
): readonly TaggedText[] {
  const chance = (percent: number): boolean => random.below(100) < percent;
  return texts.flatMap((one) => [
    ...(chance(OTHER_WORDS) ? [withOtherWords(one, words, random)] : []),
    ...(chance(CAPITALS) ? [withCapitals(one, random)] : []),
    ...(chance(UPPER) ? inCase(one, (text) => text.toUpperCase()) : []),
    ...(chance(LOWER) ? inCase(one, (text) => text.toLowerCase()) : []),
  ]);
}
