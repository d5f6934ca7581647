import type { AcceptedSignal } from '../../schemas/api/internal-signal.ts';
import type { Sandbox } from '../../schemas/api/sandboxes.ts';

/** What the service has confirmed to a client in a run: what it may never take back. */
export interface Promised {
  readonly customers: string[];
  readonly audits: { readonly customerId: string; readonly auditId: string }[];
  readonly signals: { readonly customerId: string; readonly core: AcceptedSignal }[];
  readonly sandboxes: { readonly customerId: string; readonly record: Sandbox }[];
  readonly keys: { readonly customerId: string; readonly keyId: string }[];
  readonly revoked: { readonly customerId: string; readonly keyId: string }[];
  readonly erasures: { readonly customerId: string; readonly atMs: number }[];
}

export const nothingPromised = (): Promised => ({
  customers: [],
  audits: [],
  signals: [],
  sandboxes: [],
  keys: [],
  revoked: [],
  erasures: [],
});

/** Stands in every text that a client sends, and may stand nowhere in clear. */
export const CANARY = 'kanarienvogel';
