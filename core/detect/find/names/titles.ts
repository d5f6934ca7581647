import type { Surroundings } from './guides/surroundings.ts';
import { hashOfWord } from './words/letters.ts';
import { COMMON, CUE, PARTICLE } from './words/lexicon.ts';
import { isMark, type Tokens } from './words/tokens.ts';
import { ALL_CAPS, CAPITALISED, MIXED } from './words/word-scan.ts';

const hashes = (words: string): ReadonlySet<number> => new Set(words.split(' ').map(hashOfWord));

/** Titles before a name, which are not part of it. */
const TITLES = hashes(
  'mr mrs ms miss mx dr prof professor sir herr herrn frau sr sra srta señor señora dra sig signor signora dott monsieur mme madame ' +
    'dhr mevr mevrouw pan pani fru hr',
);

/** These are almost always followed by a surname; all of them are cues. */
const ALWAYS = hashes('mr mrs ms herrn sr sra srta sig dott mme dhr mevr');

const POINT = 46;
const MAX_PARTS = 4;
/** A less name-like word is an office: "Sr. Presidente". */
const MIN_LIKE = 4;

/** Skips titles: "Dr. Ann Lee" becomes "Ann Lee". */
export function afterTitles(tokens: Tokens, first: number, last: number): number {
  let token = first;
  while (token < last && (TITLES.has(tokens.hash[token]!) || (token > first && isMark(tokens, token))))
    token++;
  return token;
}

function isCapitalised({ shape, start, end, count }: Tokens, token: number): boolean {
  if (token >= count || end[token]! - start[token]! < 2) return false;
  return shape[token] === CAPITALISED || shape[token] === ALL_CAPS || shape[token] === MIXED;
}

/**
 * Calls `take` with the first and last token of the capitalised words, also after a particle, that follow an
 * unmistakable title.
 */
export function forEachTitled(
  tokens: Tokens,
  { likeness }: Surroundings,
  take: (first: number, last: number) => void,
): void {
  const { text, count, start, end, hash, flags, shape } = tokens;
  for (let token = 0; token < count; token++) {
    if ((flags[token]! & CUE) === 0 || shape[token] === ALL_CAPS || !ALWAYS.has(hash[token]!)) continue;
    let first = token + 1;
    if (first < count && text.charCodeAt(start[first]!) === POINT && start[first] === end[token]) first++;
    if (first >= count || text.charAt(start[first]! - 1) !== ' ') continue;
    let last = first;
    while (
      last < first + 2 &&
      last + 1 < count &&
      (flags[last]! & PARTICLE) !== 0 &&
      !isCapitalised(tokens, last)
    )
      last++;
    if (!isCapitalised(tokens, last) || likeness[last]! < MIN_LIKE) continue;
    if ((flags[last]! & COMMON) !== 0 && likeness[last]! <= MIN_LIKE) continue;
    while (
      last < first + MAX_PARTS &&
      isCapitalised(tokens, last + 1) &&
      text.slice(end[last], start[last + 1]) === ' '
    )
      last++;
    take(first, last);
    token = last;
  }
}
