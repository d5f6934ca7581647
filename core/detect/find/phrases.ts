import { isWordUnit } from '../read/characters.ts';
import type { Span } from './patterns/forward.ts';
import type { HitFinder } from './patterns/hits.ts';

/**
 * Lower case without a change of length, so that places stay those of the original text. `İ` is the one letter whose
 * lower case is longer: it counts as `i`. Both small sigmas of Greek count as one.
 */
export function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

const ASCII = 128;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** The character that ends right before `index`, or begins at it, is part of a word. */
function wordEndsAt(text: string, index: number): boolean {
  if (index <= 0) return false;
  const unit = text.charCodeAt(index - 1);
  if (unit < ASCII) return isWordUnit(unit);
  const isLowSurrogate = (unit & 0xfc00) === 0xdc00;
  return WORD.test(text.slice(isLowSurrogate ? index - 2 : index - 1, index));
}

function wordBeginsAt(text: string, index: number): boolean {
  const point = text.codePointAt(index);
  if (point === undefined) return false;
  return point < ASCII ? isWordUnit(point) : WORD.test(String.fromCodePoint(point));
}

/** For each prefix of the phrase, the length of its longest proper suffix that is a prefix (Knuth, Morris, Pratt). */
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

/** Between two places the engine searches for the next one that begins like the phrase, which is faster. */
const HEAD_UNITS = 4;

/**
 * Finds a case-folded phrase in a case-folded text: every place that does not overlap an earlier one, whole words only,
 * in time linear in the text.
 */
export function phraseFinder(phrase: string): HitFinder {
  const borders = bordersOf(phrase);
  const head = phrase.slice(0, HEAD_UNITS);
  const wordAtBegin = wordBeginsAt(phrase, 0);
  const wordAtEnd = wordEndsAt(phrase, phrase.length);
  const isInsideWord = (text: string, start: number, end: number): boolean =>
    (wordAtBegin && wordEndsAt(text, start)) || (wordAtEnd && wordBeginsAt(text, end));

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
