import type { DataFolder } from '../../../samples/data-folder.ts';
import type { SeededRandom } from '../../../samples/random.ts';
import { withOtherNames } from './in-languages.ts';
import { namesOf } from './lists-by-language.ts';
import type { TaggedSpan, TaggedText, TagType } from './tagged-text.ts';
import { ordinaryWordsOf, variationsOf } from './variations.ts';

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** A sentence of a treebank. */
export interface Sentence {
  readonly text: string;
  /** Proper nouns; unknown if absent. */
  readonly spans?: readonly Span[];
  readonly entities?: readonly Span[];
  readonly source: string;
  readonly part: 'train' | 'dev';
}

/** Languages whose sentences are used: those that separate words with spaces. */
export const TREEBANK_LANGUAGES: readonly string[] =
  'cs da de en es fi fr hu id it nl no pl pt ro ru sv tr uk vi'.split(' ');

/**
 * Development parts that are used for training anyway, because a language or its persons would otherwise be missing.
 */
const TRAINED_ON = /KLUE|smartdata|Legal-Entity|Turkish-Kenet|Ukrainian-ParlaMint/;
/** A training part that is held out. */
const HELD_OUT = /Italian-ParlaMint/;
/** Also tags nouns for people as persons. */
const WITHOUT_ENTITIES = 'ronec';
/** Does not tag persons as proper nouns. */
const UNLABELLED_NAMES = 'vi';

/** Development parts, with few exceptions, and one whole Italian treebank are held out for evaluation. */
export const isHeldOut = ({ source, part }: Pick<Sentence, 'source' | 'part'>): boolean =>
  HELD_OUT.test(source) || (part === 'dev' && !TRAINED_ON.test(source));

/** All sentences of a language. */
const allOf = (data: DataFolder, language: string): readonly Sentence[] =>
  data
    .cases<Sentence>(`pii/treebank-${language}.jsonl`)
    .filter(({ source }) => !source.includes(WITHOUT_ENTITIES));

/** The training sentences of a language. */
export const sentencesOf = (data: DataFolder, language: string): readonly Sentence[] =>
  allOf(data, language).filter((sentence) => !isHeldOut(sentence));

const TYPES: Readonly<Record<string, TagType>> = {
  PERSON: 'PERSON',
  LOCATION: 'UNKNOWN',
  ORGANIZATION: 'ORGANIZATION',
};

/** Proper nouns separated only by a space, grouped into runs. */
function runsOfProperNouns(text: string, spans: readonly Span[]): readonly (readonly Span[])[] {
  const runs: Span[][] = [];
  for (const span of spans) {
    const before = runs.at(-1)?.at(-1);
    if (before !== undefined && text.slice(before.end, span.start) === ' ') runs.at(-1)!.push(span);
    else runs.push([span]);
  }
  return runs;
}

const MAX_PARTS = 4;

/**
 * A run of proper nouns is a person if the first is a given name (the last in Hungarian); what all others are is left
 * open.
 */
function personsAmong(
  { text, spans = [] }: Sentence,
  language: string,
  given: ReadonlySet<string>,
): readonly TaggedSpan[] {
  return runsOfProperNouns(text, spans).flatMap((run): readonly TaggedSpan[] => {
    const own = language === 'hu' ? run.at(-1)! : run[0]!;
    const isPerson = run.length <= MAX_PARTS && given.has(text.slice(own.start, own.end).toLowerCase());
    if (isPerson) return [{ type: 'PERSON', start: run[0]!.start, end: run.at(-1)!.end }];
    return run.map(({ start, end }) => ({ type: 'UNKNOWN' as const, start, end }));
  });
}

const CAPITALISED = /\p{Lu}[\p{L}\p{M}]*/gu;

const capitalisedWords = (text: string): readonly TaggedSpan[] =>
  [...text.matchAll(CAPITALISED)].map(({ 0: word, index }) => ({
    type: 'UNKNOWN',
    start: index,
    end: index + word.length,
  }));

/** A sentence with its persons, if they are labelled or evident from the proper nouns. */
function tagged(sentence: Sentence, language: string, given: ReadonlySet<string>): TaggedText | null {
  const { text, spans, entities } = sentence;
  const labelled = { text, isWeak: true, areLabelled: true };
  if (language === UNLABELLED_NAMES) return { ...labelled, spans: capitalisedWords(text) };
  if (entities !== undefined) {
    return {
      ...labelled,
      spans: entities.flatMap(({ type, start, end }) => {
        const tag = TYPES[type];
        return tag === undefined ? [] : [{ type: tag, start, end }];
      }),
    };
  }
  return spans === undefined ? null : { ...labelled, spans: personsAmong(sentence, language, given) };
}

/** How often a sentence with persons is reused with other names. */
const OTHER_NAMES = 3;
/** English has its own sentences with names. */
const WITHOUT_LISTS = 'en';

/** Sentences of Universal Dependencies: persons, and words that are not proper nouns. */
export function treebankTexts(
  data: DataFolder,
  random: SeededRandom,
  places: readonly string[],
): readonly TaggedText[] {
  const isPlace = new Set(places.map((place) => place.toLowerCase()));
  return TREEBANK_LANGUAGES.flatMap((language) => {
    const given = new Set(
      namesOf(data, language, 'given')
        .map((name) => name.toLowerCase())
        .filter((name) => !isPlace.has(name)),
    );
    const texts = sentencesOf(data, language).flatMap((sentence) => tagged(sentence, language, given) ?? []);
    const withPersons = texts.filter(({ spans }) => spans.some(({ type }) => type === 'PERSON'));
    const others =
      language === WITHOUT_LISTS
        ? []
        : Array.from({ length: OTHER_NAMES }, () =>
            withPersons.map((one) => withOtherNames(data, language, one, random)),
          ).flat();
    return [...texts, ...others, ...variationsOf(texts, ordinaryWordsOf(data, language), random)];
  });
}
