/**
 * The state: what must be decided atomically or read right after it was written. API keys, customers, sandboxes and keys
 * of keys are documents with compare-and-set and an outbox of ledger entries; admission is two atomic calls (`authenticate`,
 * `reserve`): one LMDB transaction each, or one script of Redis; both adapters pass `contract.ts`. The clock is that of the
 * adapter: given when it is opened, or the server's, on which all processes agree. Times are Unix ms.
 */

/** Worth a retry: the API answers 503, a consumer pauses. Whether the call took effect is not known, as after a crash. */
export class StateUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StateUnavailable';
  }
}

/** Scope of documents that belong to no customer. */
export const SYSTEM_SCOPE = 'system';

export interface DocumentRef {
  /** A customer id, or `SYSTEM_SCOPE`. Everything in one scope can be written in one atomic call. */
  readonly scope: string;
  readonly collection: string;
  readonly id: string;
}

export interface StoredDocument<Value = unknown> {
  readonly id: string;
  /** From 1, plus 1 with each write. */
  readonly version: number;
  readonly value: Value;
}

export interface DocumentWrite {
  readonly collection: string;
  readonly id: string;
  /** 0: must not exist. Undefined: whatever is there. */
  readonly expectedVersion?: number | undefined;
  /** JSON value; null deletes the document (its pending entries stay until appended). */
  readonly value: unknown;
  /** Ledger entries that tell of this write, appended to the document's outbox in this order. */
  readonly entries?: readonly PendingEntry[];
}

/** A ledger record that was decided together with a document and still has to reach the log. */
export interface PendingEntry {
  /** Entry id, `<KIND>:<id>`; the fold drops repeats of it. */
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

/** A name that is unique over all customers, such as the hash of an API key. */
export interface Claim {
  readonly name: string;
  /** JSON value found again with `claimed(name)`. */
  readonly value: unknown;
}

/**
 * Where a server hands its writes on to others, a write that none of them confirmed rejects, and nobody reads its record
 * (nor an entry with it, nor by a call of `Admission`) until one has: such reads reject with
 * `StateUnavailable`. What was read is therefore there after a fail-over.
 */
export interface Documents {
  get<Value>(ref: DocumentRef): Promise<StoredDocument<Value> | null>;
  /** All of a collection in a scope, ordered by id. For small collections. */
  list<Value>(scope: string, collection: string): Promise<StoredDocument<Value>[]>;
  /** Ids of a collection in a scope, in order, without values. In steps: one that comes or goes meanwhile may be told or not. */
  ids(scope: string, collection: string): Promise<string[]>;
  /** All or nothing: every compare must hold and every claim be free (or hold the same value already). */
  write(scope: string, writes: readonly DocumentWrite[], claims?: readonly Claim[]): Promise<WriteOutcome>;
  claimed<Value>(name: string): Promise<Value | null>;
  /** Pending entries of a document in the order in which they were written. */
  pending(ref: DocumentRef): Promise<PendingEntry[]>;
  /** Removes pending entries after they reached the log. Unknown ids are ignored. */
  clearPending(ref: DocumentRef, entryIds: readonly string[]): Promise<void>;
  /** Documents with pending entries, oldest first: the sweeper's work list. */
  withPending(limit: number): Promise<DocumentRef[]>;
}

/** Collections that `authenticate` and `reserve` read; their values carry at least these fields. */
export const CUSTOMERS = 'customers';
export const API_KEYS = 'apiKeys';
/** Sandboxes by normalised slug (`-` as `_`): `SandboxHead` under the slug as document id. */
export const SANDBOX_SLUGS = 'sandboxSlugs';

/** Document `CUSTOMERS` of a customer's scope, id = customer id. Numbers already follow plan and overrides. */
export interface CustomerAdmission {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Accepted ingests per UTC month; null: unlimited. */
  readonly auditQuota: number | null;
  /** Refused everywhere when false (the customer is being erased). */
  readonly active: boolean;
}

/** Document `API_KEYS` of a customer's scope, id = key id. */
export interface KeyAdmission {
  readonly status: 'active' | 'revoked';
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
  /** As the customer wrote it. */
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
  /** 0 when admitted; else how long until the refused cost is there. */
  readonly retryAfterMs: number;
}

export type Authentication =
  | { readonly outcome: 'unknown' }
  | {
      readonly outcome: 'admitted' | 'limited';
      readonly customerId: string;
      readonly keyId: string;
      /** The whole `CUSTOMERS` document (records of `platform/directory`). */
      readonly customer: CustomerAdmission;
      readonly rate: RateState;
    };

export interface IdempotencyKey {
  /** Scope + method + path + key, hashed by the caller; unique within the customer's scope. */
  readonly key: string;
  /** Hex digest of the request's body. */
  readonly bodyDigest: string;
  /** What all that is remembered in the scope may take together; absent: it is not limited. */
  readonly budgetBytes?: number;
}

/** The remembered answer of a request: only 2xx. */
export interface RememberedAnswer {
  readonly statusCode: number;
  /** JSON text. */
  readonly body: string;
}

export type Begun<Seed> =
  /** First attempt, or one that takes over a lapsed lease: `seed` is the first attempt's. */
  | { readonly kind: 'begun'; readonly seed: Seed; readonly takenOver: boolean }
  | { readonly kind: 'replay'; readonly answer: RememberedAnswer }
  | { readonly kind: 'inFlight' }
  | { readonly kind: 'mismatch' }
  /** The scope's budget has no room for another key; nothing was stored. Some may be free after so long. */
  | { readonly kind: 'full'; readonly retryAfterMs: number };

export interface ReserveItem {
  /** Normalised slug: lower case as sent, `-` as `_`. */
  readonly slug: string;
  readonly provider: string;
  readonly model: string;
  /** Proposed audit id (UUIDv7). */
  readonly auditId: string;
}

export interface ReserveRequest {
  readonly customerId: string;
  readonly items: readonly ReserveItem[];
  /** Rate tokens beyond the one that `authenticate` took. */
  readonly extraRateCost: number;
  readonly idempotency: IdempotencyKey | null;
  /** = the time in the proposed ids, Unix ms. */
  readonly acceptedAt: number;
  /** 32 bytes, hex. */
  readonly nonce: string;
  /**
   * The caller waits for `durable` before it answers anybody. Then a reservation on which nothing else hangs (no key, no
   * quota) may be handed out while it is being stored, so that the append need not wait for it.
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

/** What an attempt must use unchanged: stored with the idempotency key before anything is appended. */
export interface Reservation {
  readonly items: readonly ReservedItem[];
  readonly acceptedAt: number;
  readonly nonce: string;
}

export type ReserveOutcome =
  /** `durable`: set when the reservation is still being stored; rejects with `StateUnavailable`. */
  | (Begun<Reservation> & { readonly durable?: Promise<void> })
  /** Extra rate cost refused: nothing was counted or stored. */
  | { readonly kind: 'limited'; readonly rate: RateState };

/**
 * Kept from the 202 until the sink has stored the acceptance (2 h at most): makes GET /audits/:id see it at once. A server
 * whose memory is everybody's may leave it out where a customer has very many (`redis-pending-marks.ts`).
 */
export interface PendingMark {
  readonly acceptedAt: number;
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** Absent: the audit was ingested. */
  readonly source?: 'INTERNAL';
}

/** Audits of one customer that are durable in the log and that a client was told of, or is about to be. */
export interface AdmittedAudits {
  readonly customerId: string;
  /** Of the log that holds them. A later epoch begins to count anew. */
  readonly epoch: number;
  /** Of the first of them, Unix ms; the others were accepted within the same minute. */
  readonly acceptedAt: number;
  readonly count: number;
}

/** What was counted of a customer. It may lack some, and never holds one twice. */
export interface AdmittedCount {
  readonly epoch: number;
  /**
   * When the counting began, Unix ms: only audits accepted from then on are in it. What is counted later and was accepted
   * up to a minute earlier puts it back, for counts do not come in the order of acceptances.
   */
  readonly since: number;
  readonly total: number;
  /**
   * Those of the last minutes, by minute since 1970 (UTC), in order: of their acceptance, or of their counting where that
   * was more than a minute later. At most `RECENT_LIMIT`; `total` has them too.
   */
  readonly recent: readonly { readonly minute: number; readonly count: number }[];
}

export interface Admission {
  /**
   * One atomic call: key, customer, one rate token. An unknown and a revoked key look the same. No cache: only whose
   * key it is, a claim that never changes, may be remembered.
   */
  authenticate(keyHash: string): Promise<Authentication>;
  /** Takes `cost` tokens of the customer's bucket (0: only looks). A customer who is unknown or inactive has none. */
  takeRate(customerId: string, cost: number): Promise<RateState>;
  /**
   * One atomic call: idempotency, extra rate, sandboxes, quota (min(n, left), items in order), ids, pending marks.
   * When no item is accepted nothing is stored or counted (`kind: 'begun'` with refusals only). A customer who is
   * unknown or inactive has no sandboxes. A take-over is neither counted nor charged again; it renews the marks.
   */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  /**
   * Ends an ingest attempt whose append did not succeed. `certain`: the append certainly did not happen; then count,
   * marks and the idempotency record go back as if nothing was sent. Otherwise only the lease is freed, so that a
   * repeat appends under the same ids at once. An attempt that took over can be certain of itself only, not of the one
   * before it, so its end frees the lease whatever it says; so does one that names other items than were reserved.
   * Repeating the call gives nothing back twice.
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
   * Counts audits that have no Idempotency-Key (those that have one are counted by `settle`). A customer who is unknown or
   * inactive, audits from long before the counting began and those of an epoch that is over are left out. After
   * `StateUnavailable` it may have counted them: never repeat the call with the same audits.
   */
  countAdmitted(admitted: readonly AdmittedAudits[]): Promise<void>;
  /** Null: nothing was counted. */
  admittedCount(customerId: string): Promise<AdmittedCount | null>;
  /** Forgets what was counted of a customer who is being erased. */
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
   * counted with that write (`remembered-bytes.ts`); a key that is there is joined however full the budget is.
   */
  begin<Seed>(scope: string, idempotency: IdempotencyKey, seed: Seed): Promise<Begun<Seed>>;
  /**
   * Remembers an answer for 24 h; the first stored one is everyone's and is returned. Works for ingest too: `admitted`,
   * whose customer is the scope, is counted in the same write, and only when this answer is the first.
   */
  settle(
    scope: string,
    idempotency: IdempotencyKey,
    answer: RememberedAnswer,
    admitted?: AdmittedAudits,
  ): Promise<RememberedAnswer>;
  /**
   * Forgets an attempt that ended without a 2xx answer and changed nothing. After a take-over only the lease is freed:
   * what the attempt before did under the seed is not known.
   */
  forget(scope: string, idempotency: IdempotencyKey): Promise<void>;
  /**
   * Frees the lease of an attempt that ended without an answer and may have changed something: a repeat takes over at
   * once, with the same seed.
   */
  release(scope: string, idempotency: IdempotencyKey): Promise<void>;
}

/** Small values that go by themselves: marks of deaths and replays, leases, watermarks, notes of stopped partitions, claims. */
export interface Expiring {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Sets only when absent; true when it was set. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>;
  /**
   * `setIfAbsent` for a value that others are told of: like a record it is there after a fail-over once this resolves, and
   * `claimed` tells nobody of it before. Under keys of its own.
   */
  claim(key: string, value: string, ttlMs: number): Promise<boolean>;
  /** What `claim` has set. */
  claimed(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
}

/** What an erased customer leaves among the values that go by themselves. */
export interface Remains {
  readonly customerId: string;
  /** Expiring values whose keys begin so go, claimed ones too. It names the customer. */
  readonly expiringPrefix: string;
}

export interface State {
  readonly documents: Documents;
  readonly admission: Admission;
  readonly idempotency: Idempotency;
  readonly expiring: Expiring;
  /** Rejects with `StateUnavailable` when it cannot be reached. */
  ping(): Promise<void>;
  /** Changes whenever calls may have begun to go to another server, as after a fail-over: it may have missed writes. */
  connections(): number;
  /**
   * Removes pending marks and expiring values of an erased customer before their end: they name sandboxes and models, and
   * a claim holds a whole signal. May be repeated; what is written meanwhile may stay. On Redis it looks at every key that
   * is kept, a thousand a round trip, so that millions take minutes: calls go on beside it, removals of one process take
   * turns, and there is no other limit of time than `gone`, which gives it up.
   */
  removeRemains(remains: Remains, gone: AbortSignal): Promise<void>;
  /**
   * Rewrites what is kept on disk, so that it holds nothing more of values that were replaced or deleted before the
   * call. Calls go on meanwhile. It may take minutes; `gone` gives it up. False: the server does not let it be done,
   * and who runs it has to. Copies elsewhere (replicas, snapshots, backups) stay as they are.
   */
  scrub(gone: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Lease of an attempt in flight, life of a remembered answer and of a pending mark. */
export const LEASE_MS = 30_000;
export const REMEMBERED_MS = 24 * 3_600_000;
export const PENDING_MARK_MS = 2 * 3_600_000;

/** Minutes back from now that `AdmittedCount.recent` tells of, and its entries at most (a clock may be set back). */
export const RECENT_MINUTES = 15;
export const RECENT_LIMIT = 32;
