import { LOOKALIKES, OWN_LOOKALIKES } from './lookalikes.ts';

/**
 * The normal form of a character for the detectors, because attackers write values and orders in homoglyphs. Matches
 * keep their offsets in the original text.
 */

const DELETED = '';

/** Marks that are confusable with an ASCII mark, keyed by it. */
const MARKS: Readonly<Record<string, string>> = {
  "'": '\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\u02bb\u00b4\u2039\u203a',
  '"': '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e',
  '-': '\u2212\u02d7\u2043\u2796',
  '.': '\u3002\u06d4\u0701\u0702\ua4f8\u2e31',
  ':': '\ua789\u02d0\u2236\u0589\u05c3',
  '/': '\u2044\u2215\u29f8',
  '@': '\ufe6b',
  '*': '\u2217\u204e',
  '|': '\u2223\u01c0',
};
const MARK_OF = new Map(
  Object.entries(MARKS).flatMap(([ascii, marks]) => Array.from(marks, (mark) => [mark, ascii] as const)),
);

/** Boxed and circled letters without a compatibility mapping in Unicode, by the code point of their A. */
const BOXED_ALPHABETS: readonly number[] = [0x1f150, 0x1f170, 0x1f1e6];
const LETTERS = 26;
const LAST_OF_BASIC_PLANE = 0xffff;
const TAG_SPACE = 0xe0020;
const TAG_TILDE = 0xe007e;

/** Controls, format characters (zero width, direction, soft hyphen) and letters without a visible glyph. */
const INVISIBLE = /^[\p{Cf}\p{Cc}\u115f\u1160\u180e\u3164\uffa0]$/u;
const BLANK = /^\p{Zs}$/u;
const LINE_END = /^[\u0085\u2028\u2029]$/;
const DASH = /^\p{Pd}$/u;
const DIGIT = /^\p{Nd}$/u;
const ASCII_LETTERS = /^[\x20-\x7e]{1,4}$/;

/** Digits of other scripts. Each script has ten in a row, starting at a code point that ends in 0 or 6. */
function digitOf(point: number): string {
  const row = point & ~0xf;
  const zero = DIGIT.test(String.fromCodePoint(row)) ? row : row + 6;
  const value = point - zero;
  return value >= 0 && value <= 9 ? String(value) : String.fromCodePoint(point);
}

/** The normal form of a code point beyond printable ASCII: `''` if it is dropped, the character itself if it stays. */
export function plainFormOf(point: number): string {
  const character = String.fromCodePoint(point);
  if (character === '\t' || character === '\n' || character === '\r') return character;
  if (point >= TAG_SPACE && point <= TAG_TILDE) return String.fromCharCode(point - TAG_SPACE + 32);
  if (LINE_END.test(character)) return '\n';
  if (INVISIBLE.test(character)) return DELETED;
  if (BLANK.test(character)) return ' ';
  const mark = MARK_OF.get(character);
  if (mark !== undefined) return mark;
  if (DASH.test(character)) return '-';
  for (const first of BOXED_ALPHABETS) {
    if (point >= first && point < first + LETTERS) return String.fromCharCode(65 + point - first);
  }
  const compatible = character.normalize('NFKC');
  if (compatible !== character && ASCII_LETTERS.test(compatible)) return compatible;
  if (DIGIT.test(character)) return digitOf(point);
  // Scripts beyond the basic plane are hardly used, so their homoglyphs are replaced regardless of the word around
  // them.
  return point > LAST_OF_BASIC_PLANE ? (latinLookalike(point) ?? character) : character;
}

const LATIN_OF = new Map(
  [LOOKALIKES, OWN_LOOKALIKES].flatMap((table) =>
    Object.entries(table).flatMap(([latin, others]) =>
      Array.from(others, (other) => [other.codePointAt(0)!, latin] as const),
    ),
  ),
);

/** The Latin letter that a letter is confusable with; undefined if there is none. */
export const latinLookalike = (point: number): string | undefined => LATIN_OF.get(point);
