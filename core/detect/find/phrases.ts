import { isWordUnit } from '../read/characters.ts';
import type { Span } from './patterns/forward.ts';
import type { HitFinder } from './patterns/hits.ts';

/**
 * Lower-cases without changing the length, so that offsets stay the same. `İ`, the only letter with a longer lower
 * case, becomes `i`. Both lower-case Greek sigmas become one.
 */
export function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

const ASCII = 128;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Whether the character that ends right before `index`, or starts at it, is part of a word. */
function wordEndsAt(text: string, index: number): boolean {
  if (index <= 0) return false;
  const unit = text.charCodeAt(index - 1);
  if (unit < ASCII) return isWordUnit(unit);
  const isLowSurrogate = (unit & 0xfc00) === 0xdc00;
  return WORD.test(text.slice(isLowSurrogate ? index - 2 : index - 1, index));
}

function wordStartsAt(text: string, index: number): boolean {
  const point = text.codePointAt(index);
  if (point === undefined) return false;
  return point < ASCII ? isWordUnit(point) : WORD.test(String.fromCodePoint(point));
}

/**
 * For each prefix of the phrase, the length of its longest proper suffix that is also a prefix (Knuth, Morris, Pratt).
 */
function bordersOf(phrase: string): Int32Array {
  const borders = new Int32Array(phrase.length);
  let length = 0;
  for (let i = 1; i < phrase.length; i++) {
    while (length > 0 && phrase.charCodeAt(i) !== phrase.charCodeAt(length)) length = borders[length - 1]!;
    if (phrase.charCodeAt(i) === phrase.charCodeAt(length)) length++;
    borders[i] = length;
  }
  return borders;
}

/** Between matches, the engine's faster search looks for this many first code units of the phrase. */
const HEAD_UNITS = 4;

/**
 * Finds all non-overlapping occurrences of a case-folded phrase in a case-folded text, as whole words, in time linear
 * in the text.
 */
export function phraseFinder(phrase: string): HitFinder {
  const borders = bordersOf(phrase);
  const head = phrase.slice(0, HEAD_UNITS);
  const startsWithWord = wordStartsAt(phrase, 0);
  const endsWithWord = wordEndsAt(phrase, phrase.length);
  const isInsideWord = (text: string, start: number, end: number): boolean =>
    (startsWithWord && wordEndsAt(text, start)) || (endsWithWord && wordStartsAt(text, end));

  return (text, most) => {
    const spans: Span[] = [];
    let matched = 0;
    for (let i = text.indexOf(head); i !== -1 && i < text.length; ) {
      const unit = text.charCodeAt(i++);
      while (matched > 0 && unit !== phrase.charCodeAt(matched)) matched = borders[matched - 1]!;
      if (unit === phrase.charCodeAt(matched)) matched++;
      if (matched === phrase.length) {
        const start = i - matched;
        const inside = isInsideWord(text, start, i);
        matched = inside ? borders[matched - 1]! : 0;
        if (!inside) spans.push({ start, end: spans.length + 1 === most ? text.length : i });
        if (spans.length === most) break;
      }
      if (matched === 0) i = text.indexOf(head, i);
    }
    return spans;
  };
}
