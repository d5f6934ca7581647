import { isAsciiAlphanumeric, isDigit } from '../characters.ts';
import { cueTest, isNumberOfAThing, textBefore } from '../context.ts';
import { type Candidate, collecting, type SearchDetector } from '../detector.ts';
import { patternWalk } from '../pattern-search.ts';

/** Country codes in use (ITU-T E.164, list of assigned codes), as ranges, inclusive. */
const COUNTRY_CODES: readonly (readonly [number, number])[] = [
  [1, 1],
  [7, 7],
  [20, 20],
  [27, 27],
  [30, 34],
  [36, 36],
  [39, 39],
  [40, 41],
  [43, 49],
  [51, 58],
  [60, 66],
  [81, 82],
  [84, 84],
  [86, 86],
  [90, 95],
  [98, 98],
  [211, 213],
  [216, 216],
  [218, 218],
  [220, 258],
  [260, 269],
  [290, 291],
  [297, 299],
  [350, 359],
  [370, 378],
  [380, 383],
  [385, 387],
  [389, 389],
  [420, 421],
  [423, 423],
  [500, 509],
  [590, 599],
  [670, 670],
  [672, 683],
  [685, 692],
  [800, 800],
  [808, 808],
  [850, 850],
  [852, 853],
  [855, 856],
  [870, 870],
  [880, 883],
  [886, 886],
  [888, 888],
  [960, 968],
  [970, 977],
  [992, 996],
  [998, 998],
];

const START = /(?<!\w)[+(\d]/g;
const START_REACH = 1;
const NANP = /(?:\+1[ .-]?|1[ .-]|1(?=\())?(?:\(([2-9]\d\d)\) ?|([2-9]\d\d)[ .-])([2-9]\d\d)[ .-](\d{4})/y;
const NANP_COMPACT = /\+1[ .-]?([2-9]\d\d)[ .-]?([2-9]\d\d)[ .-]?(\d{4})/y;
const INTERNATIONAL = /(?:\+|00[ .-]?)(\d(?:(?: ?\(0\) ?|[ .\-/]|)\d){6,14})/y;
const FRENCH = /0[1-9]([ .-])\d\d(?:\1\d\d){3}/y;
const TRUNK = /(?:\(0[1-9]\d{1,3}\) ?|0[1-9]\d{1,3}[ -])\d{3,8}(?:[ -]\d{3,5})?/y;
const ANY_GROUPING = /\(?\d(?:[ .\-()]{0,2}\d){6,13}/y;

const namesPhone = cueTest(
  [
    'phone',
    'phones',
    'telephone',
    'tel',
    'mobile',
    'cell',
    'cellphone',
    'fax',
    'call',
    'calling',
    'text',
    'sms',
    'whatsapp',
    'reach',
    'dial',
    'ring',
    'hotline',
    'contact number',
    'phone number',
    'callback',
    'telefon',
    'telefonnummer',
    'handy',
    'téléphone',
    'tél',
    'teléfono',
    'móvil',
    'telefone',
    'telefono',
  ],
  24,
);

interface Shape {
  readonly pattern: RegExp;
  /** Confidence, or 0 when what matched is no phone number. */
  readonly rate: (match: RegExpExecArray, named: boolean) => number;
}

/** N11 are service numbers; the middle digit 9 of an area code is kept for growth (NANPA). */
function isNorthAmerican(area: string, exchange: string): boolean {
  return !/^(?:.11|.9.)$/.test(area) && !/^.11$/.test(exchange);
}

/** `digits`: country code and national number, without prefix. */
export function isInternational(digits: string): boolean {
  if (digits.length < 8 || digits.length > 15 || digits.startsWith('0')) return false;
  const code = [1, 2, 3].find((length) => {
    const head = Number(digits.slice(0, length));
    return COUNTRY_CODES.some(([from, to]) => head >= from && head <= to);
  });
  if (code === undefined || digits[code] === '0') return code !== undefined && digits.startsWith('39');
  return (
    code !== 1 ||
    digits[0] !== '1' ||
    (digits.length === 11 && isNorthAmerican(digits.slice(1, 4), digits.slice(4, 7)))
  );
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** In order of trust; the first that rates above 0 is taken. */
const SHAPES: readonly Shape[] = [
  { pattern: NANP_COMPACT, rate: ([, area, exchange]) => (isNorthAmerican(area!, exchange!) ? 0.97 : 0) },
  {
    pattern: NANP,
    rate: ([whole, paren, area, exchange], named) => {
      if (!isNorthAmerican(paren ?? area!, exchange!)) return 0;
      if (named || whole.startsWith('+')) return 0.97;
      return paren !== undefined ? 0.92 : whole.includes('-') ? 0.85 : 0.7;
    },
  },
  {
    pattern: INTERNATIONAL,
    rate: ([whole, rest], named) => {
      if (!isInternational(digitsOf(rest!.replace('(0)', '')))) return 0;
      if (whole.startsWith('+')) return named ? 0.97 : 0.93;
      return named ? 0.9 : /^00\d*$/.test(whole) ? 0 : 0.75;
    },
  },
  { pattern: FRENCH, rate: (_match, named) => (named ? 0.95 : 0.8) },
  {
    pattern: TRUNK,
    rate: ([whole], named) => {
      const { length } = digitsOf(whole);
      return length === 10 || length === 11 ? (named ? 0.93 : 0.7) : 0;
    },
  },
  { pattern: ANY_GROUPING, rate: (_match, named) => (named ? 0.75 : 0) },
];

/** What stands before says that this is the middle of something longer, or an amount. */
function beginsInsideSomething(text: string, start: number): boolean {
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
      return true;
    case '-':
    case '.':
    case '/':
    case ':':
    case ',':
      return before === 47 || isDigit(beforeThat) || (before !== 58 && isAsciiAlphanumeric(beforeThat));
    case ' ':
    case '(':
      // The later groups of a card or an IBAN; a number in international form may follow another one.
      return isDigit(beforeThat) && text[start] !== '+' && text[start] !== '(';
    default:
      return false;
  }
}

function endsInsideSomething(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  const afterNext = text.charCodeAt(end + 1);
  if (text[end] === 'x' && isDigit(afterNext)) return false;
  if (isAsciiAlphanumeric(next) || text[end] === '_' || text[end] === '@' || text[end] === '%') return true;
  if (text[end] === '-' && isAsciiAlphanumeric(afterNext)) return true;
  return '.:/,'.includes(text[end] ?? ' ') && isDigit(afterNext);
}

/** Most numbers in a text are short; this keeps them from costing more than a few steps. */
function hasSevenDigits(text: string, start: number): boolean {
  let digits = 0;
  for (let i = start; i < text.length && i < start + 24; i++) {
    if (isDigit(text.charCodeAt(i))) digits++;
    else if (i > start && !'().-/ '.includes(text[i]!)) break;
  }
  return digits >= 7;
}

function phoneAt(text: string, start: number): Candidate | null {
  if (!hasSevenDigits(text, start)) return null;
  const before = textBefore(text, start);
  const named = namesPhone(before);
  const otherThing = isNumberOfAThing(before);
  for (const { pattern, rate } of SHAPES) {
    if (otherThing && (!named || pattern === ANY_GROUPING) && text[start] !== '+') continue;
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match === null || endsInsideSomething(text, start + match[0].length)) continue;
    const confidence = rate(match, named);
    if (confidence === 0) continue;
    return { code: 'PHONE', entity: 'PHONE', start, end: start + match[0].length, confidence };
  }
  return null;
}

/** Phone numbers: international and North American by their shape, national ones elsewhere by shape or words. */
export const phone: SearchDetector = {
  name: 'phone',
  version: 1,
  mayFind: (traits) => traits.digits >= 7,
  search: (text) =>
    collecting((push) =>
      patternWalk(
        START,
        START_REACH,
        text,
        (_match, start) => (beginsInsideSomething(text, start) ? null : phoneAt(text, start)),
        push,
      ),
    ),
};
