import type { AuditorRecord } from '#records/auditors/auditor-record.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { SessionPlace } from '#records/users/sessions.ts';

/** A session that a request names; whether it is open says the state. */
export interface SentSession extends SessionPlace {
  /** Never logged or stored. */
  readonly token: string;
}

/** The caller, proven by an API key or by a session. */
export interface Caller {
  readonly customerId: string;
  readonly customer: CustomerRecord;
  /** Who acts, in the ledger: `key:<id>` or `user:<id>`. */
  readonly actor: string;
  /** Who acts, in fields that are named after keys: the key's id, or `user:<id>`. */
  readonly madeBy: string;
  /** The signed-in user; null: a key. */
  readonly session: (SentSession & { readonly userId: string }) | null;
}

/** An auditor, proven by a token, and the customer whose records are asked for. */
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
