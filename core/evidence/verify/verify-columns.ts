import type { SignalRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';

/**
 * The verifier's own list of the hashed columns. It is independent of the definitions in `schemas/ledger` on purpose:
 * the checks, the rows and what is served are made from those, and a mistake in them must not be one of the verifier
 * too. So a new column of a signal is added here as well; without it, the signals that have it do not verify.
 */

const VERSIONS: Readonly<Record<LedgerKind, readonly number[]>> = {
  SIGNAL: [1, 2, 3, 4],
  ERASURE: [1],
  INCIDENT_EVENT: [1],
  POLICY_EVENT: [1],
  KEY_EVENT: [1],
  AUDITOR_ACCESS: [1],
  EVIDENCE_EVENT: [1],
};

export const isKnownVersion = (kind: LedgerKind, v: number): boolean =>
  Object.hasOwn(VERSIONS, kind) ? VERSIONS[kind].includes(v) : v === 1;

type Values = Readonly<Record<string, unknown>>;

/**
 * Core of a SIGNAL of any version, as it was hashed; in the order of canonical JSON, which then has nothing to sort.
 */
export const hashedCore = (row: SignalRow): Values => ({
  acceptedAt: row.acceptedAt,
  alert: row.alert,
  attempts: row.attempts,
  auditId: row.auditId,
  confidence: row.confidence,
  createdAt: row.createdAt,
  durationMs: row.durationMs,
  hasThinkingBlock: row.hasThinkingBlock,
  model: row.model,
  outputTokens: row.outputTokens,
  piiDetected: row.piiDetected,
  policyVersion: row.policyVersion,
  promptTokens: row.promptTokens,
  provider: row.provider,
  region: row.region,
  regulation: row.regulation,
  riskLevel: row.riskLevel,
  sandboxId: row.sandboxId,
  sandboxSlug: row.sandboxSlug,
  source: row.source,
  violations: row.violations,
});

/**
 * Detail of a SIGNAL, as it was hashed, without its lists. In canonical JSON the confidences, which version 4 adds, and
 * the detections come before the rest, and what was suppressed, which version 3 adds, comes last.
 */
export const hashedDetail = ({ v, fingerprint, payloadDigest, reasoning }: SignalRow): Values =>
  v === 1 ? { payloadDigest, reasoning } : { fingerprint, payloadDigest, reasoning };

/** Columns that a version lacks, with the values in its rows: any other value would be served but is in no hash. */
const NOT_IN_V3 = { confidences: [] } as const;
const NOT_IN_V2 = { suppressed: '[]', ...NOT_IN_V3 } as const;
const NOT_IN_V1 = { fingerprint: null, ...NOT_IN_V2 } as const;
const NOT_IN: Readonly<Record<number, Values>> = { 1: NOT_IN_V1, 2: NOT_IN_V2, 3: NOT_IN_V3 };

const BLANK_DETAIL = {
  reasoning: null,
  detections: '[]',
  payloadDigest: null,
  fingerprint: null,
  suppressed: '[]',
  confidences: [],
  detailSalt: '',
} as const;

/** Every column that scope ALL blanks, with its blank value; otherwise a made-up value could hide in an erased row. */
const BLANK_CORE = {
  sandboxId: '',
  sandboxSlug: '',
  provider: '',
  model: '',
  region: '',
  riskLevel: '',
  violations: [],
  regulation: [],
  piiDetected: false,
  confidence: 0,
  alert: false,
  policyVersion: null,
  source: '',
  attempts: 0,
  promptTokens: null,
  outputTokens: null,
  hasThinkingBlock: false,
  durationMs: 0,
  coreSalt: '',
} as const satisfies Partial<Record<keyof SignalRow, unknown>>;

const holds = (row: object, expected: Values): boolean =>
  Object.entries(expected).every(([name, value]) => {
    const found = (row as Values)[name];
    return Array.isArray(value) ? Array.isArray(found) && found.length === 0 : found === value;
  });

/** Whether the row contains nothing that its version does not hash. */
export const isWithinVersion = (row: SignalRow): boolean => holds(row, NOT_IN[row.v] ?? {});
/** The confidences of the detections; null in the versions that lack them. */
export const confidencesOf = ({ v, confidences }: SignalRow): readonly number[] | null =>
  v < 4 ? null : confidences;
/** The columns that hold canonical JSON, in the versions that have them. */
export const listsOf = ({ v, detections, suppressed }: SignalRow): readonly string[] =>
  v < 3 ? [detections] : [detections, suppressed];
export const isDetailBlank = (row: SignalRow): boolean => holds(row, BLANK_DETAIL);
export const isCoreBlank = (row: SignalRow): boolean => holds(row, BLANK_CORE);
