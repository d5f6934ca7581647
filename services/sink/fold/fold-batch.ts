import { entryIdOf, type FoldedEntry } from '#schemas/events/events.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { SignalDetail } from '#schemas/ledger/signal.v2.ts';
import type { ContradictionRow } from '#schemas/tables/tables.ts';
import { ContentBelow, type StoredTargets } from './content-below.ts';
import { foldContent } from './content-fold.ts';
import { FoldRefused } from './fold-refused.ts';
import type { FoldRows } from './fold-rows.ts';
import { KIND_FOLDS } from './kind-folds.ts';
import { type CheckedEntry, checkContent, checkPlace, type LedgerRecord } from './ledger-record.ts';
import { type Head, idRow, linkEntry } from './rows.ts';

/** One chunk of a ledger partition and what is stored below its first record. */
export interface FoldInput {
  readonly epoch: number;
  /** In offset order, all of one partition. */
  readonly records: readonly LedgerRecord[];
  /** `knownKey` of the entry ids that exist below the first record. */
  readonly known: ReadonlySet<string>;
  /** `coreHash` (hex) of those that are not signals, by `knownKey`. */
  readonly cores: ReadonlyMap<string, string>;
  /** Heads of the customers below the first record; without one the chain begins. */
  readonly heads: ReadonlyMap<string, Head>;
  readonly targets: StoredTargets;
}

/** An entry that won, with its owner. */
export interface OwnedEntry extends FoldedEntry {
  readonly customerId: string;
}

export interface Folded {
  readonly rows: FoldRows;
  /** The entries that won, in the order of the log. */
  readonly entries: readonly OwnedEntry[];
  /** Records dropped because their entry id exists, although they differ from the entry. */
  readonly contradictions: readonly ContradictionRow[];
  /** New heads of the customers of the batch. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Records dropped because their entry id exists. */
  readonly repeats: number;
  /** Records that were folded or dropped: all, or those before the refused one. */
  readonly taken: number;
  /** Set when a record stops the partition; everything before it is folded. */
  readonly refused: FoldRefused | null;
}

/** Name of an entry, unique among all customers. */
export const knownKey = (customerId: string, entryId: string): string => `${customerId} ${entryId}`;

/**
 * Folds records of one ledger partition into rows. A pure function of the records so far: no clock, no randomness, no
 * state of the sink. However batches are cut and however often they are folded, the rows are the same.
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
      checkPlace(record);
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
 * Reports a repeat that differs from the entry whose id it has. Two analyses of one audit may differ, and the first one
 * counts. A document has each of its versions only once: whoever makes a version again has lost the first one, as a
 * state that is older than the ledger has.
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

/** Adds the rows of one new entry and what is told of it, and returns the head after it. */
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

/** Null: the entry has none, or its detail can never be opened again. */
function fingerprintOf({ entry, detail }: CheckedEntry): string | null {
  if (entry.kind !== 'SIGNAL' || detail === null) return null;
  return (detail as Partial<SignalDetail>).fingerprint ?? null;
}
