import { isAsciiLetter } from '../characters.ts';
import { TextWriter } from '../text-writer.ts';
import { latinLookalike } from './code-points.ts';

const NEXT_BEYOND_ASCII = /[\u0080-\uffff]/g;
const LETTER = /[\p{L}\p{M}]/u;
/** Maximum length of a word; longer runs are not words. */
const MAX_WORD = 64;

const isLetter = (unit: number): boolean =>
  unit < 128 ? isAsciiLetter(unit) : LETTER.test(String.fromCharCode(unit));

/**
 * Replaces homoglyphs in words with Latin letters, keeping the text's length. Only words whose letters are all Latin or
 * confusable with Latin are changed; words of other languages contain letters that are not.
 */
export function plainWords(text: string): string {
  const read = new TextWriter();
  let done = 0;
  for (let at = nextFrom(text, 0); at !== -1; at = nextFrom(text, at)) {
    if (!isLetter(text.charCodeAt(at))) {
      at++;
      continue;
    }
    let start = at;
    while (start > done && at - start < MAX_WORD && isLetter(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && end - start < MAX_WORD && isLetter(text.charCodeAt(end))) end++;
    const word = text.slice(start, end);
    const plain = inLatin(word) ?? withoutDecoration(word);
    if (plain !== null) {
      read.add(text.slice(done, start));
      read.add(plain);
      done = end;
    }
    at = end;
  }
  read.add(text.slice(done));
  return read.text();
}

function nextFrom(text: string, from: number): number {
  NEXT_BEYOND_ASCII.lastIndex = from;
  return NEXT_BEYOND_ASCII.exec(text)?.index ?? -1;
}

function inLatin(word: string): string | null {
  let plain = '';
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    const latin = unit < 128 ? word[i] : latinLookalike(unit);
    if (latin === undefined) return null;
    plain += latin;
  }
  return plain;
}

const MIN_ACCENTS = 3;
const MANY = 0.6;

/** Undoes both disguises at once: accented letters may be look-alikes, too. */
function withoutDecoration(word: string): string | null {
  const bare = withoutManyAccents(word);
  return bare === null ? null : (inLatin(bare) ?? bare);
}

/** Later letters are composed too, but not with accents: kana with voicing marks, Korean syllables. */
const MAY_HAVE_ACCENT = /[\u00c0-\u1fff]/;

const baseOf = (letter: string): string =>
  MAY_HAVE_ACCENT.test(letter) ? letter.normalize('NFD').slice(0, 1) : letter;

/** `ìgñòrë`: no language has accents on most letters of a word. */
function withoutManyAccents(word: string): string | null {
  if (!MAY_HAVE_ACCENT.test(word)) return null;
  const bases = Array.from(word, baseOf);
  const accents = bases.filter((base, i) => base !== word[i]).length;
  const isDecorated = bases.length === word.length && accents >= MIN_ACCENTS && accents > MANY * word.length;
  return isDecorated ? bases.join('') : null;
}
