import { Undecodable } from '#platform/codec/port.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { CannotOpen, MasterKeyMismatch } from '#platform/sealing/port.ts';
import type { LedgerEntry } from '#schemas/events/events.ts';
import { FoldRefused } from '../fold/fold-refused.ts';
import type { LedgerRecord, OpenedDetail } from '../fold/ledger-record.ts';

export interface OpenDependencies {
  /** Throws `Undecodable`. */
  readonly decodeLedgerEntry: (value: Buffer) => LedgerEntry | Promise<LedgerEntry>;
  /** Rejects with `CannotOpen`, or with an outage. */
  readonly openDetail: (entry: LedgerEntry) => Promise<OpenedDetail>;
}

export interface OpenRecord {
  readonly source: StoredRecord;
  readonly record: LedgerRecord;
}

/** Decodes and opens records up to the first failure. Outages are thrown. */
export async function openRecords(
  sources: readonly StoredRecord[],
  dependencies: OpenDependencies,
): Promise<{ readonly records: OpenRecord[]; readonly refused: FoldRefused | null }> {
  const opened = await Promise.all(sources.map((source) => openOne(source, dependencies)));
  const records: OpenRecord[] = [];
  for (const one of opened) {
    if (one instanceof FoldRefused) return { records, refused: one };
    records.push(one);
  }
  return { records, refused: null };
}

async function openOne(
  source: StoredRecord,
  { decodeLedgerEntry, openDetail }: OpenDependencies,
): Promise<OpenRecord | FoldRefused> {
  const { partition, offset, key, headers } = source;
  try {
    const entry = await decodeLedgerEntry(source.value);
    return { source, record: { partition, offset, key, headers, entry, detail: await openDetail(entry) } };
  } catch (error) {
    if (error instanceof Undecodable) return new FoldRefused(partition, offset, 'UNDECODABLE', error.message);
    // A key that cannot be unwrapped may be one customer's damaged key: the other partitions find out for themselves.
    if (error instanceof CannotOpen || error instanceof MasterKeyMismatch)
      return new FoldRefused(partition, offset, 'SEALED', error.message);
    throw error;
  }
}
