import { canonicalJson, NotCanonical } from '#core/evidence/canonical-json.ts';
import { coreHash, detailHash, HASH_BYTES } from '#core/evidence/hashing.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { LedgerEntry } from '#schemas/events/events.ts';
import { isKnownKind, versionOf } from '#schemas/ledger/kinds.ts';
import { isTime } from '#schemas/time.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import { readAuditHeaders } from '../rows/audit-rows.ts';
import { FoldRefused, type RefusalReason } from './fold-refused.ts';

/** An entry's opened detail: salt and canonical JSON, or DESTROYED when the customer's key was destroyed on purpose. */
export type OpenedDetail = { readonly salt: Buffer; readonly json: string } | 'DESTROYED';

/** A decoded and opened ledger record: everything that the fold needs. */
export interface LedgerRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly entry: LedgerEntry;
  readonly detail: OpenedDetail;
}

/** An entry whose content was checked against its hashes. */
export interface CheckedEntry {
  readonly record: LedgerRecord;
  readonly entry: LedgerEntry;
  readonly core: Readonly<Record<string, unknown>>;
  /** null: the customer's key was destroyed. */
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly detailSalt: string;
}

/** Checks that the record is in its customer's partition. Throws `FoldRefused`. Repeats are checked too. */
export function checkPosition({ partition, offset, key, entry }: LedgerRecord): void {
  const refuse = (reason: RefusalReason): never => {
    throw new FoldRefused(partition, offset, reason);
  };
  if (partition >= PARTITIONS) refuse('PARTITION_COUNT');
  if (entry.customerId !== key) refuse('KEY_MISMATCH');
  if (partitionOf(key, PARTITIONS) !== partition) refuse('WRONG_PARTITION');
  if (!isKnownKind(entry.kind)) refuse('UNKNOWN_KIND');
  if (versionOf(entry.kind, entry.v) === null) refuse('UNKNOWN_VERSION');
}

/** Checks an entry against its own hashes and the definition of its version. Throws `FoldRefused`. */
export function checkContent(record: LedgerRecord): CheckedEntry {
  const { entry, partition, offset } = record;
  const refuse = (reason: RefusalReason, what?: string): never => {
    throw new FoldRefused(partition, offset, reason, what);
  };
  if (!isTime(entry.at) || entry.id === '') refuse('COLUMNS', 'id or time');
  if (entry.coreSalt.length !== HASH_BYTES) refuse('COLUMNS', 'length of the salt');
  if (!coreHash(entry.coreSalt, entry.core).equals(entry.coreHash)) refuse('CORE_HASH');
  const core = canonicalObject(entry.core);
  if (core === null) return refuse('COLUMNS', 'the core is not canonical JSON');
  const version = versionOf(entry.kind, entry.v) ?? refuse('UNKNOWN_VERSION');
  const inCore = version.storedCoreFault({ id: entry.id, at: entry.at, core });
  if (inCore !== null) refuse('COLUMNS', `core: ${inCore}`);
  if (entry.kind === 'SIGNAL' && readAuditHeaders(record.headers) === null) refuse('HEADERS');
  if (record.detail === 'DESTROYED') return { record, entry, core, detail: null, detailSalt: '' };
  const { salt, json } = record.detail;
  if (salt.length !== HASH_BYTES) refuse('COLUMNS', 'length of the salt');
  if (!detailHash(salt, json).equals(entry.detailHash)) refuse('DETAIL_HASH');
  const detail = canonicalObject(json);
  if (detail === null) return refuse('COLUMNS', 'the detail is not canonical JSON');
  const inDetail = version.storedDetailFault(detail);
  if (inDetail !== null) refuse('COLUMNS', `detail: ${inDetail}`);
  return { record, entry, core, detail, detailSalt: salt.toString('hex') };
}

/**
 * Parses canonical JSON into an object; null for anything else. Rows are served from the object, hashes computed from
 * the text.
 */
function canonicalObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || canonicalJson(value) !== text) return null;
    return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotCanonical) return null;
    throw error;
  }
}
