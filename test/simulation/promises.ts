import type { ConsistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { ErasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';
import type { ShownRetentionPolicy } from '#schemas/api/evidence/retention/policies.ts';
import type { AcceptedSignal } from '#schemas/api/internal-signal.ts';
import type { Sandbox } from '#schemas/api/sandboxes.ts';

/** `atMs`: when it was confirmed, monotonic. */
interface Confirmation {
  readonly customerId: string;
  readonly atMs: number;
}

/** What the service has confirmed to clients in a run: what it may never take back. */
export interface Promised {
  readonly customers: Confirmation[];
  readonly audits: (Confirmation & { readonly auditId: string })[];
  readonly signals: (Confirmation & { readonly core: AcceptedSignal })[];
  readonly sandboxes: (Confirmation & { readonly record: Sandbox })[];
  readonly keys: (Confirmation & { readonly keyId: string })[];
  readonly revoked: (Confirmation & { readonly keyId: string })[];
  readonly erasures: Confirmation[];
  readonly policies: (Confirmation & { readonly policyId: string; readonly version: number })[];
  /** Notes that left, and proofs that one goes on from another. */
  readonly notes: (Confirmation & { readonly note: string })[];
  readonly proofs: (Confirmation & { readonly held: string; readonly proof: ConsistencyProof })[];
  readonly retentionPolicies: (Confirmation & {
    readonly policyId: string;
    readonly policy: ShownRetentionPolicy;
  })[];
  /** Changes of retention policies that somebody asked for, whatever became of them; `atMs`: when that was. */
  readonly retentionChanges: (Confirmation & { readonly policyId: string })[];
  /** Of each signal that somebody asked to erase, when that was, whatever the answer. */
  readonly erasureRequests: (Confirmation & { readonly signalId: string })[];
  readonly signalErasures: SignalErasureTold[];
  readonly packages: (Confirmation & { readonly packageId: string })[];
  readonly downloads: (Confirmation & {
    readonly packageId: string;
    /** Its bytes have the digest that its record says. */
    readonly isWhole: boolean;
    /** Signals in it that had been erased when it was asked for. */
    readonly erased: readonly string[];
  })[];
  /** Customers that were told that their ledger was rolled back: no run cuts or rewrites one. */
  readonly rollbacks: Confirmation[];
}

/** What a client was told of an erasure that it asked for. */
interface SignalErasureTold extends Confirmation {
  readonly signalId: string;
  readonly reason: string;
  /** Whether it is said to be over. */
  readonly deleted: boolean;
  readonly receipt: ErasureReceipt | null;
  /** Whether the signal could be read when the answer came. */
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

/** Part of every text that a client sends; must be nowhere in clear. */
export const CANARY = 'kanarienvogel';
