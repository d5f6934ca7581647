import type { LogRecord } from '#platform/event-log/port.ts';
import { type Expiring, REMEMBERED_MS } from '#platform/state/port.ts';
import type { SignalCore } from '#schemas/ledger/signal.v1.ts';

/**
 * A platform signal under its audit id, as first sent: a repeat appends the same entry. It never changes. A separate
 * note, which exactly one request gets to write, says that its record reached the log.
 */
export interface SignalClaim {
  /** Keyed digest of the body as sent, hex. */
  readonly digest: string;
  readonly core: SignalCore;
  readonly record: LogRecord;
}

interface AuditRef {
  readonly customerId: string;
  readonly auditId: string;
}

interface SignalClaims {
  get(audit: AuditRef): Promise<SignalClaim | null>;
  /** False: another claim exists. */
  add(audit: AuditRef, claim: SignalClaim): Promise<boolean>;
  isAppended(audit: AuditRef): Promise<boolean>;
  /** True for the first request that notes it. Rejects if a fail-over might lose the note. */
  noteAppended(audit: AuditRef): Promise<boolean>;
}

type Stored = Omit<SignalClaim, 'record'> & {
  readonly record: Omit<LogRecord, 'value'> & { readonly valueBase64: string };
};

/** Key prefix of all claims of a customer, for erasure. */
export const signalClaimsOf = (customerId: string): string => `internal-signal:${customerId}:`;

/**
 * Kept for a day; after that, the stored signal itself is compared. Both survive a fail-over: the claim because it says
 * when the signal was made, and the note because the request that writes it first counts the audit. If a note were
 * lost, a repeat would write it again, and the audit would count twice. A request whose note was not confirmed by a
 * replica gets an error and counts nothing: at worst the audit is not counted.
 */
export function signalClaims(expiring: Expiring): SignalClaims {
  const keyOf = ({ customerId, auditId }: AuditRef): string => `${signalClaimsOf(customerId)}${auditId}`;
  const appendedKeyOf = (audit: AuditRef): string => `${keyOf(audit)}:appended`;
  return {
    get: async (audit) => {
      const text = await expiring.claimed(keyOf(audit));
      if (text === null) return null;
      const { record, ...claim } = JSON.parse(text) as Stored;
      const { valueBase64, ...rest } = record;
      return { ...claim, record: { ...rest, value: Buffer.from(valueBase64, 'base64') } };
    },
    add: (audit, { record, ...claim }) => {
      const { value, ...rest } = record;
      const stored: Stored = { ...claim, record: { ...rest, valueBase64: value.toString('base64') } };
      return expiring.claim(keyOf(audit), JSON.stringify(stored), REMEMBERED_MS);
    },
    isAppended: async (audit) => (await expiring.claimed(appendedKeyOf(audit))) !== null,
    noteAppended: (audit) => expiring.claim(appendedKeyOf(audit), '1', REMEMBERED_MS),
  };
}
