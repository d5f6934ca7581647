import {
  ERASURE_SCOPES,
  type ErasureCore,
  MAX_ERASURE_TARGETS,
  type SIGNAL_CORE_COLUMNS,
  type SIGNAL_DETAIL_COLUMNS,
} from '../../schemas/events/events.ts';
import { LEDGER_KINDS, type LedgerKind } from '../../schemas/vocabulary.ts';
import { isWellFormed } from './canonical-json.ts';

/**
 * What the hashed columns of version 1 may hold: exactly what the tables store without loss. A value that a column
 * would round, cut or wrap would be served differently from how it was hashed.
 */

type Check = (value: unknown) => boolean;
type Columns = Readonly<Record<string, Check>>;

const HASH = /^[0-9a-f]{64}$/;
const YEAR_MS = { first: Date.UTC(1970, 0, 1), last: Date.UTC(2299, 0, 1) };

/** Times whose day every month has: nearly all, and told at a fifth of the cost. */
const PLAIN_TIME =
  /^(?:19[7-9]\d|2[01]\d\d|22[0-8]\d|229[0-8])-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** ISO 8601 UTC with milliseconds, within what the tables' DateTime64(3) holds. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (PLAIN_TIME.test(value)) return true;
  const at = Date.parse(value);
  return at >= YEAR_MS.first && at < YEAR_MS.last && new Date(at).toISOString() === value;
}

const isText: Check = (value) => typeof value === 'string' && isWellFormed(value);
const isBoolean: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isUInt16: Check = (value) => isCount(value) && (value as number) <= 0xffff;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Name of the first column that is missing, not known or of another type, or null. */
function columnFault(columns: Columns, value: unknown): string | null {
  if (!isObject(value)) return 'it is not an object';
  for (const [name, check] of Object.entries(columns)) {
    if (!Object.hasOwn(value, name)) return `column ${name} is missing`;
    if (!check(value[name])) return `column ${name} does not hold what version 1 defines`;
  }
  const extra = Object.keys(value).length - Object.keys(columns).length;
  return extra === 0 ? null : `${extra} columns are not part of version 1`;
}

const SIGNAL_CORE: Readonly<Record<(typeof SIGNAL_CORE_COLUMNS)[number], Check>> = {
  auditId: isText,
  sandboxId: isText,
  sandboxSlug: isText,
  provider: isText,
  model: isText,
  region: isText,
  riskLevel: isText,
  violations: listOf(isText),
  regulation: listOf(isText),
  piiDetected: isBoolean,
  confidence: isNumber,
  alert: isBoolean,
  policyVersion: orNull(isText),
  source: isText,
  attempts: isUInt16,
  promptTokens: orNull(isCount),
  outputTokens: orNull(isCount),
  hasThinkingBlock: isBoolean,
  durationMs: isNumber,
  acceptedAt: isTime,
  createdAt: isTime,
};

const DETECTION: Columns = { code: isText, detector: isText, version: isCount, count: isCount };
const isDetection: Check = (value) =>
  isObject(value) &&
  columnFault('ruleIndex' in value ? { ...DETECTION, ruleIndex: isCount } : DETECTION, value) === null;

const SIGNAL_DETAIL: Readonly<Record<(typeof SIGNAL_DETAIL_COLUMNS)[number], Check>> = {
  reasoning: isText,
  detections: listOf(isDetection),
  payloadDigest: orNull((value) => typeof value === 'string' && HASH.test(value)),
};

const isRange: Check = (value) =>
  Array.isArray(value) && value.length === 2 && value.every(isCount) && value[0] <= value[1];

const ERASURE_CORE: Readonly<Record<keyof ErasureCore, Check>> = {
  ranges: (value) =>
    Array.isArray(value) &&
    value.every(isRange) &&
    (value as [number, number][]).reduce((sum, [from, to]) => sum + to - from + 1, 0) <= MAX_ERASURE_TARGETS,
  kinds: listOf((kind) => (LEDGER_KINDS as readonly unknown[]).includes(kind)),
  scope: (value) => (ERASURE_SCOPES as readonly unknown[]).includes(value),
  reason: isText,
  basis: orNull(isText),
  policyId: orNull(isText),
  closing: isBoolean,
};

/** What is wrong with the core of an entry, version 1, or null. Names columns, never values. */
export function coreFault(kind: LedgerKind, id: string, at: string, core: unknown): string | null {
  if (kind === 'ERASURE') return columnFault(ERASURE_CORE, core);
  if (kind !== 'SIGNAL') return isObject(core) ? null : 'it is not an object';
  const fault = columnFault(SIGNAL_CORE, core);
  if (fault !== null) return fault;
  const { auditId, createdAt } = core as { auditId: string; createdAt: string };
  if (auditId !== id) return 'auditId is not the id of the entry';
  return createdAt === at ? null : 'createdAt is not the time of the entry';
}

/** What is wrong with the detail of an entry, version 1, or null. Names columns, never values. */
export function detailFault(kind: LedgerKind, detail: unknown): string | null {
  if (kind === 'SIGNAL') return columnFault(SIGNAL_DETAIL, detail);
  return isObject(detail) ? null : 'it is not an object';
}
