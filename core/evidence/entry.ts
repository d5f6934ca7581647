import type { LedgerDraft } from '#schemas/events/events.ts';
import type { KindVersion } from '#schemas/ledger/definition.ts';
import { KINDS } from '#schemas/ledger/kinds.ts';
import { isTime } from '#schemas/time.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { canonicalJson, isWellFormed } from './canonical-json.ts';
import { coreHash, detailHash, HASH_BYTES } from './hashing.ts';

interface NewEntry {
  readonly kind: LedgerKind;
  /** Unique within the kind; for a SIGNAL the audit id. */
  readonly id: string;
  readonly customerId: string;
  /** ISO 8601 UTC with milliseconds; for a SIGNAL its createdAt. */
  readonly at: string;
  /** Columns that stay readable until an erasure with scope ALL. */
  readonly core: object;
  /** Columns that are encrypted in transit: text, and every personal field. */
  readonly detail: object;
  /** 32 random bytes each: without them a short column could be guessed from its hash. */
  readonly coreSalt: Buffer;
  readonly detailSalt: Buffer;
}

/**
 * A ledger entry with its hashes, in the version that is currently emitted (`as`: another version). Throws `TypeError`
 * before hashing if a field is unknown, missing or of another type: in the log such an entry would stop the fold of its
 * whole partition, or publish data by accident.
 */
export function draftEntry(entry: NewEntry, as: KindVersion = KINDS[entry.kind].emitted): LedgerDraft {
  const { kind, id, customerId, at, coreSalt, detailSalt } = entry;
  const refuse = (what: string): never => {
    throw new TypeError(`cannot create a ${kind} entry: ${what}`);
  };
  if (as.kind !== kind) refuse('its version is that of another kind');
  if (id === '' || !isWellFormed(id)) refuse('its id is empty or not well-formed');
  if (customerId === '' || !isWellFormed(customerId)) refuse('its customerId is empty or not well-formed');
  if (!isTime(at)) refuse('its time is not ISO 8601 UTC with milliseconds');
  if (coreSalt.length !== HASH_BYTES || detailSalt.length !== HASH_BYTES) {
    refuse(`a salt has not ${HASH_BYTES} bytes`);
  }
  const fault = as.fault(entry);
  if (fault !== null) refuse(fault);
  const core = canonicalJson(entry.core);
  const detail = canonicalJson(entry.detail);
  return {
    v: as.v,
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
