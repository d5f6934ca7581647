import type { FindingStatus, FindingType, LedgerKind, RiskLevel } from '../vocabulary.ts';

/** Encrypted bytes with everything but the customer's key that is needed to open them. */
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

/** JSON content of `AuditTriplet.sealed`. */
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

/** A ledger entry before its detail is sealed: created by `core/evidence`, encoded by `platform/codec`. */
export interface LedgerDraft extends Omit<LedgerEntry, 'detail'> {
  readonly detailSalt: Buffer;
  /** Canonical JSON of the detail columns. */
  readonly detail: string;
}

/** An entry with its place in the chain of its customer. */
export interface FoldedEntry {
  readonly index: number;
  readonly kind: LedgerKind;
  readonly id: string;
  readonly v: number;
  /** ISO 8601. */
  readonly at: string;
  /** Lower-case hex. */
  readonly hash: string;
  /** Canonical JSON; null: it folded blank. */
  readonly core: string | null;
  /** Of a SIGNAL: the similarity fingerprint of its prompt, 64 lower-case hex digits, where it has one. */
  readonly fingerprint: string | null;
}

/** `folded-entries@2.avsc`. */
export interface FoldedEntries {
  readonly customerId: string;
  readonly epoch: number;
  readonly entries: readonly FoldedEntry[];
}

/** `correlation-finding.avsc`. Of one id the highest version counts. */
export interface CorrelationFinding {
  readonly customerId: string;
  readonly id: string;
  readonly type: FindingType;
  readonly status: FindingStatus;
  /** Index of the entry that changed it. */
  readonly version: number;
  /** ISO 8601: when it was first told, and when so. */
  readonly foundAt: string;
  readonly changedAt: string;
  readonly score: number;
  readonly riskLevel: RiskLevel;
  /** JSON of a `StoredPattern` (core/correlate). */
  readonly pattern: string;
  /** JSON of the `CorrelationSettings` (core/correlate) by which it was judged. */
  readonly settings: string;
}

export const SCHEMA_NAMES = {
  triplet: 'cas.v1.AuditTriplet',
  ledger: 'cas.v1.LedgerEntry',
  folded: 'cas.v1.FoldedEntries',
  finding: 'cas.v1.CorrelationFinding',
} as const;

/** Entry id, by which the fold recognises repeats. */
export const entryIdOf = (kind: LedgerKind, id: string): string => `${kind}:${id}`;
