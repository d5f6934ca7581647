import type { LedgerDraft } from '../../schemas/events/events.ts';
import type { LedgerKind } from '../../schemas/vocabulary.ts';
import { canonicalJson, isWellFormed } from './canonical-json.ts';
import { coreFault, detailFault, isTime } from './columns.ts';
import { coreHash, detailHash, HASH_BYTES } from './hashing.ts';

export interface NewEntry {
  readonly v?: 1;
  readonly kind: LedgerKind;
  /** Unique within the kind; of a SIGNAL the audit id. */
  readonly id: string;
  readonly customerId: string;
  /** ISO 8601 UTC with milliseconds; of a SIGNAL its createdAt. */
  readonly at: string;
  /** Columns that stay readable until an erasure of scope ALL. */
  readonly core: object;
  /** Columns that are sealed on their way: text, and every personal field. */
  readonly detail: object;
  /** 32 random bytes each: without them a short column could be guessed from its hash. */
  readonly coreSalt: Buffer;
  readonly detailSalt: Buffer;
}

/**
 * An entry as the ledger takes it, with its hashes. Throws `TypeError` for columns that version 1 does not define: in
 * the log such an entry would stop the fold of its whole partition.
 */
export function draftEntry(entry: NewEntry): LedgerDraft {
  const { kind, id, customerId, at, coreSalt, detailSalt } = entry;
  const refuse = (what: string): never => {
    throw new TypeError(`a ${kind} entry cannot be made: ${what}`);
  };
  if (id === '' || !isWellFormed(id)) refuse('its id is empty or not well-formed');
  if (customerId === '' || !isWellFormed(customerId)) refuse('its customerId is empty or not well-formed');
  if (!isTime(at)) refuse('its time is not ISO 8601 UTC with milliseconds');
  if (coreSalt.length !== HASH_BYTES || detailSalt.length !== HASH_BYTES) {
    refuse(`a salt has not ${HASH_BYTES} bytes`);
  }
  const inCore = coreFault(kind, id, at, entry.core);
  if (inCore !== null) refuse(`core: ${inCore}`);
  const inDetail = detailFault(kind, entry.detail);
  if (inDetail !== null) refuse(`detail: ${inDetail}`);
  const core = canonicalJson(entry.core);
  const detail = canonicalJson(entry.detail);
  return {
    v: entry.v ?? 1,
    kind,
    id,
    customerId,
    at,
    coreSalt,
    core,
    coreHash: coreHash(coreSalt, core),
    detailHash: detailHash(detailSalt, detail),
    detailSalt,
    detail,
  };
}
