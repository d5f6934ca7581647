import { isAsciiLetter, isDigit, skipBackWhile } from '../../read/characters.ts';
import * as ids from '../checks/national-ids.ts';
import { isNumberOfAThing, textBefore } from '../context.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { checkedBy, compact, patternShape, type Shape } from '../labels/shape.ts';
import { matchesOf } from '../pattern-search.ts';
import { REGISTERS } from '../registers/table.ts';

const only = (source: string, check: (value: string) => boolean, confidence: number): Shape =>
  patternShape(source, checkedBy(check, confidence, 0));

/** Formats whose checks suffice without a label, by the number of leading letters. */
const BY_LETTERS: Readonly<Record<number, readonly Shape[]>> = {
  0: [
    only('[1-478]( ?)\\d\\d\\1\\d\\d\\1(?:\\d\\d|2[AB])\\1\\d{3}\\1\\d{3}\\1\\d\\d', ids.isFrenchId, 0.85),
    only('\\d{17}[\\dX]', ids.isChineseId, 0.93),
    only('\\d{6}-[1-8]\\d{6}', ids.hasKoreanDate, 0.8),
    only('\\d{3}\\.\\d{3}\\.\\d{3}-\\d\\d', ids.isCpf, 0.95),
    only('\\d\\d\\.\\d\\d\\.\\d\\d-\\d{3}\\.\\d\\d', ids.isBelgianId, 0.95),
    only('756\\.\\d{4}\\.\\d{4}\\.\\d\\d', ids.isAhv, 0.96),
    only('9\\d\\d-\\d\\d-\\d{4}', ids.isItin, 0.8),
    only('(?:19|20)?\\d{6}[-+]\\d{4}', ids.isSwedishId, 0.75),
    only('\\d{6}[-+A]\\d{3}[0-9A-Y]', ids.isFinnishId, 0.85),
    ...REGISTERS.flatMap(({ bare, check }) => (bare === null ? [] : [only(bare[0], check, bare[1])])),
    only('\\d{8}-?[A-Z]|\\d{2}\\.\\d{3}\\.\\d{3}-?[A-Z]', ids.isSpanishId, 0.75),
  ],
  1: [only('[XYZ]-?\\d{7}-?[A-Z]', ids.isSpanishId, 0.85), only('[STFGM]\\d{7}[A-Z]', ids.isNric, 0.8)],
  2: [only('[A-Z]{2} ?\\d\\d ?\\d\\d ?\\d\\d ?[A-D]', ids.isNino, 0.85)],
  4: [only('[A-Z]{4}\\d{6}[HMX][A-Z]{5}[0-9A-Z]\\d', ids.isCurp, 0.97)],
  5: [only('[A-Z]{5}\\d{4}[A-Z]', ids.isPan, 0.75)],
  6: [
    only('[A-Z]{6}[\\dL-NP-V]{2}[A-EHLMPR-T][\\dL-NP-V]{2}[A-Z][\\dL-NP-V]{3}[A-Z]', ids.isItalianId, 0.98),
  ],
};

/** The first digit of each number. Most texts have few, and the leading letters are found from there. */
const START = /\d(?<=(?<!\d)\d)/g;
const MAX_LETTERS = 6;

/** Start of the letters before a digit. Some formats include blanks, such as "AB 12 34 56 C". */
function lettersBefore(text: string, digit: number): { start: number; letters: number } | null {
  const spaced = text[digit - 1] === ' ' && SPACED.test(text.slice(digit - 4, digit + 6));
  const end =
    spaced || (text[digit - 1] === '-' && /[XYZxyz]/.test(text[digit - 2] ?? '')) ? digit - 1 : digit;
  const start = skipBackWhile(text, end, end - MAX_LETTERS, isAsciiLetter);
  return /[\w.\-/#@$€£+]/.test(text[start - 1] ?? ' ') ? null : { start, letters: end - start };
}

const SPACED = /^[ \W]?[A-Za-z]{2} \d\d \d\d/;

/** Most numbers in a text are short; this avoids trying every format on them. */
function isLongEnough(text: string, start: number): boolean {
  let digits = 0;
  for (let i = start; i < start + 24 && digits < 6; i++) {
    if (isDigit(text.charCodeAt(i))) digits++;
    else if (i > start + 6 && ' \n,;'.includes(text[i] ?? ' ') && !isDigit(text.charCodeAt(i + 1))) break;
  }
  return digits >= 6 || /^[A-Za-z]{6}\w{10}/.test(text.slice(start, start + 16));
}

function idAt(text: string, digit: number): Candidate | null {
  const before = lettersBefore(text, digit);
  const shapes = before === null ? undefined : BY_LETTERS[before.letters];
  if (before === null || shapes === undefined || !isLongEnough(text, before.start)) return null;
  const { start } = before;
  for (const shape of shapes) {
    const match = shape(text, start);
    if (match === null || isNumberOfAThing(textBefore(text, start))) continue;
    const value = compact(text.slice(start, match.end));
    if (/^(\d)\1+$/.test(value)) return null;
    return { code: 'PII_LEAK', entity: 'NATIONAL_ID', start, ...match };
  }
  return null;
}

/** National ID numbers without a label whose format, date and check digits together leave little doubt. */
export const nationalIdShapes: SearchDetector = {
  name: 'national-id-shapes',
  version: 2,
  mayFind: (traits) => traits.digits >= 5,
  search: (text) => matchesOf(START, text, (_match, start) => idAt(text, start)),
};
