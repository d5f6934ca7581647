import type { LogRecord } from '#platform/event-log/port.ts';
import { KeyDestroyed, type Opener, type Sealer } from '#platform/sealing/port.ts';
import { entryIdOf, type LedgerDraft, type LedgerEntry, SCHEMA_NAMES } from '#schemas/events/events.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { Codec } from './port.ts';

/** Length of a salt for hashed columns, in bytes. */
const SALT_BYTES = 32;

/**
 * The log record of a new ledger entry. Its detail (salt, then canonical JSON) is sealed with the customer's key;
 * everything else is in clear. Rejects with the sealer's errors (`KeyDestroyed`, `StateUnavailable`).
 */
export async function ledgerRecord(
  draft: LedgerDraft,
  dependencies: { readonly seal: Sealer['seal']; readonly codec: Codec },
  headers: Readonly<Record<string, string>>,
): Promise<LogRecord> {
  const { detail, detailSalt, ...clear } = draft;
  if (detailSalt.length !== SALT_BYTES) throw new Error(`a salt must have ${SALT_BYTES} bytes`);
  const plaintext = Buffer.concat([detailSalt, Buffer.from(detail, 'utf8')]);
  const sealed = await dependencies.seal(
    draft.customerId,
    'detail',
    entryIdOf(draft.kind, draft.id),
    plaintext,
  );
  return {
    topic: LEDGER.name,
    key: draft.customerId,
    value: dependencies.codec.encodeLedgerEntry({ ...clear, detail: sealed }),
    headers: { ...headers, schema: SCHEMA_NAMES.ledger },
  };
}

interface OpenedDetail {
  readonly salt: Buffer;
  /** Canonical JSON as the entry's producer wrote it. */
  readonly json: string;
}

/**
 * Detail of an entry, or 'DESTROYED' if the customer's key was destroyed on purpose. Any other reason why it cannot be
 * opened is an error (`CannotOpen`, `KeyAbsent`, `StateUnavailable`).
 */
export async function openDetail(
  entry: LedgerEntry,
  dependencies: { readonly open: Opener['open'] },
): Promise<OpenedDetail | 'DESTROYED'> {
  try {
    const id = entryIdOf(entry.kind, entry.id);
    const plaintext = await dependencies.open(entry.customerId, 'detail', id, entry.detail);
    return { salt: plaintext.subarray(0, SALT_BYTES), json: plaintext.toString('utf8', SALT_BYTES) };
  } catch (error) {
    if (error instanceof KeyDestroyed) return 'DESTROYED';
    throw error;
  }
}
