import { isDigit } from '../../read/characters.ts';
import { isDayOfMonth } from '../checks/check-digits.ts';
import { continues, type Shape } from './shape.ts';

/** Months by the first letters of their names in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const MONTHS: readonly (readonly [string, number])[] = [
  ['jan|jän|ene|gen', 1],
  ['feb|fév|fev|fév', 2],
  ['mar|mär|maa|mrz', 3],
  ['apr|avr|abr', 4],
  ['may|mai|mag|mei', 5],
  ['jun|juin|giu', 6],
  ['jul|juil|lug', 7],
  ['aug|aoû|aou|ago', 8],
  ['sep|set', 9],
  ['oct|okt|ott|out', 10],
  ['nov', 11],
  ['dec|dez|dic|déc', 12],
];
const MONTH_STARTS = MONTHS.map(([starts]) => starts).join('|');
const MONTH = `((?:${MONTH_STARTS})\\p{L}{0,7})\\.?`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th|\\.|er|º)?';
const YEAR = "((?:1[89]|20)\\d\\d|['’]?\\d\\d)";

const DAY_FIRST = new RegExp(`${DAY}[ -]?(?:of |de |di )?${MONTH},?[ -](?:de |del |of )?${YEAR}`, 'iuy');
const MONTH_FIRST = new RegExp(`${MONTH}[ -]${DAY},?[ -]${YEAR}`, 'iuy');
const YEAR_FIRST_NAMED = new RegExp(`((?:1[89]|20)\\d\\d)[ -]${MONTH}[ -]${DAY}`, 'iuy');
const NUMBERS = /(\d{1,2})( ?[./-] ?| )(\d{1,2})\2((?:1[89]|20)\d\d|\d\d)/y;
const YEAR_FIRST =
  /((?:1[89]|20)\d\d)([./-])(\d{1,2})\2(\d{1,2})(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?/y;
const EASTERN = /((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日/y;
const COMPACT = /((?:19|20)\d\d)(\d\d)(\d\d)/y;

const monthOf = (name: string): number =>
  MONTHS.find(([starts]) => new RegExp(`^(?:${starts})`, 'iu').test(name))?.[1] ?? 0;

/** No one alive was born earlier. */
const EARLIEST_YEAR = 1900;
const isBirthYear = (year: string): boolean => year.length < 4 || Number(year) >= EARLIEST_YEAR;

type Reading = readonly [RegExp, (match: RegExpExecArray) => boolean];

/** First letters of months. */
const MONTH_LETTER = /[jfmasondegl]/i;

const READINGS: readonly Reading[] = [
  [YEAR_FIRST, ([, year, , month, day]) => isBirthYear(year!) && isDayOfMonth(Number(month), Number(day))],
  [
    NUMBERS,
    ([, first, , second, year]) =>
      isBirthYear(year!) &&
      (isDayOfMonth(Number(first), Number(second)) || isDayOfMonth(Number(second), Number(first))),
  ],
  [DAY_FIRST, ([, day, month, year]) => isBirthYear(year!) && isDayOfMonth(monthOf(month!), Number(day))],
  [
    YEAR_FIRST_NAMED,
    ([, year, month, day]) => isBirthYear(year!) && isDayOfMonth(monthOf(month!), Number(day)),
  ],
  [EASTERN, ([, , month, day]) => isDayOfMonth(Number(month), Number(day))],
  [COMPACT, ([, , month, day]) => isDayOfMonth(Number(month), Number(day))],
];

const MONTH_READINGS: readonly Reading[] = [
  [MONTH_FIRST, ([, month, day, year]) => isBirthYear(year!) && isDayOfMonth(monthOf(month!), Number(day))],
];

/** A date with day, month and year, as people and programs write them. */
export const dateShape: Shape = (text, start) => {
  const first = text[start] ?? ' ';
  const readings = isDigit(text.charCodeAt(start))
    ? READINGS
    : MONTH_LETTER.test(first)
      ? MONTH_READINGS
      : [];
  for (const [pattern, isDate] of readings) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match === null || !isDate(match)) continue;
    const end = start + match[0].length;
    if (!continues(text, end)) return { end, confidence: 0.93 };
  }
  return null;
};
