import type { EntityType, RedactionStrategy } from '#schemas/vocabulary.ts';
import type { Match } from '../find/match.ts';
import { betterOf } from '../find/overlap.ts';
import { finish } from '../find/steps.ts';
import type { SourceText, TextSource } from '../read/texts.ts';
import { codePointsBefore } from './code-points.ts';
import { type Unit, unitsOf } from './masked-units.ts';

/** Keyed short hash of a value: 8 hex characters, the same for the same customer, entity and value. */
export type ShortHash = (entity: EntityType, value: string) => string;

/** Never shown, not even in part, whatever the strategy. */
const ALWAYS_FULL: ReadonlySet<EntityType> = new Set([
  'CVV',
  'PASSWORD',
  'API_KEY',
  'SESSION_TOKEN',
  'PRIVATE_KEY',
]);

/** Numbers that people recognise by their last four digits. */
const NUMBERS: ReadonlySet<EntityType> = new Set([
  'PHONE',
  'SSN',
  'PASSPORT',
  'DRIVER_LICENSE',
  'NATIONAL_ID',
  'CREDIT_CARD',
  'BANK_ACCOUNT',
  'IBAN',
  'MEDICAL_RECORD_NUMBER',
  'HEALTH_INSURANCE_ID',
  'PRESCRIPTION_NUMBER',
]);
const KEPT_DIGITS = 4;

/** Replaces a value completely. */
export const placeholder = (entity: EntityType): string => `[${entity}_REDACTED]`;

const masked = (units: readonly Unit[]): string => '*'.repeat(units.length);

/** The first of two JSON escape sequences that encode one character. */
const HIGH_SURROGATE = /^[\ud800-\udbff]$/;

function maskWord(units: readonly Unit[]): string {
  const kept = HIGH_SURROGATE.test(units[0]?.read ?? '') ? 2 : 1;
  if (units.length <= kept) return '*';
  const first = units.slice(0, kept).map(({ sent }) => sent);
  return `${first.join('')}${masked(units.slice(kept))}`;
}

const DIGIT = /^\d$/;
const LETTER_OR_DIGIT = /[\p{L}\d]/u;

/** Masks all letters and digits except the last four digits; separators stay. Null if that would reveal nearly all. */
function maskNumber(units: readonly Unit[]): string | null {
  const digits = units.filter(({ read }) => DIGIT.test(read)).length;
  if (digits < KEPT_DIGITS + 3) return null;
  let toMask = digits - KEPT_DIGITS;
  const mask = ({ sent, read }: Unit): string => {
    if (!LETTER_OR_DIGIT.test(read)) return sent;
    return DIGIT.test(read) && toMask-- <= 0 ? sent : '*';
  };
  return units.map(mask).join('');
}

/**
 * Masks most of a value, keeping the first character. An email keeps its domain, a number its last four digits.
 * Secrets, passwords and verification codes become the full placeholder. An escape sequence counts as one character.
 */
export function maskPartially(entity: EntityType, value: string): string {
  if (ALWAYS_FULL.has(entity)) return placeholder(entity);
  const units = unitsOf(value);
  const at = entity === 'EMAIL' ? units.findLastIndex(({ read }) => read === '@') : -1;
  if (at > 0) {
    const domain = units.slice(at).map(({ sent }) => sent);
    return `${maskWord(units.slice(0, at))}${domain.join('')}`;
  }
  return (NUMBERS.has(entity) ? maskNumber(units) : null) ?? maskWord(units);
}

function replacement(
  entity: EntityType,
  value: string,
  strategy: RedactionStrategy,
  hash: ShortHash,
): string {
  if (strategy === 'FULL' || ALWAYS_FULL.has(entity)) return placeholder(entity);
  return strategy === 'PARTIAL' ? maskPartially(entity, value) : `[${entity}_${hash(entity, value)}]`;
}

const inQuotes = (replaced: string, quote: string | undefined): string =>
  quote === undefined ? replaced : `${quote}${replaced}${quote}`;

/** A span of text that is replaced as a whole. */
export interface RedactionSpan {
  readonly entity: EntityType;
  readonly start: number;
  readonly end: number;
  /** Whether different matches overlap here, so that a partial mask of one could reveal the other. */
  readonly mixed: boolean;
  /** The quote around the replacement, because a JSON number becomes a string. */
  readonly quote?: string | undefined;
}

type WithEntity = Match & { readonly entity: EntityType };

function hasEntity(match: Match): match is WithEntity {
  return match.entity !== null;
}

/**
 * The non-overlapping spans of a text to replace, in order. `matches` belong to that text and are ordered by `start`.
 * Where matches overlap (a custom rule across a value), one span covers them all and takes the entity of the best one.
 */
export function redactionSpans(matches: readonly Match[]): RedactionSpan[] {
  const spans: RedactionSpan[] = [];
  let best: WithEntity | null = null;
  let last: RedactionSpan | null = null;
  for (const match of matches) {
    if (!hasEntity(match)) continue;
    const { start, end, quote } = match;
    if (last === null || best === null || start >= last.end) {
      if (last !== null) spans.push(last);
      best = match;
      last = { entity: match.entity, start, end, mixed: false, quote };
    } else {
      best = betterOf(best, match);
      const whole: Pick<RedactionSpan, 'start' | 'end' | 'quote'> = {
        start: last.start,
        end: Math.max(last.end, end),
        quote: last.quote ?? quote,
      };
      last = { entity: best.entity, ...whole, mixed: true };
    }
  }
  if (last !== null) spans.push(last);
  return spans;
}

/** The replacement for one span. */
export function redactSpan(
  text: string,
  span: RedactionSpan,
  strategy: RedactionStrategy,
  hash: ShortHash,
): string {
  const { entity, start, end, mixed, quote } = span;
  const replaced =
    mixed && strategy === 'PARTIAL'
      ? placeholder(entity)
      : replacement(entity, text.slice(start, end), strategy, hash);
  return inQuotes(replaced, quote);
}

/** Replacements between two yields. */
const BATCH = 200;

/**
 * `text` with every match that has an entity replaced; all other characters are unchanged. `matches` belong to the text
 * and are ordered by `start`. Yields regularly.
 */
export function* redactInSteps(
  text: string,
  matches: readonly Match[],
  strategy: RedactionStrategy,
  hash: ShortHash,
): Generator<void, string> {
  const parts: string[] = [];
  let done = 0;
  for (const span of redactionSpans(matches)) {
    parts.push(text.slice(done, span.start), redactSpan(text, span, strategy, hash));
    done = span.end;
    if (parts.length % (2 * BATCH) === 0) yield;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** `redactInSteps` without yielding. */
export function redact(
  text: string,
  matches: readonly Match[],
  strategy: RedactionStrategy,
  hash: ShortHash,
): string {
  return finish(redactInSteps(text, matches, strategy, hash));
}

/** An element of a scan's `detectedEntities`. It contains the raw value, so only the caller may receive it. */
export interface RedactedEntity {
  readonly type: EntityType;
  readonly originalValue: string;
  readonly redactedValue: string;
  readonly start: number;
  readonly end: number;
  /** The same span in code points. */
  readonly startCodePoint: number;
  readonly endCodePoint: number;
  readonly confidence: number;
  readonly source: TextSource;
  readonly ruleIndex?: number;
}

/**
 * The matches with an entity, in the order of `matches`, each with its value before and after redaction. Yields
 * regularly.
 */
export function* entitiesInSteps(
  texts: readonly SourceText[],
  matches: readonly Match[],
  strategy: RedactionStrategy,
  hash: ShortHash,
): Generator<void, RedactedEntity[]> {
  const textOf = new Map(texts.map(({ source, text }) => [source, text]));
  const offsetsOf = new Map<TextSource, (offset: number) => number>();
  const entities: RedactedEntity[] = [];
  for (const match of matches) {
    if (!hasEntity(match)) continue;
    const { entity, start, end, confidence, source, ruleIndex, quote } = match;
    const text = textOf.get(source) ?? '';
    const originalValue = text.slice(start, end);
    let codePointAt = offsetsOf.get(source);
    if (codePointAt === undefined) {
      codePointAt = codePointsBefore(text);
      offsetsOf.set(source, codePointAt);
    }
    const redactedValue = inQuotes(replacement(entity, originalValue, strategy, hash), quote);
    const rule = ruleIndex === undefined ? {} : { ruleIndex };
    entities.push({
      type: entity,
      originalValue,
      redactedValue,
      start,
      end,
      startCodePoint: codePointAt(start),
      endCodePoint: codePointAt(end),
      confidence,
      source,
      ...rule,
    });
    if (entities.length % BATCH === 0) yield;
  }
  return entities;
}
