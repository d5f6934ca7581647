import type { Tokens } from '../words/tokens.ts';
import { CAPITALISED, LINE_END, LOWER } from '../words/word-scan.ts';

/** Languages by number; 0 is an unrecognised one. */
export const LANGUAGES = [
  '',
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'hu',
  'id',
  'it',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'tr',
  'uk',
  'vi',
] as const;

/** Frequent words by hash, with a bit for each language in which the word is frequent. */
export interface FrequentWords {
  readonly languagesOf: (hash: number) => number;
}

const KEY_BITS = 28;
const keyOf = (hash: number): number => hash >>> (32 - KEY_BITS);
const ENTRY_BYTES = 7;

/** Four bytes per hash, then three bytes for its languages, ordered by hash. */
export function encodeFrequentWords(languagesByHash: ReadonlyMap<number, number>): Uint8Array {
  const entries = [...languagesByHash].map(([hash, languages]) => [keyOf(hash), languages] as const);
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  entries
    .toSorted(([a], [b]) => a - b)
    .forEach(([key, languages], at) => {
      bytes.writeUInt32LE(key, at * ENTRY_BYTES);
      bytes.writeUIntLE(languages, at * ENTRY_BYTES + 4, 3);
    });
  return bytes;
}

export function decodeFrequentWords(bytes: Uint8Array): FrequentWords {
  const view = Buffer.from(bytes);
  const count = Math.floor(bytes.length / ENTRY_BYTES);
  const size = 2 ** Math.ceil(Math.log2(count * 2 + 2));
  const mask = size - 1;
  const keys = new Int32Array(size).fill(-1);
  const languages = new Int32Array(size);
  for (let at = 0; at < count; at++) {
    const key = view.readUInt32LE(at * ENTRY_BYTES);
    let slot = key & mask;
    while (keys[slot] !== -1) slot = (slot + 1) & mask;
    keys[slot] = key;
    languages[slot] = view.readUIntLE(at * ENTRY_BYTES + 4, 3);
  }
  return {
    languagesOf: (hash) => {
      const key = keyOf(hash);
      let slot = key & mask;
      while (keys[slot] !== key) {
        if (keys[slot] === -1) return 0;
        slot = (slot + 1) & mask;
      }
      return languages[slot]!;
    },
  };
}

/** A word's count by the number of languages in which it is frequent. */
const SHARES = [0, 12, 6, 4, 3, 2, 2];
/** Minimum count, and lead, for a line to have another language than the text around it. */
const [ENOUGH, LEAD] = [12, 4];

const ofLine = new Int32Array(LANGUAGES.length);
const ofText = new Int32Array(LANGUAGES.length);

/** The language with the highest count; 0 if its lead is too small. */
function best(counts: Int32Array): number {
  let [first, second] = [0, 0];
  for (let language = 1; language < counts.length; language++) {
    if (counts[language]! > counts[first]!) [second, first] = [first, language];
    else if (second === 0 || counts[language]! > counts[second]!) second = language;
  }
  const most = counts[first]!;
  return first !== 0 && most >= ENOUGH && most >= (second === 0 ? 0 : counts[second]!) + LEAD ? first : 0;
}

function count(languages: number): void {
  let bits = languages;
  let number = 0;
  for (; bits !== 0; bits &= bits - 1) number++;
  const share = SHARES[number] ?? 1;
  for (bits = languages; bits !== 0; bits &= bits - 1) ofLine[31 - Math.clz32(bits & -bits)]! += share;
}

/** Writes the language of each token's line; a line that is too short gets the language of the whole text. */
export function guessLanguages(
  { count: tokens, shape, hash }: Tokens,
  words: FrequentWords,
  languages: Uint8Array,
): void {
  ofText.fill(0);
  let isOpen = false;
  for (let from = 0; from < tokens; ) {
    let until = from;
    ofLine.fill(0);
    for (; until < tokens && shape[until] !== LINE_END; until++) {
      if (shape[until] !== LOWER && (shape[until] !== CAPITALISED || until > from)) continue;
      const known = words.languagesOf(hash[until]!);
      if (known !== 0) count(known);
    }
    if (until < tokens) until++;
    const language = best(ofLine);
    if (language === 0) isOpen = true;
    languages.fill(language, from, until);
    for (let one = 1; one < ofText.length; one++) ofText[one]! += ofLine[one]!;
    from = until;
  }
  if (!isOpen) return;
  const ofAll = best(ofText);
  if (ofAll === 0) return;
  for (let token = 0; token < tokens; token++) if (languages[token] === 0) languages[token] = ofAll;
}
