import type { FindingStatus, FindingType, LedgerKind, RiskLevel } from '../vocabulary.ts';

/** Encrypted bytes with everything needed to open them except the customer's key. */
export interface Sealed {
  readonly kekId: string;
  readonly wrappedKey: Buffer;
  readonly iv: Buffer;
  /** AES-256-GCM ciphertext followed by its 16-byte tag. */
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

/** An entry with its position in its customer's chain. */
export interface FoldedEntry {
  readonly index: number;
  readonly kind: LedgerKind;
  readonly id: string;
  readonly v: number;
  /** ISO 8601. */
  readonly at: string;
  /** Lower-case hex. */
  readonly hash: string;
  /** Canonical JSON; null if it folded blank. */
  readonly core: string | null;
  /** For a SIGNAL: the similarity fingerprint of its prompt, 64 lower-case hex digits, if it has one. */
  readonly fingerprint: string | null;
}

/** `folded-entries@2.avsc`. */
export interface FoldedEntries {
  readonly customerId: string;
  readonly epoch: number;
  readonly entries: readonly FoldedEntry[];
}

/** `correlation-finding.avsc`. The highest version of each id counts. */
export interface CorrelationFinding {
  readonly customerId: string;
  readonly id: string;
  readonly type: FindingType;
  readonly status: FindingStatus;
  /** Index of the entry that changed it. */
  readonly version: number;
  /** ISO 8601: when the finding was first reported, and when this version was. */
  readonly foundAt: string;
  readonly changedAt: string;
  readonly score: number;
  readonly riskLevel: RiskLevel;
  /** JSON of a `StoredPattern` (core/correlate). */
  readonly pattern: string;
  /** JSON of the `CorrelationSettings` (core/correlate) used to evaluate it. */
  readonly settings: string;
}

export const SCHEMA_NAMES = {
  triplet: 'cas.v1.AuditTriplet',
  ledger: 'cas.v1.LedgerEntry',
  folded: 'cas.v1.FoldedEntries',
  finding: 'cas.v1.CorrelationFinding',
} as const;

/** Entry id, which the fold uses to recognise repeats. */
export const entryIdOf = (kind: LedgerKind, id: string): string => `${kind}:${id}`;
