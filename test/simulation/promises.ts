import type { ConsistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { ErasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';
import type { ShownRetentionPolicy } from '#schemas/api/evidence/retention/policies.ts';
import type { AcceptedSignal } from '#schemas/api/internal-signal.ts';
import type { Sandbox } from '#schemas/api/sandboxes.ts';

/** `atMs`: time of confirmation, monotonic. */
interface Confirmation {
  readonly customerId: string;
  readonly atMs: number;
}

/** Everything the service confirmed to clients in a run, which it may never take back. */
export interface Promised {
  readonly customers: Confirmation[];
  readonly audits: (Confirmation & { readonly auditId: string })[];
  readonly signals: (Confirmation & { readonly core: AcceptedSignal })[];
  readonly sandboxes: (Confirmation & { readonly record: Sandbox })[];
  readonly keys: (Confirmation & { readonly keyId: string })[];
  readonly revoked: (Confirmation & { readonly keyId: string })[];
  readonly erasures: Confirmation[];
  readonly policies: (Confirmation & { readonly policyId: string; readonly version: number })[];
  /** Published notes, and consistency proofs between them. */
  readonly notes: (Confirmation & { readonly note: string })[];
  readonly proofs: (Confirmation & { readonly earlier: string; readonly proof: ConsistencyProof })[];
  readonly retentionPolicies: (Confirmation & {
    readonly policyId: string;
    readonly policy: ShownRetentionPolicy;
  })[];
  /** Requested changes of retention policies, whatever the outcome; `atMs`: time of the request. */
  readonly retentionChanges: (Confirmation & { readonly policyId: string })[];
  /** Erasure requests for signals with their time, whatever the answer. */
  readonly erasureRequests: (Confirmation & { readonly signalId: string })[];
  readonly signalErasures: SignalErasureAnswer[];
  readonly packages: (Confirmation & { readonly packageId: string })[];
  readonly downloads: (Confirmation & {
    readonly packageId: string;
    /** Whether its bytes have the recorded digest. */
    readonly isWhole: boolean;
    /** Signals in it that were erased before the download was requested. */
    readonly erased: readonly string[];
  })[];
  /** Customers whose ledger was reported as rolled back: no run truncates or rewrites one. */
  readonly rollbacks: Confirmation[];
}

/** An answer to a client about an erasure that it requested. */
interface SignalErasureAnswer extends Confirmation {
  readonly signalId: string;
  readonly reason: string;
  /** Whether the answer says that the erasure is over. */
  readonly deleted: boolean;
  readonly receipt: ErasureReceipt | null;
  /** Whether the signal was still readable when the answer arrived. */
  readonly isThere: boolean;
}

export const nothingPromised = (): Promised => ({
  customers: [],
  audits: [],
  signals: [],
  sandboxes: [],
  keys: [],
  revoked: [],
  erasures: [],
  policies: [],
  notes: [],
  proofs: [],
  retentionPolicies: [],
  retentionChanges: [],
  erasureRequests: [],
  signalErasures: [],
  packages: [],
  downloads: [],
  rollbacks: [],
});

/** Part of every client text; must not appear anywhere in clear. */
export const CANARY = 'kanarienvogel';
