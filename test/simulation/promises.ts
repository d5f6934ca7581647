import type { ConsistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
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
  /** Customers that were told that their ledger was rolled back: no run cuts or rewrites one. */
  readonly rollbacks: Confirmation[];
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
  rollbacks: [],
});

/** Part of every text that a client sends; must be nowhere in clear. */
export const CANARY = 'kanarienvogel';
