import { z } from 'zod';
import { nearestName } from '../../nearest-name.ts';
import { RISK_LEVELS, type RiskLevel } from '../../vocabulary.ts';

/** Field types shared by several resources. */

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A time in responses: ISO 8601, UTC, milliseconds. */
export const isoTime = z
  .string()
  .regex(ISO_TIME)
  .meta({ description: 'ISO 8601, UTC, milliseconds', examples: ['2026-11-20T09:30:00.000Z'] });

export const uuid = z.guid('Expected a UUID').meta({ examples: ['01993d5a-7c00-7000-8000-000000000001'] });

export const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

/** An integer in a query, where all values are text. */
export function queryInteger(least: number, digits = 9) {
  const most = 10 ** digits - 1;
  const expected = `Expected a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), expected)
    .transform(Number)
    .refine((value) => value >= least, expected)
    .meta({ type: 'integer', minimum: least, maximum: most, pattern: undefined });
}

const TOKENS_EXPECTED = 'Expected a token count of 0 or more, as a number or a string of digits';
const NUMERIC_STRING = /^\d{1,15}(\.\d{1,16})?$/;

/** Converts strings of digits to numbers, and rounds fractions, which occur in token estimates. */
function wholeTokens(sent: unknown): unknown {
  const value = typeof sent === 'string' && NUMERIC_STRING.test(sent) ? Number(sent) : sent;
  // A negative fraction is left as it is, so that it is not rounded to zero.
  return typeof value === 'number' && value > 0 ? Math.round(value) : value;
}

/** The log's encoding cannot hold a larger integer. */
const MAX_TOKENS = 2 ** 53 - 2;

/** A number of tokens as clients send it. */
export const sentTokenCount = z
  .preprocess(
    wholeTokens,
    z
      .int({ error: ({ input }) => (input === undefined ? undefined : TOKENS_EXPECTED) })
      .nonnegative(TOKENS_EXPECTED)
      .max(MAX_TOKENS, TOKENS_EXPECTED),
  )
  .meta({
    type: undefined,
    minimum: undefined,
    maximum: undefined,
    anyOf: [
      { type: 'number', minimum: 0, maximum: MAX_TOKENS },
      { type: 'string', pattern: NUMERIC_STRING.source },
    ],
  });

const MAX_NAME = 128;
/**
 * Control, format and other invisible characters. Characters beyond the basic plane are written literally, because not
 * every reader of the API description knows their escapes.
 */
const UNSEEN = [
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160',
  '\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb',
  '\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}',
].join('');

/** For names and titles: two that differ only in invisible characters would look the same. */
export const SEEN = new RegExp(`^[^${UNSEEN}]*$`, 'u');
export const SAY_SEEN = 'use visible characters only: no control, format or zero-width characters';

/** A name chosen by a person. */
export const displayName = z.string().min(1).max(MAX_NAME).regex(SEEN, SAY_SEEN);

export const MAX_EMAIL = 254;
export const emailAddress = z
  .string()
  .max(MAX_EMAIL)
  .regex(/^[!-?A-~]+@[!-?A-~]+$/, 'Expected an email address');

/** Filters a list by name; an unknown name gives an empty list. */
export const nameFilter = z.string().min(1).max(MAX_NAME).optional();

const PROVIDER = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const MAX_SENT_PROVIDER = 128;

/** Normalizes a provider's own spelling, such as `Google AI Studio` or `azure/openai`, to the one that is stored. */
const foldProvider = (sent: string): string =>
  PROVIDER.test(sent) || sent.length > MAX_SENT_PROVIDER
    ? sent
    : sent
        .trim()
        .toLowerCase()
        .replace(/[\s/]+/g, '-');

/** Pattern of the spellings accepted as a provider. */
const SENT_PROVIDER = '^[ \\t\\r\\n]*[A-Za-z0-9](?:[A-Za-z0-9._-]|[ \\t\\r\\n/]+){0,63}[ \\t\\r\\n]*$';

export const provider = z
  .string()
  .overwrite(foldProvider)
  .regex(PROVIDER, 'Expected 1 to 64 letters, digits, ., _ and -, starting with a letter or digit')
  .meta({ pattern: SENT_PROVIDER, maxLength: MAX_SENT_PROVIDER });

/** Filters a list by provider, in any spelling. */
export const providerFilter = z.string().min(1).max(MAX_NAME).overwrite(foldProvider).optional();

const LEVELS = RISK_LEVELS.join('|');

function sayLevels(sent: string): string {
  const nearest = sent.includes(',') ? null : nearestName(sent, RISK_LEVELS);
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  return `one of ${RISK_LEVELS.join(', ')}, or several separated by commas${hint}`;
}

/**
 * Filters a list by risk level: one, or several separated by commas. The parsed list has no duplicates, lowest first.
 */
export const riskLevelFilter = z
  .string()
  .regex(new RegExp(`^(${LEVELS})(,(${LEVELS})){0,${RISK_LEVELS.length - 1}}$`), {
    error: ({ input }) => sayLevels(String(input)),
  })
  .transform((text): RiskLevel[] => {
    const given = text.split(',');
    return RISK_LEVELS.filter((level) => given.includes(level));
  })
  .optional();

/** Lower case, words joined by single hyphens or underscores. */
const SLUG_PATTERN = /^[a-z0-9]+([_-][a-z0-9]+)*$/;
export const sandboxSlug = z
  .string()
  .min(2)
  .max(64)
  .regex(SLUG_PATTERN, 'use lower-case letters and digits, with single - or _ between them: my-app');

/** The id of a record in a path. A malformed id is treated as unknown: 404, never 400. */
export const idParams = z.object({ id: z.string() });

/** A single object in a response: its fields at the top level, and again under `data`. */
export const single = <Shape extends z.ZodRawShape>(record: z.ZodObject<Shape>) =>
  record.extend({ data: record });
