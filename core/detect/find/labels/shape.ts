import { isAsciiAlphanumeric, isAsciiLetter, isDigit, isWordUnit } from '../../read/characters.ts';

/** The format of a value: returns the end and confidence of a value that starts at `start`, or null. */
export type Shape = (text: string, start: number) => ShapeMatch | null;

interface ShapeMatch {
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Whether the text at `end` continues the value, so that it is part of something longer. */
export function continues(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (isWordUnit(next) || text[end] === '@') return true;
  return '-/:.'.includes(text[end] ?? ' ') && isAsciiAlphanumeric(text.charCodeAt(end + 1));
}

/** Confidence in a matched value; 0 to reject it. */
type Rate = (value: string) => number;

/** A shape from a case-insensitive pattern. The source must be bounded and must not look around the value. */
export function patternShape(source: string, rate: Rate | number): Shape {
  const pattern = new RegExp(source, 'iy');
  return (text, start) => {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match === null) return null;
    const end = start + match[0].length;
    if (continues(text, end)) return null;
    const confidence = typeof rate === 'number' ? rate : rate(match[0]);
    return confidence > 0 ? { end, confidence } : null;
  };
}

export const compact = (value: string): string => value.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();

/** Rates a value by a check over its letters and digits. A value with wrong check digits may still be meant as one. */
export function checkedBy(
  check: (compacted: string) => boolean,
  confidence: number,
  otherwise: number,
): (value: string) => number {
  return (value) => (check(compact(value)) ? confidence : otherwise);
}

interface IdentifierLimits {
  /** Limits on letters and digits, without separators. */
  readonly min: number;
  readonly max: number;
  readonly minDigits: number;
  readonly confidence: number;
}

const DATE = /^(?:[0-3]?\d[-/.][0-3]?\d[-/.](?:\d{2}|\d{4})|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})$/;

/** Letters before a number that belong to the sentence, not to the number. */
const NO_PREFIX = /^(?:NO|NR|ID|IS|US|UK|EU|IN|MY|THE|AND|FOR|OF|ON|AS|AT|TO)$/;

/**
 * A number or code as institutions issue them: letters of one case and digits, with single `-`, `/` or `.` between
 * groups, and blanks before a group of digits.
 */
export function identifierShape({ min, max, minDigits, confidence }: IdentifierLimits): Shape {
  return (text, start) => {
    let end = start;
    let digits = 0;
    let count = 0;
    let cases = 0;
    for (let i = start; i <= start + 2 * max && i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (isDigit(unit)) digits++;
      else if (isAsciiLetter(unit)) cases |= unit >= 97 ? 1 : 2;
      else if (i > start && joins(text, start, i, digits > 0)) continue;
      else break;
      count++;
      end = i + 1;
    }
    if (cases === 3 || digits < minDigits || count < min || count > max || continues(text, end)) return null;
    return DATE.test(text.slice(start, end)) ? null : { end, confidence };
  };
}

/**
 * Whether a separator joins parts of an identifier. A blank does only before digits that are not a date, time or
 * amount.
 */
function joins(text: string, start: number, at: number, hasDigits: boolean): boolean {
  if (!isAsciiAlphanumeric(text.charCodeAt(at - 1))) return false;
  // "20240115.jpg" is a file name.
  if (text[at] === '.') return isDigit(text.charCodeAt(at + 1));
  if ('-/'.includes(text[at]!)) return isAsciiAlphanumeric(text.charCodeAt(at + 1));
  if (text[at] !== ' ') return false;
  const head = text.slice(start, at);
  if (!hasDigits && (!/^[A-Z]{1,3}$/.test(head) || NO_PREFIX.test(head))) return false;
  let end = at + 1;
  while (isDigit(text.charCodeAt(end)) && end < at + 12) end++;
  const length = end - at - 1;
  return length >= 2 && length <= 9 && !/^[:/.-]\w|^[a-z%]/i.test(text.slice(end, end + 2));
}
