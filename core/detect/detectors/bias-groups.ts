import { ADJECTIVES, type BiasCode, GENDERED, NOUNS, PERSONS } from './bias-group-names.ts';

const escapeAll = (list: readonly string[]): string =>
  list.map((one) => one.replaceAll(' ', String.raw`\s`)).join('|');
const ALL_ADJECTIVES = Object.values(ADJECTIVES)
  .flat()
  .toSorted((a, b) => b.length - a.length);

const ADJECTIVE_CODES = new Map(
  (Object.entries(ADJECTIVES) as [BiasCode, readonly string[]][]).flatMap(([code, list]) =>
    list.map((word) => [word, code] as const),
  ),
);
/** "A Muslim", "an immigrant": the singular of those nouns that take no other word. */
const singular = (noun: string): readonly string[] =>
  /^[a-z]{3,}[^s]s$/.test(noun) ? [noun, noun.slice(0, -1)] : [noun];
const NOUN_CODES = new Map(
  (Object.entries(NOUNS) as [BiasCode, readonly string[]][]).flatMap(([code, list]) =>
    list.flatMap(singular).map((word) => [word, code] as const),
  ),
);

/** Every word that a group's name begins with. */
export const GROUP_TERMS: readonly string[] = [
  ...new Set([...ADJECTIVE_CODES.keys(), ...NOUN_CODES.keys(), 'woman', 'girl', 'man', 'boy']),
];

const NAME = new RegExp(
  String.raw`(?:((?:(?:${escapeAll(ALL_ADJECTIVES)})[\s,]{1,2}){1,3})(${PERSONS.join('|')}|${GENDERED.join('|')}|${escapeAll([...NOUN_CODES.keys()])})|(${escapeAll([...NOUN_CODES.keys()].toSorted((a, b) => b.length - a.length))}|woman|girl|lady|man|boy|wife)(?:\s\d\d\+?)?)(?![\p{L}-])`,
  'iuy',
);
const ONE_ADJECTIVE = new RegExp(escapeAll(ALL_ADJECTIVES), 'giu');
const IS_GENDERED = new RegExp(`^(?:${GENDERED.join('|')})$`, 'iu');

export interface NamedGroup {
  readonly codes: readonly BiasCode[];
  readonly start: number;
  readonly end: number;
}

const spaced = (word: string): string => word.toLowerCase().replaceAll(/\s/g, ' ');

/** The group that is named at `start` ("older women", "Muslims"); null when it is none. */
export function groupAt(text: string, start: number): NamedGroup | null {
  NAME.lastIndex = start;
  const match = NAME.exec(text);
  if (match === null) return null;
  const [whole, adjectives, person, noun] = match;
  // What young children may not do is no judgement of them.
  if (/^young(?:er)?\s(?:child|kid)/i.test(whole)) return null;
  const codes = new Set<BiasCode>();
  for (const [word] of (adjectives ?? '').matchAll(ONE_ADJECTIVE))
    codes.add(ADJECTIVE_CODES.get(spaced(word))!);
  const name = spaced(person ?? noun ?? '');
  const named = NOUN_CODES.get(name);
  if (named !== undefined) codes.add(named);
  else if (IS_GENDERED.test(name)) codes.add('GENDER_BIAS');
  // "Young men", "old women": age beside gender is how people are told apart, two groups all the same.
  return { codes: [...codes], start, end: start + whole.length };
}
