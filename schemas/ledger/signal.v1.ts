import { z } from 'zod';
import { hash as hashShown, isoTime, uuid } from '../api/fields/fields.ts';
import { TIME } from '../time.ts';
import { AUDIT_SOURCES, REGIONS, RISK_LEVELS } from '../vocabulary.ts';
import { column, KEPT } from './columns.ts';
import { defineVersion, type EntryOf } from './definition.ts';
import { count, flag, hash, listOf, nullable, number, objectOf, text, time, uint16 } from './field-types.ts';

const WORD = 'LowCardinality(String)';
const WORDS = 'Array(LowCardinality(String))';

/** One line per (code, detector, version, rule); never contains a matched value. */
const detection = objectOf({ code: text, detector: text, version: count, count }, { ruleIndex: count });
const detectionShown = z.object({
  code: z.string(),
  detector: z.string(),
  version: z.int(),
  count: z.int(),
  ruleIndex: z.int().optional(),
});

/**
 * The result of an analysis. The entry's `id` is the auditId, `at` is createdAt. Final: fields, types and blanks of
 * version 1 never change. Columns are in table order, except those that rows are sorted by.
 */
const core = {
  auditId: column(text, { sql: 'String', blank: KEPT, api: uuid, exported: 1 }),
  sandboxId: column(text, { sql: 'String', blank: '', api: z.string() }),
  sandboxSlug: column(text, { sql: WORD, blank: '', api: z.string(), exported: 3 }),
  provider: column(text, { sql: WORD, blank: '', api: z.string(), exported: 4 }),
  model: column(text, { sql: WORD, blank: '', api: z.string(), exported: 5 }),
  region: column(text, { sql: WORD, blank: '', api: z.enum(REGIONS), exported: 12 }),
  riskLevel: column(text, { sql: WORD, blank: '', api: z.enum(RISK_LEVELS), exported: 6 }),
  violations: column(listOf(text), { sql: WORDS, blank: [], api: z.array(z.string()), exported: 7 }),
  regulation: column(listOf(text), { sql: WORDS, blank: [], api: z.array(z.string()), exported: 8 }),
  piiDetected: column(flag, { sql: 'Bool', blank: false, api: z.boolean(), exported: 9 }),
  confidence: column(number, { sql: 'Float64', blank: 0, api: z.number().min(0).max(1), exported: 10 }),
  alert: column(flag, { sql: 'Bool', blank: false, api: z.boolean(), exported: 18 }),
  policyVersion: column(nullable(text), {
    sql: 'Nullable(String)',
    blank: null,
    api: z.string().nullable(),
    exported: 17,
  }),
  source: column(text, { sql: WORD, blank: '', api: z.enum(AUDIT_SOURCES) }),
  attempts: column(uint16, { sql: 'UInt16', blank: 0, api: z.int() }),
  promptTokens: column(nullable(count), {
    sql: 'Nullable(UInt64)',
    blank: null,
    api: z.int().nullable(),
    exported: 13,
  }),
  outputTokens: column(nullable(count), {
    sql: 'Nullable(UInt64)',
    blank: null,
    api: z.int().nullable(),
    exported: 14,
  }),
  hasThinkingBlock: column(flag, { sql: 'Bool', blank: false, api: z.boolean(), exported: 15 }),
  durationMs: column(number, { sql: 'Float64', blank: 0, api: z.number(), exported: 16 }),
  acceptedAt: column(time, { sql: TIME, blank: KEPT, api: isoTime }),
  createdAt: column(time, { sql: TIME, blank: KEPT, api: isoTime, exported: 2 }),
} as const;

const detail = {
  reasoning: column(text, { sql: 'Nullable(String)', blank: null, api: z.string().nullable(), exported: 11 }),
  detections: column(listOf(detection), {
    sql: 'String',
    storedAs: 'JSON',
    blank: [],
    api: z.array(detectionShown),
  }),
  /** Keyed for an INTERNAL signal, where it only shows whether a repeat is identical. */
  payloadDigest: column(nullable(hash), { sql: 'Nullable(String)', blank: null, api: hashShown.nullable() }),
} as const;

export const SIGNAL_V1 = defineVersion({
  kind: 'SIGNAL',
  v: 1,
  shapes: [{ core, detail }],
  stored: { core: 'CLOSED', detail: 'CLOSED' },
  rule: signalRule,
});

/** Applies to every version: the table's sort key must agree with the entry. */
export function signalRule(
  { auditId, createdAt }: Readonly<Record<string, unknown>>,
  id: string,
  at: string,
): string | null {
  if (auditId !== id) return 'auditId is not the id of the entry';
  return createdAt === at ? null : 'createdAt is not the time of the entry';
}

type Signal = EntryOf<typeof SIGNAL_V1>;
export type SignalCore = Signal['core'];
export type SignalDetail = Signal['detail'];
