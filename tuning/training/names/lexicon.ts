import { CALENDAR_WORDS, MONTHS_ALSO_NAMES } from '#core/detect/find/names/calendar.ts';
import { hashOfWord } from '#core/detect/find/names/words/letters.ts';
import {
  COMMON,
  CUE,
  encodeLexicon,
  GIVEN,
  PARTICLE,
  PLACE,
  PROPER,
  STREET,
  SURNAME,
} from '#core/detect/find/names/words/lexicon.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import type { NameLists } from './languages/lists.ts';
import {
  COMMON_FOREIGN,
  CUE_WORDS,
  FUNCTION_WORDS,
  PARTICLE_WORDS,
  PLACE_WORDS,
  PROPER_WORDS,
  STREET_WORDS,
} from './words.ts';

/** Parts of names without their own meaning. */
const wordsOf = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => name.split(/[\s.]+/)).filter((word) => word.length > 1);

/** A word that occurs this often in lower case in ordinary prompts no longer counts as a name. */
const NEVER_A_NAME = 250;
/** Exceptions that remain names. */
const STILL_NAMES = new Set([
  'will',
  'mark',
  'may',
  'bill',
  'grace',
  'grant',
  'rose',
  'hope',
  'art',
  'young',
  'brown',
  'king',
]);

interface CommonWords {
  readonly common: readonly string[];
  readonly neverNames: readonly string[];
}

/** Words that ordinary prompts write in lower case. */
function commonWords(prompts: readonly { readonly text: string }[]): CommonWords {
  const lower = new Map<string, number>();
  const capitalised = new Map<string, number>();
  for (const { text } of prompts) {
    for (const { 0: word, index } of text.matchAll(
      /(?<![\p{L}\p{N}_@./-])\p{L}[\p{L}']*(?![\p{L}\p{N}_])/gu,
    )) {
      const small = word.toLowerCase();
      const isSmall = word === small;
      // A capital at the start of a sentence means nothing.
      if (!isSmall && !/[\p{Ll},] $/u.test(text.slice(Math.max(0, index - 2), index))) continue;
      const counts = isSmall ? lower : capitalised;
      counts.set(small, (counts.get(small) ?? 0) + 1);
    }
  }
  const common = [...lower]
    .filter(([word, count]) => word.length > 1 && count >= 3 && count >= (capitalised.get(word) ?? 0))
    .map(([word]) => word);
  const neverNames = [...lower]
    .filter(([word, count]) => count >= NEVER_A_NAME && !STILL_NAMES.has(word))
    .map(([word]) => word);
  return { common, neverNames: [...neverNames, ...COMMON_FOREIGN] };
}

/** Texts whose lower-case words are ordinary ones. */
function ordinaryTexts(data: DataFolder): readonly { readonly text: string }[] {
  const benign = data.cases<{ readonly text: string; readonly response?: string }>('benign/prompts.jsonl');
  return [
    ...benign,
    ...benign.map(({ response = '' }) => ({ text: response })),
    ...['injection/positive.jsonl', 'dangerous/prompts.jsonl'].flatMap((file) =>
      data.cases<{ readonly text: string }>(file),
    ),
  ];
}

/** The tagger's lexicon, encoded. */
export function buildLexicon(lists: NameLists, data: DataFolder): Uint8Array {
  const flags = new Map<number, number>();
  const add = (words: readonly string[], bit: number): void => {
    for (const word of words) {
      const hash = hashOfWord(word);
      flags.set(hash, (flags.get(hash) ?? 0) | bit);
    }
  };
  const isParticle = new Set(PARTICLE_WORDS);
  const named = (names: readonly string[]): readonly string[] =>
    wordsOf(names).filter((word) => !isParticle.has(word.toLowerCase()));
  add(named(lists.given), GIVEN);
  add(named(lists.surnames), SURNAME);
  add(named([...lists.places, ...lists.countries, ...PLACE_WORDS]), PLACE);
  add(lists.countries, PROPER);
  add([...PROPER_WORDS, ...CALENDAR_WORDS, ...MONTHS_ALSO_NAMES], PROPER);
  const { common, neverNames } = commonWords(ordinaryTexts(data));
  for (const word of neverNames) {
    const hash = hashOfWord(word);
    flags.set(hash, (flags.get(hash) ?? 0) & ~(GIVEN | SURNAME | PLACE));
  }
  add([...lists.words, ...common, ...COMMON_FOREIGN, ...FUNCTION_WORDS, ...lists.jobs], COMMON);
  add([...STREET_WORDS, ...lists.streetSuffixes], STREET);
  add(CUE_WORDS, CUE);
  add(PARTICLE_WORDS, PARTICLE);
  return encodeLexicon(flags);
}
