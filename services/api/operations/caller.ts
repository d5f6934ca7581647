import type { AuditorRecord } from '#records/auditors/auditor-record.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { SessionRef } from '#records/users/sessions.ts';

/** A session named by a request; the state says whether it is open. */
export interface SentSession extends SessionRef {
  /** Never logged or stored. */
  readonly token: string;
}

/** The caller, proven by an API key or by a session. */
export interface Caller {
  readonly customerId: string;
  readonly customer: CustomerRecord;
  /** The actor in the ledger: `key:<id>` or `user:<id>`. */
  readonly actor: string;
  /** The actor in fields that are named after keys: the key's id, or `user:<id>`. */
  readonly madeBy: string;
  /** The signed-in user; null: a key. */
  readonly session: (SentSession & { readonly userId: string }) | null;
}

/** An auditor, proven by a token, and the customer whose records are requested. */
export interface AuditorCaller {
  readonly customerId: string;
  readonly customer: CustomerRecord;
  readonly auditor: AuditorRecord;
}

export const callerByKey = (customerId: string, customer: CustomerRecord, keyId: string): Caller => ({
  customerId,
  customer,
  actor: `key:${keyId}`,
  madeBy: keyId,
  session: null,
});
