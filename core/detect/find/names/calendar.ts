import calendar from '../lists/calendar.json' with { type: 'json' };
/** Days and months that are rarely given names, in full and abbreviated. */
export const CALENDAR_WORDS = calendar.words;

/** Months that are also given names: only a number next to one makes it a month. */
export const MONTHS_ALSO_NAMES = calendar.monthsAndNames;

/** Includes the parts of hyphenated words such as "segunda-feira". */
const CALENDAR: ReadonlySet<string> = new Set(CALENDAR_WORDS.flatMap((word) => [word, ...word.split('-')]));
const MONTHS: ReadonlySet<string> = new Set(MONTHS_ALSO_NAMES);
const NUMBER_BEFORE = /\d(?:st|nd|rd|th|\.|er|de|\sde)?[\s,./-]{0,2}$/;
const NUMBER_AFTER = /^[\s,./-]{0,3}\d/;
const MAX_WORDS = 8;

/** Whether the value consists of days and months. `before` and `after`: the text around it. */
export function isDate(value: string, before: string, after: string): boolean {
  const all = value.toLowerCase().split(/[\s.,/–-]+/);
  if (all.length > MAX_WORDS) return false;
  const known = all.filter((word) => word !== '');
  if (known.every((word) => CALENDAR.has(word))) return true;
  return (
    known.every((word) => CALENDAR.has(word) || MONTHS.has(word)) &&
    (NUMBER_AFTER.test(after) || NUMBER_BEFORE.test(before))
  );
}

export const isMonthAndName = (word: string): boolean => MONTHS.has(word.toLowerCase());
