import { z } from 'zod';
import { LATEST_MS } from '../../time.ts';

/** Both ends inclusive, Unix ms; undefined: unbounded. */
export interface DateRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;
const DAY_MS = 86_400_000;

/** No row is later than the maximum, so later dates select the same rows, and ledger entries can store the result. */
const clamp = (at: number): number => Math.min(Math.max(at, 0), LATEST_MS);

/**
 * Unix ms of an ISO date or timestamp (UTC if it has no zone), or null if it is invalid. A bare date means the first,
 * or with `end` the last millisecond of that UTC day.
 */
export function parseDate(text: string, end: boolean): number | null {
  const timestamp = TIMESTAMP.exec(text);
  const day = timestamp?.[1] ?? (DATE.test(text) ? text : null);
  if (day === null) return null;
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  // Some engines turn February 30 into a day in March; here it is invalid.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  if (!timestamp) return clamp(end ? midnight + DAY_MS - 1 : midnight);
  const at = Date.parse(timestamp[2] ? text : `${text}Z`);
  return Number.isNaN(at) ? null : clamp(at);
}

/** A date as text; parsed by `parseDate`. */
export const dateText = z
  .string()
  .max(40)
  .meta({
    description: 'ISO 8601 date or timestamp, UTC',
    // Each branch has its own type: readers that consider one branch alone would otherwise allow any value.
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ],
    maxLength: undefined,
  });

const date = dateText.optional();

/** `from/to` and `startDate/endDate` are synonyms; a request uses one of the pairs. */
export const dateQuery = { from: date, to: date, startDate: date, endDate: date };

const spelt = (start: string, end: string) => ({
  from: date.meta({ description: start }),
  to: date.meta({ description: end }),
  startDate: date.meta({ description: `alias of \`from\`: ${start}` }),
  endDate: date.meta({ description: `alias of \`to\`: ${end}` }),
});

/** `dateQuery` for lists of records that have `createdAt`. */
export const createdQuery = spelt(
  'only records created at or after this date or timestamp, UTC',
  'only records created up to this timestamp, or to the end of this date, UTC',
);

/** `dateQuery` for a body, with default ends. */
export const dateFields = (defaults?: { readonly start: string; readonly end: string }) =>
  spelt(
    `a bare date is the start of that day, UTC${defaults === undefined ? '' : `; default: ${defaults.start}`}`,
    `a bare date is the end of that day, UTC${defaults === undefined ? '' : `; default: ${defaults.end}`}`,
  );

interface DateTexts {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** For `.transform` of an object with `dateQuery`: replaces the four texts with the range. */
export function withRange<Input extends DateTexts>(
  { from, to, startDate, endDate, ...rest }: Input,
  context: z.RefinementCtx,
): Omit<Input, keyof DateTexts> & { readonly range: DateRange } {
  return { ...rest, range: toDateRange({ from, to, startDate, endDate }, context) };
}

/** The range of an object with `dateQuery`, or one issue per fault. */
export function toDateRange(query: DateTexts, context: z.RefinementCtx): DateRange {
  const refuse = (path: string, message: string): undefined => {
    context.addIssue({ code: 'custom', path: [path], message });
    return undefined;
  };
  const read = (name: keyof DateTexts, end: boolean): number | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    return (
      parseDate(text, end) ??
      refuse(name, 'Expected an ISO 8601 date or timestamp, such as 2026-11-30 or 2026-11-30T09:30:00Z')
    );
  };
  const short = query.from !== undefined || query.to !== undefined;
  if (short && (query.startDate !== undefined || query.endDate !== undefined))
    refuse('from', 'use either from and to or startDate and endDate');
  const from = read(short ? 'from' : 'startDate', false);
  const to = read(short ? 'to' : 'endDate', true);
  if (from !== undefined && to !== undefined && from > to)
    refuse(short ? 'from' : 'startDate', 'the range starts after its end');
  return { from, to };
}
