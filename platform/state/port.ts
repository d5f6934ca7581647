import { ServiceError } from '#platform/flow/service-error.ts';
import type { AdmittedAudits, AdmittedCount } from './admitted-audits.ts';
import type { Remains } from './check-remains.ts';
import {
  blanked,
  type Collection,
  customerCollection,
  DELETED,
  kept,
  systemCollection,
} from './collection.ts';
import type { PendingMark } from './pending-mark.ts';

/**
 * The state: data that must be decided on atomically or read right after a write. API keys, customers, sandboxes and
 * key-encryption keys are documents with compare-and-set and an outbox of ledger entries. Admission is two atomic calls
 * (`authenticate`, `reserve`), each one LMDB transaction or one Redis script; both adapters pass `contract.ts`. The
 * clock is the adapter's: given when it is opened, or the server's, which all processes share. Times are Unix ms.
 */

/** Retry: the API answers 503, a consumer pauses. It is unknown whether the call took effect, as after a crash. */
export class StateUnavailable extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StateUnavailable';
  }
}

/** Scope of documents that belong to no customer, and the collection of its singleton documents. */
export const SYSTEM_SCOPE = 'system';
export const META = 'meta';

export interface DocumentRef {
  /** A customer id, or `SYSTEM_SCOPE`. One atomic call can write everything in one scope. */
  readonly scope: string;
  readonly collection: string;
  readonly id: string;
}

export interface StoredDocument<Value = unknown> {
  readonly id: string;
  /** Starts at 1 and grows by 1 with each write. */
  readonly version: number;
  readonly value: Value;
  /** The seal written with this version; absent without one, or when the fields that admission reads differ. */
  readonly seal?: string;
}

export interface DocumentWrite {
  readonly collection: string;
  readonly id: string;
  /** 0: must not exist. Undefined: any version. */
  readonly expectedVersion?: number | undefined;
  /** JSON value; null deletes the document (its pending entries stay until appended). */
  readonly value: unknown;
  /** True: compares only the version; the document stays. A `seal` replaces the stored one, for this `value`. */
  readonly unchanged?: true;
  /** Stored with the document (`platform/sealing/document-seals.ts`). */
  readonly seal?: string;
  /** Ledger entries that record this write, appended to the document's outbox in this order. */
  readonly entries?: readonly PendingEntry[];
}

/** A ledger record that was written together with a document and still has to be appended to the log. */
export interface PendingEntry {
  /** Entry id, `<KIND>:<id>`; the fold drops repeats. */
  readonly entryId: string;
  readonly topic: string;
  readonly key: string;
  readonly valueBase64: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type WriteOutcome =
  | { readonly ok: true; readonly versions: readonly number[] }
  | { readonly ok: false; readonly conflict: { readonly collection: string; readonly id: string } }
  | { readonly ok: false; readonly claimed: string };

/** A name that is unique across all customers, such as the hash of an API key. */
export interface Claim {
  readonly name: string;
  /** JSON value returned by `claimed(name)`. */
  readonly value: unknown;
}

/**
 * On a server with replicas, a write rejects when no replica confirmed it. Until one has, its record (or an entry with
 * it) cannot be read or used by a call of `Admission`: such reads reject with `StateUnavailable`. So everything that
 * was read survives a fail-over.
 */
export interface Documents {
  get<Value>(ref: DocumentRef): Promise<StoredDocument<Value> | null>;
  /** All documents of a collection in a scope, ordered by id. For small collections. */
  list<Value>(scope: string, collection: string): Promise<StoredDocument<Value>[]>;
  /** Ids of a collection in a scope, in order. Read in steps: one added or removed meanwhile may be included or not. */
  ids(scope: string, collection: string): Promise<string[]>;
  /** All or nothing: every expected version must match, and every claim must be free or already have the same value. */
  write(scope: string, writes: readonly DocumentWrite[], claims?: readonly Claim[]): Promise<WriteOutcome>;
  claimed<Value>(name: string): Promise<Value | null>;
  /** Pending entries of a document in write order. */
  pending(ref: DocumentRef): Promise<PendingEntry[]>;
  /** Removes pending entries after they were appended to the log. Unknown ids are ignored. */
  clearPending(ref: DocumentRef, entryIds: readonly string[]): Promise<void>;
  /** Documents with pending entries, oldest first: the sweeper's work list. */
  withPending(limit: number): Promise<DocumentRef[]>;
}

/** Collections that `authenticate` and `reserve` read; their values have at least these fields. */
export const CUSTOMERS = 'customers';
export const API_KEYS = 'apiKeys';
/** Sandboxes by normalised slug (`-` as `_`): `SandboxHead` under the slug as document id. */
export const SANDBOX_SLUGS = 'sandboxSlugs';

/** Document `CUSTOMERS` of a customer's scope, id = customer id. The numbers take plan and overrides into account. */
export interface CustomerAdmission {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Accepted ingests per UTC month; null: unlimited. */
  readonly auditQuota: number | null;
  /** Refused everywhere when false (the customer is being erased). */
  readonly active: boolean;
}

/** Sessions of a customer's users: document `SESSIONS` of its scope, id = lower-case hex SHA-256 of the token. */
export const SESSIONS = 'sessions';

/** What `authenticateSession` reads. The last use is stored separately, exact to a minute, while the session exists. */
export interface SessionAdmission {
  readonly userId: string;
  /** Unix ms. */
  readonly openedAt: number;
}

/** A session ends this long after its last use, and this long after it was opened. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
export const SESSION_LIFE_MS = 30 * 24 * 3_600_000;

export const STATE_COLLECTIONS: readonly Collection[] = [
  systemCollection(META, kept('what the state has one of, and nothing of a customer')),
  customerCollection(CUSTOMERS, blanked('id, type, plan, numbers and times: the name is blanked')),
  ...[API_KEYS, SANDBOX_SLUGS, SESSIONS].map((name) => customerCollection(name, DELETED)),
];

export type BucketSize = Pick<CustomerAdmission, 'ratePerSecond' | 'burst'>;

/** Document `API_KEYS` of a customer's scope, id = key id. Admission compares its hash, because claims have no seal. */
export interface KeyAdmission {
  readonly status: 'active' | 'revoked';
  readonly keyHash: string;
}

/** Value of the claim `apiKeyClaim(hash)`. */
export interface KeyClaim {
  readonly customerId: string;
  readonly keyId: string;
}

/** `keyHash`: lower-case hex SHA-256 of the full key. */
export const apiKeyClaim = (keyHash: string): string => `apikey:${keyHash}`;

export interface SandboxHead {
  readonly sandboxId: string;
  readonly sandboxVersion: number;
  /** Slug as the customer wrote it. */
  readonly slug: string;
  readonly active: boolean;
  readonly deleted: boolean;
}

export interface RateState {
  /** Size of the bucket (= burst). */
  readonly limit: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** When the bucket will be full again, Unix ms. */
  readonly resetAt: number;
  /** 0 when admitted; else the time until the bucket holds the refused cost. */
  readonly retryAfterMs: number;
}

type Authentication<Caller> =
  | { readonly outcome: 'unknown' }
  | (Caller & {
      readonly outcome: 'admitted' | 'limited';
      /** The whole `CUSTOMERS` document (`records/customers`). */
      readonly customer: CustomerAdmission;
      readonly rate: RateState;
    });

export interface IdempotencyKey {
  /** Scope + method + path + key, hashed by the caller; unique within the customer's scope. */
  readonly key: string;
  /** Hex digest of the request's body. */
  readonly bodyDigest: string;
  /** Limit on the bytes stored in the scope; absent: unlimited. */
  readonly budgetBytes?: number;
}

/** The stored answer of a request; only 2xx. */
export interface RememberedAnswer {
  readonly statusCode: number;
  /** JSON text. */
  readonly body: string;
}

export type AttemptStart<Seed> =
  /** First attempt, or one that takes over an expired lease; `seed` is the first attempt's. */
  | { readonly kind: 'begun'; readonly seed: Seed; readonly takenOver: boolean }
  | { readonly kind: 'replay'; readonly answer: RememberedAnswer }
  | { readonly kind: 'inFlight' }
  | { readonly kind: 'mismatch' }
  /** The scope's budget has no room for another key; nothing was stored. There may be room after `retryAfterMs`. */
  | { readonly kind: 'full'; readonly retryAfterMs: number };

export interface ReserveItem {
  /** Normalized slug: lower case as sent, `-` as `_`. */
  readonly slug: string;
  readonly provider: string;
  readonly model: string;
  /** Proposed audit id (UUIDv7). */
  readonly auditId: string;
}

export interface ReserveRequest {
  readonly customerId: string;
  readonly items: readonly ReserveItem[];
  /** Rate tokens in addition to the one that `authenticate` took. */
  readonly extraRateCost: number;
  readonly idempotency: IdempotencyKey | null;
  /** Equals the time in the proposed ids, Unix ms. */
  readonly acceptedAt: number;
  /** 32 bytes, hex. */
  readonly nonce: string;
  /**
   * The caller awaits `durable` before it answers. A reservation that nothing else depends on (no key, no quota) may
   * then be returned while it is still being stored, so that the append need not wait for it.
   */
  readonly early?: boolean;
}

export type ReservedItem =
  | {
      readonly auditId: string;
      readonly sandboxId: string;
      readonly sandboxVersion: number;
      readonly sandboxSlug: string;
    }
  | { readonly refused: 'SANDBOX_NOT_FOUND' | 'SANDBOX_INACTIVE' | 'AUDIT_LIMIT_REACHED' };

/** Values that an attempt must use unchanged; stored with the idempotency key before anything is appended. */
export interface Reservation {
  readonly items: readonly ReservedItem[];
  readonly acceptedAt: number;
  readonly nonce: string;
}

export type ReserveOutcome =
  /** `durable`: set when the reservation is still being stored; rejects with `StateUnavailable`. */
  | (AttemptStart<Reservation> & { readonly durable?: Promise<void> })
  /** The extra rate cost was refused: nothing was counted or stored. */
  | { readonly kind: 'limited'; readonly rate: RateState };

export interface Admission {
  /**
   * One atomic call: key, customer, one rate token. An unknown key and a revoked key look the same. Only the key's
   * owner is cached, a claim that never changes.
   */
  authenticate(keyHash: string): Promise<Authentication<KeyClaim>>;
  /**
   * The same for a session: one atomic call finds it and its customer, takes a token from the session's bucket, and
   * records the use. A session that has ended, never existed or belongs to an inactive customer looks the same.
   */
  authenticateSession(
    customerId: string,
    sessionId: string,
    size: BucketSize,
  ): Promise<Authentication<Pick<SessionAdmission, 'userId'>>>;
  /** Takes `cost` tokens from the session's bucket (0: only reads it). */
  takeSessionRate(customerId: string, sessionId: string, size: BucketSize, cost: number): Promise<RateState>;
  /** Takes `cost` tokens from the customer's bucket (0: only reads it). An unknown or inactive customer has none. */
  takeRate(customerId: string, cost: number): Promise<RateState>;
  /** Takes `cost` tokens (0: only reads it) from a bucket of fixed size that does not depend on a plan. */
  takeFrom(bucket: string, size: BucketSize, cost: number): Promise<RateState>;
  /**
   * One atomic call: idempotency, extra rate, sandboxes, quota (min(n, left), items in order), ids, pending marks. When
   * no item is accepted nothing is stored or counted (`kind: 'begun'` with refusals only). An unknown or inactive
   * customer has no sandboxes. A take-over is neither counted nor charged again; it refreshes the marks.
   */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  /**
   * Ends an ingest attempt whose append did not succeed. `certain`: the append certainly did not happen; then count,
   * marks and the idempotency record are undone as if nothing was sent. Otherwise only the lease is released, so that a
   * retry appends under the same ids at once. An attempt that took over can be certain only of itself, not of the
   * earlier one, so its end only releases the lease, whatever `certain` is; so does a call with other items than were
   * reserved. Repeating the call undoes nothing twice.
   */
  abandon(
    customerId: string,
    reservation: Reservation,
    idempotency: IdempotencyKey | null,
    certain: boolean,
  ): Promise<void>;
  /** Accepted ingests of the customer in the UTC month of `at`. */
  auditCount(customerId: string, at: number): Promise<number>;
  /**
   * Counts audits without an Idempotency-Key (the others are counted by `settle`). Not counted: unknown or inactive
   * customers, audits from long before counting started, a past epoch. Never repeat it after `StateUnavailable`.
   */
  countAdmitted(admitted: readonly AdmittedAudits[]): Promise<void>;
  /** Null when nothing was counted. */
  admittedCount(customerId: string): Promise<AdmittedCount | null>;
  /** Removes the count of a customer being erased. */
  removeAdmittedCount(customerId: string): Promise<void>;
  pendingMark(customerId: string, auditId: string): Promise<PendingMark | null>;
  setPendingMark(customerId: string, auditId: string, mark: PendingMark): Promise<void>;
  removePendingMarks(
    marks: readonly { readonly customerId: string; readonly auditId: string }[],
  ): Promise<void>;
  /** Key id -> last use (exact to a minute), Unix ms. */
  lastUsed(customerId: string): Promise<ReadonlyMap<string, number>>;
}

export interface Idempotency {
  /**
   * For requests other than ingest: opens or joins an attempt. `seed` (ids to be used) is stored with a 30 s lease, and
   * counted with that write (`remembered-bytes.ts`); an existing key can be joined even when the budget is full.
   */
  begin<Seed>(scope: string, idempotency: IdempotencyKey, seed: Seed): Promise<AttemptStart<Seed>>;
  /**
   * Stores an answer for 24 h; every caller gets the first one stored. Works for ingest too: `admitted`, whose customer
   * is the scope, is counted in the same write, and only when this answer is the first.
   */
  settle(
    scope: string,
    idempotency: IdempotencyKey,
    answer: RememberedAnswer,
    admitted?: AdmittedAudits,
  ): Promise<RememberedAnswer>;
  /**
   * Removes an attempt that ended without a 2xx answer and changed nothing. After a take-over only the lease is
   * released, because it is unknown what the earlier attempt did under the seed.
   */
  forget(scope: string, idempotency: IdempotencyKey): Promise<void>;
  /**
   * Releases the lease of an attempt that ended without an answer and may have changed something: a retry takes over at
   * once, with the same seed.
   */
  release(scope: string, idempotency: IdempotencyKey): Promise<void>;
}

/** Small values with a TTL: death and replay marks, leases, watermarks, notes of stopped partitions, claims. */
export interface Expiring {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Sets the value only when absent; true when it was set. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>;
  /**
   * `setIfAbsent` for a value that is shown to others: once this resolves it survives a fail-over, like a record, and
   * `claimed` does not return it earlier. Has a separate key space.
   */
  claim(key: string, value: string, ttlMs: number): Promise<boolean>;
  /** The value that `claim` set. */
  claimed(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
}

export interface State {
  readonly documents: Documents;
  readonly admission: Admission;
  readonly idempotency: Idempotency;
  readonly expiring: Expiring;
  /** Rejects with `StateUnavailable` when the state cannot be reached. */
  ping(): Promise<void>;
  /** Changes whenever calls may have moved to another server, which may have missed writes, as after a fail-over. */
  connections(): number;
  /**
   * Removes pending marks and expiring values of an erased customer before they expire: they name sandboxes and models,
   * and a claim contains a whole signal. Idempotent; values written meanwhile may stay. On Redis it scans every key, a
   * thousand per round trip, so that millions take minutes: other calls continue, removals of one process take turns,
   * and the only time limit is `gone`, which aborts it.
   */
  removeRemains(remains: Remains, gone: AbortSignal): Promise<void>;
  /**
   * Rewrites the data on disk, so that no value replaced or deleted before the call remains there; copies elsewhere do.
   * Other calls continue. May take minutes; `gone` aborts it. False: the server forbids it, and its operator has to do
   * it.
   */
  scrub(gone: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Lease of an attempt in flight; lifetimes of a stored answer and of a pending mark. */
export const LEASE_MS = 30_000;
export const REMEMBERED_MS = 24 * 3_600_000;
export const PENDING_MARK_MS = 2 * 3_600_000;
