import { isAsciiAlphanumeric, isDigit } from '../../read/characters.ts';
import { isNumberOfAThing, textBefore } from '../context.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { type LibraryCalls, libraryCalls } from '../library-calls.ts';
import { matchesOf } from '../pattern-search.ts';
import { AFTER_HYPHEN, type Cue, cueAround, indicatesPhone } from '../phone/cues.ts';
import { isNorthAmerican, statusOf } from '../phone/numbering-plans.ts';

const START = /(?<!\w)[+(\d]/g;

interface Shape {
  readonly pattern: RegExp;
  /** Confidence; 0 if the match is not a phone number. */
  readonly rate: (match: RegExpExecArray, cue: Cue, calls: LibraryCalls) => number;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** A run of digits and single separators that is something else in any context. */
const SOMETHING_ELSE =
  /^(?:\d{3}-\d\d-\d{4}|(?:19|20)\d\d[ .-](?:19|20)\d\d|(?:19|20)\d\d[.-]\d\d[.-]\d\d.*|\d\d?[.-]\d\d?[.-](?:19|20)\d\d|\d{1,3}(?:\.\d{1,3}){3}|\d+\.\d+|\d{5}-\d{4}|(?:19|20)\d{6}|(\d)\1+|\d{1,3}(?: \d{3})* 000)$/;

/** Most reliable first; the first shape with a confidence above 0 wins. */
const SHAPES: readonly Shape[] = [
  {
    pattern: /\+1[ .-]?[2-9]\d\d[ .-]?\d{3}[ .-]?\d{4}/y,
    rate: ([whole], cue, calls) => rateInternational(whole, whole, cue, calls),
  },
  {
    pattern: /(?:\+1[ .-]?|1[ .-]|1(?=\())?(?:\(([2-9]\d\d)\)[ -]?|([2-9]\d\d)[ .-])([2-9]\d\d)[ .-](\d{4})/y,
    rate: ([whole, paren, area, exchange], cue, calls) => {
      if (!isNorthAmerican(paren ?? area!, exchange!)) return 0;
      if (whole.startsWith('+')) return rateInternational(whole, whole, cue, calls);
      if (cue !== null) return 0.97;
      return paren !== undefined ? 0.92 : whole.includes('-') ? 0.85 : 0.7;
    },
  },
  {
    pattern: /(?:\+|00[ .-]?)(\d(?:(?: ?\(0\) ?|[ .\-/]|)\d|[ -]?\(\d{1,4}\)[ -]?\d){6,14})/y,
    rate: ([whole, rest], cue, calls) => rateInternational(whole, rest!.replace('(0)', ''), cue, calls),
  },
  { pattern: /0[1-9]([ .-])\d\d(?:\1\d\d){3}/y, rate: (_match, cue) => (cue !== null ? 0.95 : 0.8) },
  {
    pattern: /(?:\(0[1-9]\d{0,4}\)[ -]?|0[1-9]\d{0,4}(?:[ \-/]| \/ ))\d{2,8}(?:[ -]\d{2,5}){0,4}/y,
    rate: ([whole], cue) => {
      if (SOMETHING_ELSE.test(whole)) return 0;
      const { length } = digitsOf(whole);
      if (length < 9 || length > 12) return cue !== null && length >= 8 ? 0.85 : 0;
      return cue !== null ? 0.93 : /^0\d-\d\d-\d|^0\d{1,2}[ -]\d\d$/.test(whole) ? 0 : 0.7;
    },
  },
  {
    pattern: /\([1-9]\d\) ?9?\d{4}[- ]\d{4}/y,
    rate: (_match, cue) => (cue !== null ? 0.93 : 0.7),
  },
  {
    pattern: /\(?\d(?:[ .\-/()]{0,2}\d){6,13}/y,
    rate: ({ 0: whole, index, input }, cue) => {
      if (SOMETHING_ELSE.test(whole) || (whole.includes('(') && !whole.includes(')'))) return 0;
      if (cue === 'NAMED') return 0.8;
      return cue === 'CALLED' && isGrouped(whole) && (/\D/.test(whole) || indicatesPhone(input, index))
        ? 0.7
        : 0;
    },
  },
];

/**
 * A number after `+` or `00`. If no numbering plan has it, it counts only when written like a number to call or after a
 * word for one: made-up numbers, and those that plans reserve for films, are meant to look like phone numbers.
 */
function rateInternational(whole: string, number: string, cue: Cue, calls: LibraryCalls): number {
  const isBare = /^(?:\+|00)\d*$/.test(whole);
  const lacksCue = cue === null && isBare;
  if (!whole.startsWith('+') && lacksCue) return 0;
  const status = statusOf(digitsOf(number), calls);
  if (status === 'NONE' || (status === 'POSSIBLE' && lacksCue)) return 0;
  if (status === 'POSSIBLE') return cue !== null ? 0.8 : 0.65;
  if (whole.startsWith('+')) return 0.97;
  return cue !== null ? 0.9 : 0.75;
}

/** After a verb: digits in groups of two to four, or as many as a whole number has. */
function isGrouped(value: string): boolean {
  const groups = value.split(/[ .\-/()]+/).filter((group) => group !== '');
  if (groups.length === 1) return value.length >= 9 && value.length <= 12;
  return groups.every((group) => group.length <= 8) && groups.slice(1).every((group) => group.length >= 2);
}

const EXTENSION =
  /,? ?(?:x|ext\.?|extn\.?|extension|poste|ramal|dw)(?:[ :.]{0,2}|(?<=extension) (?:number )?)\d{1,6}(?!\w)/iy;

/** Whether the text before shows that this is the middle of something longer, or an amount. */
function startsInsideSomething(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  const beforeThat = text.charCodeAt(start - 2);
  switch (text[start - 1]) {
    case '#':
    case '$':
    case '€':
    case '£':
    case '@':
    case '&':
    case '\\':
    case '%':
    case '+':
      return true;
    case '-':
    case '.':
    case '/':
    case ':':
      return before === 47 || isDigit(beforeThat) || (before !== 58 && isAsciiAlphanumeric(beforeThat));
    case ',':
    case ' ':
    case '(':
      // Later groups of an amount, a card or an IBAN. A number in international format may follow another number, as in
      // a table row.
      return isDigit(beforeThat) && text[start] !== '+' && text[start] !== '(';
    default:
      return false;
  }
}

function endsInsideSomething(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end);
  const afterNext = text.charCodeAt(end + 1);
  if (isAsciiAlphanumeric(next) || text[end] === '_' || text[end] === '@' || text[end] === '%') return true;
  if (text[end] === '-' && isAsciiAlphanumeric(afterNext)) {
    AFTER_HYPHEN.lastIndex = end;
    return !AFTER_HYPHEN.test(text);
  }
  if (!'.:/,'.includes(text[end] ?? ' ') || !isDigit(afterNext)) return false;
  // A comma may precede the next table column, or the cents of an amount.
  return text[end] !== ',' || isDigit(text.charCodeAt(start));
}

function withExtension(text: string, end: number): number {
  EXTENSION.lastIndex = end;
  return end + (EXTENSION.exec(text)?.[0].length ?? 0);
}

/** End of the digits that may belong together; `start` itself if there are fewer than seven. */
function numberEnd(text: string, start: number): number {
  let digits = 0;
  let end = start;
  for (let i = start; i < text.length && i < start + 32; i++) {
    if (isDigit(text.charCodeAt(i))) {
      digits++;
      end = i + 1;
    } else if (i > start && !'().-/ '.includes(text[i]!)) {
      break;
    }
  }
  return digits >= 7 ? end : start;
}

function phoneAt(text: string, start: number, calls: LibraryCalls): Candidate | null {
  const last = numberEnd(text, start);
  if (last === start) return null;
  const otherThing = isNumberOfAThing(textBefore(text, start));
  let cue: Cue | undefined;
  for (const { pattern, rate } of SHAPES) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match === null) continue;
    const end = withExtension(text, start + match[0].length);
    if (endsInsideSomething(text, start, end)) continue;
    cue ??= cueAround(text, start, end);
    if (otherThing && (cue !== 'NAMED' || pattern === SHAPES.at(-1)!.pattern) && text[start] !== '+')
      continue;
    const confidence = rate(match, cue, calls);
    if (confidence > 0) return { code: 'PHONE', entity: 'PHONE', start, end, confidence };
  }
  return null;
}

/** Phone numbers: international and North American ones by format, other national ones by format or words. */
export const phone: SearchDetector = {
  name: 'phone',
  version: 5,
  mayFind: (traits) => traits.digits >= 7,
  search: (text, calls = libraryCalls()) =>
    matchesOf(START, text, (_match, start) =>
      startsInsideSomething(text, start) ? null : phoneAt(text, start, calls),
    ),
};
