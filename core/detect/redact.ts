import type { EntityType, RedactionStrategy } from '../../schemas/vocabulary.ts';
import type { Finding, SourceText, TextSource } from './detect.ts';
import { worthier } from './overlap.ts';

/** Keyed short hash of a value: 8 hex characters, the same for the same customer, entity and value. */
export type ShortHash = (entity: EntityType, value: string) => string;

/** No part of these is ever shown, whatever the strategy. */
const ALWAYS_FULL: ReadonlySet<EntityType> = new Set([
  'CVV',
  'PASSWORD',
  'API_KEY',
  'SESSION_TOKEN',
  'PRIVATE_KEY',
]);

/** Values that people know by their last four digits. */
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

/** What replaces a value in full. */
export const placeholder = (entity: EntityType): string => `[${entity}_REDACTED]`;

function maskWord(value: string): string {
  const characters = Array.from(value);
  if (characters.length < 2) return '*';
  return `${characters[0]}${'*'.repeat(characters.length - 1)}`;
}

/** Every letter and digit but the last four digits; separators stay. Null when four digits would be nearly all. */
function maskNumber(value: string): string | null {
  const digits = value.match(/\d/g)?.length ?? 0;
  if (digits < KEPT_DIGITS + 3) return null;
  let toMask = digits - KEPT_DIGITS;
  return value.replaceAll(/[\p{L}\d]/gu, (character) => {
    const isDigit = character >= '0' && character <= '9';
    if (isDigit && toMask-- <= 0) return character;
    return '*';
  });
}

/**
 * A value with most of it hidden: first character and asterisks; an e-mail keeps its domain, a number its
 * last four digits. Secrets, passwords and verification codes give the full placeholder.
 */
export function maskPartially(entity: EntityType, value: string): string {
  if (ALWAYS_FULL.has(entity)) return placeholder(entity);
  const at = value.lastIndexOf('@');
  if (entity === 'EMAIL' && at > 0) return `${maskWord(value.slice(0, at))}${value.slice(at)}`;
  return (NUMBERS.has(entity) ? maskNumber(value) : null) ?? maskWord(value);
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

/** A stretch of text that is replaced as one. */
export interface RedactionSpan {
  readonly entity: EntityType;
  readonly start: number;
  readonly end: number;
  /** Readings that differ lie across each other here: a partial mask of one could show the other. */
  readonly mixed: boolean;
}

type WithEntity = Finding & { readonly entity: EntityType };

function hasEntity(finding: Finding): finding is WithEntity {
  return finding.entity !== null;
}

/**
 * The stretches of a text to replace, ordered, without overlap. `findings` are those of that text. Where
 * findings overlap (a custom rule across a value), the stretch covers all of them and takes the
 * name of the worthiest.
 */
export function redactionSpans(findings: readonly Finding[]): RedactionSpan[] {
  const spans: RedactionSpan[] = [];
  let best: WithEntity | null = null;
  for (const finding of findings.filter(hasEntity).toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const { start, end } = finding;
    const last = spans.at(-1);
    if (last === undefined || best === null || start >= last.end) {
      spans.push({ entity: finding.entity, start, end, mixed: false });
      best = finding;
    } else {
      best = worthier(best, finding);
      spans[spans.length - 1] = {
        entity: best.entity,
        start: last.start,
        end: Math.max(last.end, end),
        mixed: true,
      };
    }
  }
  return spans;
}

/** How one stretch reads after redaction. */
export function redactSpan(
  text: string,
  span: RedactionSpan,
  strategy: RedactionStrategy,
  hash: ShortHash,
): string {
  if (span.mixed && strategy === 'PARTIAL') return placeholder(span.entity);
  return replacement(span.entity, text.slice(span.start, span.end), strategy, hash);
}

/** `text` with every find that has an entity replaced; all other characters stay as they are. */
export function redact(
  text: string,
  findings: readonly Finding[],
  strategy: RedactionStrategy,
  hash: ShortHash,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const span of redactionSpans(findings)) {
    parts.push(text.slice(done, span.start), redactSpan(text, span, strategy, hash));
    done = span.end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** One entry of a scan's `detectedEntities`. It holds the raw value: for the caller's answer only. */
export interface RedactedEntity {
  readonly type: EntityType;
  readonly originalValue: string;
  readonly redactedValue: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly source: TextSource;
  readonly ruleIndex?: number;
}

/** The finds with an entity, in the order of `findings`, each with its own value before and after redaction. */
export function redactedEntities(
  texts: readonly SourceText[],
  findings: readonly Finding[],
  strategy: RedactionStrategy,
  hash: ShortHash,
): RedactedEntity[] {
  const textOf = new Map(texts.map(({ source, text }) => [source, text]));
  return findings.filter(hasEntity).map(({ entity, start, end, confidence, source, ruleIndex }) => {
    const originalValue = (textOf.get(source) ?? '').slice(start, end);
    const redactedValue = replacement(entity, originalValue, strategy, hash);
    const rule = ruleIndex === undefined ? {} : { ruleIndex };
    return { type: entity, originalValue, redactedValue, start, end, confidence, source, ...rule };
  });
}
