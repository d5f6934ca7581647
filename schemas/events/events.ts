import type { LedgerKind } from '../vocabulary.ts';

/** Encrypted bytes with what is needed to open them, given the customer's key. */
export interface Sealed {
  readonly kekId: string;
  readonly wrappedKey: Buffer;
  readonly iv: Buffer;
  /** AES-256-GCM ciphertext with its 16-byte tag at the end. */
  readonly ciphertext: Buffer;
}

/** `audit-triplet.avsc`. */
export interface AuditTriplet {
  readonly v: 1;
  readonly auditId: string;
  readonly customerId: string;
  readonly sandboxId: string;
  readonly sandboxVersion: number;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  readonly acceptedAt: string;
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
  readonly hasThinkingBlock: boolean;
  readonly payloadDigest: Buffer;
  readonly sealed: Sealed;
}

/** What `AuditTriplet.sealed` holds, as JSON. */
export interface TripletText {
  readonly prompt: string;
  readonly response: string;
  readonly thinkingBlock?: string;
  readonly customFields?: Readonly<Record<string, unknown>>;
}

/** `ledger-entry.avsc`. */
export interface LedgerEntry {
  readonly v: number;
  readonly kind: LedgerKind;
  readonly id: string;
  readonly customerId: string;
  readonly at: string;
  readonly coreSalt: Buffer;
  readonly core: string;
  readonly coreHash: Buffer;
  readonly detailHash: Buffer;
  readonly detail: Sealed;
}

/** A ledger entry before its detail is sealed: made by `core/evidence`, written by `platform/codec`. */
export interface LedgerDraft extends Omit<LedgerEntry, 'detail'> {
  readonly detailSalt: Buffer;
  /** Canonical JSON of the detail columns. */
  readonly detail: string;
}

export const SCHEMA_NAMES = { triplet: 'cas.v1.AuditTriplet', ledger: 'cas.v1.LedgerEntry' } as const;

/** Entry id: what the fold tells repeats by. */
export const entryIdOf = (kind: LedgerKind, id: string): string => `${kind}:${id}`;

// ---- the hashed columns, v1 (final from the first stored entry on) ----------------------------------------------------

/** One line per (code, detector, version, rule): never a matched value. */
export interface DetectionSummary {
  readonly code: string;
  readonly detector: string;
  readonly version: number;
  readonly count: number;
  readonly ruleIndex?: number;
}

/** Core of a SIGNAL, v1. `at` of its entry = createdAt. */
export interface SignalCore {
  readonly auditId: string;
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  readonly region: string;
  readonly riskLevel: string;
  readonly violations: readonly string[];
  readonly regulation: readonly string[];
  readonly piiDetected: boolean;
  readonly confidence: number;
  readonly alert: boolean;
  readonly policyVersion: string | null;
  readonly source: string;
  readonly attempts: number;
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
  readonly hasThinkingBlock: boolean;
  readonly durationMs: number;
  readonly acceptedAt: string;
  readonly createdAt: string;
}

/** Detail of a SIGNAL, v1. */
export interface SignalDetail {
  readonly reasoning: string;
  readonly detections: readonly DetectionSummary[];
  /** Lower-case hex; of an INTERNAL signal it is keyed, and tells only whether a repeat is the same. */
  readonly payloadDigest: string | null;
}

export const SIGNAL_CORE_COLUMNS = [
  'auditId',
  'sandboxId',
  'sandboxSlug',
  'provider',
  'model',
  'region',
  'riskLevel',
  'violations',
  'regulation',
  'piiDetected',
  'confidence',
  'alert',
  'policyVersion',
  'source',
  'attempts',
  'promptTokens',
  'outputTokens',
  'hasThinkingBlock',
  'durationMs',
  'acceptedAt',
  'createdAt',
] as const satisfies readonly (keyof SignalCore)[];

export const SIGNAL_DETAIL_COLUMNS = [
  'reasoning',
  'detections',
  'payloadDigest',
] as const satisfies readonly (keyof SignalDetail)[];

export const ERASURE_SCOPES = ['ALL', 'DETAIL'] as const;
export type ErasureScope = (typeof ERASURE_SCOPES)[number];

/** Core of an ERASURE, v1. It names at most 5,000 targets. */
export interface ErasureCore {
  /** Inclusive index ranges; a target at or above the erasure's own index is ignored. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Only entries of these kinds are blanked. */
  readonly kinds: readonly LedgerKind[];
  readonly scope: ErasureScope;
  readonly reason: string;
  readonly basis: string | null;
  readonly policyId: string | null;
  /** True: the customer is closed; every later entry folds blank. */
  readonly closing: boolean;
}

export const MAX_ERASURE_TARGETS = 5_000;

/** Core of an EVIDENCE_EVENT that tells of an accepted loss, v1. Its detail holds the operator's reason and name. */
export interface LossAcceptedCore {
  readonly type: 'LOSS_ACCEPTED';
  readonly epoch: number;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** First offset that is not lost. */
  readonly untilOffset: number;
  /** SHA-256 of the record, hex; of missing records ''. */
  readonly digest: string;
  /** Why the record could not be stored, such as CORE_HASH. */
  readonly cause: string;
  readonly at: string;
}
