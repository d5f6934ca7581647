import { isAsciiLetter, isDigit, isSpace } from '../../read/characters.ts';
import { ADJECTIVES, type BiasCode, GENDERED, NOUNS, PERSONS } from '../bias-group-names.ts';

const ADJECTIVE_CODES = new Map(
  (Object.entries(ADJECTIVES) as [BiasCode, readonly string[]][]).flatMap(([code, list]) =>
    list.map((word) => [word, code] as const),
  ),
);
/** "A Muslim", "an immigrant": the singular of nouns that stand alone. */
const singular = (noun: string): readonly string[] =>
  /^[a-z]{3,}[^s]s$/.test(noun) ? [noun, noun.slice(0, -1)] : [noun];
const NOUN_CODES = new Map(
  (Object.entries(NOUNS) as [BiasCode, readonly string[]][]).flatMap(([code, list]) =>
    list.flatMap(singular).map((word) => [word, code] as const),
  ),
);

/** All words that a group's name can start with. */
export const GROUP_TERMS: readonly string[] = [
  ...new Set([...ADJECTIVE_CODES.keys(), ...NOUN_CODES.keys(), 'woman', 'girl', 'man', 'boy']),
];

const PERSON = new RegExp(`^(?:${[...PERSONS, ...GENDERED].join('|')})$`, 'i');
const IS_GENDERED = new RegExp(`^(?:${GENDERED.join('|')})$`, 'i');
/** Singular nouns that stand for the whole group: "a woman cannot". */
const ONE = new Set(['woman', 'girl', 'lady', 'man', 'boy', 'wife']);

const firstWords = (phrases: Iterable<string>): ReadonlySet<string> =>
  new Set(
    Array.from(phrases, (phrase) =>
      Array.from(phrase.matchAll(/[\p{L}-]+/gu), ({ index, 0: word }) =>
        phrase.slice(0, index + word.length),
      ),
    ).flat(),
  );
const ADJECTIVE_STARTS = firstWords(ADJECTIVE_CODES.keys());
const NOUN_STARTS = firstWords(NOUN_CODES.keys());

const LETTER = /\p{L}/u;
const [APOSTROPHE, COMMA, HYPHEN] = [39, 44, 45];
const isWordPart = (unit: number): boolean =>
  isAsciiLetter(unit) || unit === HYPHEN || (unit > 127 && LETTER.test(String.fromCharCode(unit)));

const LONGEST_WORD = 24;

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < LONGEST_WORD && isWordPart(text.charCodeAt(end))) end++;
  return end;
}

/** End of the longest phrase that starts at `at`; -1 if there is none. */
function phraseEnd(
  text: string,
  at: number,
  phrases: ReadonlyMap<string, BiasCode>,
  starts: ReadonlySet<string>,
): number {
  let longest = -1;
  for (let end = wordEnd(text, at); ; end = wordEnd(text, end + 1)) {
    const phrase = spaced(text.slice(at, end));
    if (!starts.has(phrase)) return longest;
    if (phrases.has(phrase)) longest = end;
    const unit = text.charCodeAt(end);
    if (!isSpace(unit) && unit !== APOSTROPHE) return longest;
  }
}

/** End of the noun for a person or group at `at`; -1 if there is none. */
function nounEnd(text: string, at: number): number {
  const phrase = phraseEnd(text, at, NOUN_CODES, NOUN_STARTS);
  if (phrase !== -1) return phrase;
  const end = wordEnd(text, at);
  return end > at && PERSON.test(text.slice(at, end)) ? end : -1;
}

/** End of the gap of one or two blanks or commas. */
function gapEnd(text: string, at: number): number {
  let end = at;
  while (end - at < 2 && (isSpace(text.charCodeAt(end)) || text.charCodeAt(end) === COMMA)) end++;
  return end;
}

const MAX_ADJECTIVES = 3;

interface Named {
  readonly adjectives: readonly string[];
  readonly name: string;
  readonly end: number;
}

/** "Older black women": any number of adjectives before a noun for a person or group. */
function withAdjectives(text: string, start: number): Named | null {
  const adjectives: string[] = [];
  let named: Named | null = null;
  for (let at = start; adjectives.length < MAX_ADJECTIVES; ) {
    const end = phraseEnd(text, at, ADJECTIVE_CODES, ADJECTIVE_STARTS);
    const next = end === -1 ? end : gapEnd(text, end);
    if (next === end) break;
    adjectives.push(text.slice(at, end));
    const after = nounEnd(text, next);
    if (after !== -1) named = { adjectives: [...adjectives], name: text.slice(next, after), end: after };
    at = next;
  }
  return named;
}

/** A group named without an adjective. In "people over 50", the age follows the noun. */
function byItself(text: string, start: number): Named | null {
  let end = phraseEnd(text, start, NOUN_CODES, NOUN_STARTS);
  if (end === -1) {
    end = wordEnd(text, start);
    if (!ONE.has(text.slice(start, end).toLowerCase())) return null;
  }
  const name = text.slice(start, end);
  const isAge =
    isSpace(text.charCodeAt(end)) && isDigit(text.charCodeAt(end + 1)) && isDigit(text.charCodeAt(end + 2));
  if (isAge) end += text[end + 3] === '+' ? 4 : 3;
  return isWordPart(text.charCodeAt(end)) ? null : { adjectives: [], name, end };
}

interface NamedGroup {
  readonly codes: readonly BiasCode[];
  readonly start: number;
  readonly end: number;
}

const spaced = (phrase: string): string => {
  const lower = phrase.toLowerCase();
  return OTHER_BLANK.test(lower) ? lower.replaceAll(/\s/g, ' ') : lower;
};
const OTHER_BLANK = /[^\S ]/;

/** The group named at `start` ("older women", "Muslims"); null if there is none. */
export function groupAt(text: string, start: number): NamedGroup | null {
  const named = withAdjectives(text, start) ?? byItself(text, start);
  if (named === null) return null;
  // Statements about what young children may not do are not prejudice.
  if (/^young(?:er)?\s(?:child|kid)/i.test(text.slice(start, named.end))) return null;
  const codes = new Set(named.adjectives.map((word) => ADJECTIVE_CODES.get(spaced(word))!));
  const name = spaced(named.name);
  const code = NOUN_CODES.get(name);
  if (code !== undefined) codes.add(code);
  else if (IS_GENDERED.test(name)) codes.add('GENDER_BIAS');
  // Age and gender count as two groups, even where they merely describe people: "young men", "old women".
  return { codes: [...codes], start, end: named.end };
}
