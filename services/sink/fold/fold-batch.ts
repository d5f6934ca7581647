import { entryIdOf, type FoldedEntry } from '#schemas/events/events.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { SignalDetail } from '#schemas/ledger/signal.v2.ts';
import type { ContradictionRow } from '#schemas/tables/tables.ts';
import { ContentBelow, type StoredTargets } from './content-below.ts';
import { foldContent } from './content-fold.ts';
import { FoldRefused } from './fold-refused.ts';
import type { FoldRows } from './fold-rows.ts';
import { KIND_FOLDS } from './kind-folds.ts';
import { type CheckedEntry, checkContent, checkPosition, type LedgerRecord } from './ledger-record.ts';
import { type Head, idRow, linkEntry } from './rows.ts';

/** One chunk of a ledger partition and what is stored below its first record. */
export interface FoldInput {
  readonly epoch: number;
  /** In offset order, all of one partition. */
  readonly records: readonly LedgerRecord[];
  /** `knownKey` of each entry id that exists below the first record. */
  readonly known: ReadonlySet<string>;
  /** `coreHash` (hex) of known entries other than signals, by `knownKey`. */
  readonly cores: ReadonlyMap<string, string>;
  /** Heads of the customers below the first record; a customer without one starts a chain. */
  readonly heads: ReadonlyMap<string, Head>;
  readonly targets: StoredTargets;
}

/** A folded entry, with its owner. */
export interface OwnedEntry extends FoldedEntry {
  readonly customerId: string;
}

export interface Folded {
  readonly rows: FoldRows;
  /** The folded entries, in log order. */
  readonly entries: readonly OwnedEntry[];
  /** Records dropped because their entry id exists, whose content differs from that entry. */
  readonly contradictions: readonly ContradictionRow[];
  /** New heads of the batch's customers. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Records dropped because their entry id exists. */
  readonly repeats: number;
  /** Records folded or dropped: all, or those before the refused one. */
  readonly taken: number;
  /** Set when a record stops the partition; everything before it is folded. */
  readonly refused: FoldRefused | null;
}

/** Unique name of an entry across customers. */
export const knownKey = (customerId: string, entryId: string): string => `${customerId} ${entryId}`;

/**
 * Folds records of one ledger partition into rows. A pure function of the records so far: no clock, no randomness, no
 * sink state. The rows are the same however batches are cut and however often they are folded.
 */
export function foldBatch(input: FoldInput): Folded {
  const rows: FoldRows = {
    signals: [],
    entries: [],
    ledgerIds: [],
    ledger: [],
    signalTombstones: [],
    entryTombstones: [],
    audits: [],
  };
  const entries: OwnedEntry[] = [];
  const heads = new Map<string, Head>();
  const known = new Set(input.known);
  const cores = new Map(input.cores);
  const below = new ContentBelow(input.targets);
  const contradictions: ContradictionRow[] = [];
  let repeats = 0;
  let taken = 0;
  for (const record of input.records) {
    try {
      checkPosition(record);
      const { customerId, kind, id } = record.entry;
      const key = knownKey(customerId, entryIdOf(kind, id));
      if (known.has(key)) {
        repeats += 1;
        contradictions.push(...contradictionOf(record, cores.get(key), input.epoch));
      } else {
        const checked = checkContent(record);
        const head = heads.get(customerId) ?? input.heads.get(customerId);
        heads.set(customerId, foldEntry(checked, head, input.epoch, below, { rows, entries }));
        known.add(key);
        if (kind !== 'SIGNAL') cores.set(key, record.entry.coreHash.toString('hex'));
      }
    } catch (error) {
      if (error instanceof FoldRefused)
        return { rows, entries, contradictions, heads, repeats, taken, refused: error };
      throw error;
    }
    taken += 1;
  }
  return { rows, entries, contradictions, heads, repeats, taken, refused: null };
}

/**
 * Reports a repeat that differs from the entry with its id. Two analyses of one audit may differ, and the first one
 * wins. A document has each version only once: a writer that makes a version again has lost the first one, for example
 * because the state is older than the ledger.
 */
function contradictionOf(
  { partition, offset, entry }: LedgerRecord,
  coreHash: string | undefined,
  epoch: number,
): ContradictionRow[] {
  const repeatedCoreHash = entry.coreHash.toString('hex');
  if (entry.kind === 'SIGNAL' || coreHash === undefined || coreHash === repeatedCoreHash) return [];
  const { customerId } = entry;
  const entryId = entryIdOf(entry.kind, entry.id);
  return [{ epoch, partition, offset, customerId, entryId, coreHash, repeatedCoreHash }];
}

/** Adds the rows and the published form of one new entry, and returns the head after it. */
function foldEntry(
  checked: CheckedEntry,
  head: Head | undefined,
  epoch: number,
  below: ContentBelow,
  { rows, entries }: { readonly rows: FoldRows; readonly entries: OwnedEntry[] },
): Head {
  const linked = linkEntry(checked, head, epoch);
  const closed = head?.closed ?? false;
  rows.ledger.push(linked);
  rows.ledgerIds.push(idRow(linked));
  const { kind, id, v, at, customerId, core } = checked.entry;
  const { index, hash } = linked;
  const shown = closed ? { core: null, fingerprint: null } : { core, fingerprint: fingerprintOf(checked) };
  entries.push({ customerId, index, kind, id, v, at, hash, ...shown });
  foldContent(KIND_FOLDS[kind], { checked, linked, closed }, below, rows);
  const closes = kind === 'ERASURE' && (checked.core as unknown as ErasureCore).closing;
  return { index, hash, closed: closed || closes };
}

/** Null: the entry has no detail, or its detail can never be opened again. */
function fingerprintOf({ entry, detail }: CheckedEntry): string | null {
  if (entry.kind !== 'SIGNAL' || detail === null) return null;
  return (detail as Partial<SignalDetail>).fingerprint ?? null;
}
