import type { SignalRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';

/**
 * The verifier's own list of the hashed columns. Deliberately independent of the definitions in `schemas/ledger`: the
 * checks, the rows and the responses are based on those, and the verifier must not share a mistake in them. A new
 * signal column must therefore also be added here; otherwise, signals that have it do not verify.
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

/** Core of a SIGNAL of any version, as hashed; in canonical JSON order, which avoids sorting. */
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
 * Detail of a SIGNAL, as hashed, without its lists. In canonical JSON the confidences (since version 4) and the
 * detections come before the rest, and the suppressed matches (since version 3) come last.
 */
export const hashedDetail = ({ v, fingerprint, payloadDigest, reasoning }: SignalRow): Values =>
  v === 1 ? { payloadDigest, reasoning } : { fingerprint, payloadDigest, reasoning };

/** Required values of columns that a version lacks: any other value would be served without being in a hash. */
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

/** All columns that scope ALL blanks, with their blank values; otherwise an erased row could hide a made-up value. */
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

/** Whether the row has no values beyond those that its version hashes. */
export const isWithinVersion = (row: SignalRow): boolean => holds(row, NOT_IN[row.v] ?? {});
/** The confidences of the detections; null in versions that lack them. */
export const confidencesOf = ({ v, confidences }: SignalRow): readonly number[] | null =>
  v < 4 ? null : confidences;
/** The columns that contain canonical JSON, in versions that have them. */
export const listsOf = ({ v, detections, suppressed }: SignalRow): readonly string[] =>
  v < 3 ? [detections] : [detections, suppressed];
export const isDetailBlank = (row: SignalRow): boolean => holds(row, BLANK_DETAIL);
export const isCoreBlank = (row: SignalRow): boolean => holds(row, BLANK_CORE);
