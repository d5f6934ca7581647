import { type ErasureCore, entryIdOf } from '../../../schemas/events/events.ts';
import type {
  AuditRow,
  ContradictionRow,
  EntryRow,
  LedgerIdRow,
  LedgerRow,
  SignalRow,
} from '../../../schemas/tables/tables.ts';
import { completedRow, erasedRow } from '../audit-rows.ts';
import { blankEntry, blankSignal } from './blank.ts';
import { type ContentBelow, contentBelow, type StoredTargets } from './content-below.ts';
import { foldErasure } from './erasure.ts';
import { FoldRefused } from './fold-refused.ts';
import {
  type CheckedEntry,
  checkContent,
  checkPlace,
  type LedgerRecord,
  signalCoreOf,
} from './ledger-record.ts';
import { entryRow, type Head, idRow, type LinkedEntry, linkEntry, signalRow } from './rows.ts';

/** One piece of a ledger partition and what is stored below its first record. */
export interface FoldInput {
  readonly epoch: number;
  /** In offset order, all of one partition. */
  readonly records: readonly LedgerRecord[];
  /** `knownKey` of the entry ids that exist below the first record. */
  readonly known: ReadonlySet<string>;
  /** `coreHash` (hex) of those among them that are no signals, by `knownKey`. */
  readonly cores: ReadonlyMap<string, string>;
  /** Heads of the customers below the first record; none: the chain begins. */
  readonly heads: ReadonlyMap<string, Head>;
  readonly targets: StoredTargets;
}

/** Rows by the step of the flush that inserts them. */
export interface FoldRows {
  readonly signals: SignalRow[];
  readonly entries: EntryRow[];
  readonly ledgerIds: LedgerIdRow[];
  readonly ledger: LedgerRow[];
  readonly signalTombstones: SignalRow[];
  readonly entryTombstones: EntryRow[];
  readonly audits: AuditRow[];
}

export interface Folded {
  readonly rows: FoldRows;
  /** Records dropped because their entry id exists, though they say something else than the entry. */
  readonly contradictions: readonly ContradictionRow[];
  /** New heads of the customers of the batch. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Records dropped because their entry id exists. */
  readonly repeats: number;
  /** Records that were folded or dropped: all of them, or those before the one that was refused. */
  readonly taken: number;
  /** Set when a record stops the partition; what lies before it is folded. */
  readonly refused: FoldRefused | null;
}

/** Name of an entry among all customers. */
export const knownKey = (customerId: string, entryId: string): string => `${customerId} ${entryId}`;

/**
 * Folds records of one ledger partition into rows. A pure function of the records up to there: no clock, no
 * randomness, nothing of the sink. However batches are cut and however often they are folded, the rows are the same.
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
  const heads = new Map<string, Head>();
  const known = new Set(input.known);
  const cores = new Map(input.cores);
  const below = contentBelow(input.targets);
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
        heads.set(customerId, foldEntry(checked, head, input.epoch, below, rows));
        known.add(key);
        if (kind !== 'SIGNAL') cores.set(key, record.entry.coreHash.toString('hex'));
      }
    } catch (error) {
      if (error instanceof FoldRefused)
        return { rows, contradictions, heads, repeats, taken, refused: error };
      throw error;
    }
    taken += 1;
  }
  return { rows, contradictions, heads, repeats, taken, refused: null };
}

/**
 * The note of a repeat that says something else than the entry whose id it has. Two analyses of one audit differ, and the
 * first one counts. A document has each of its versions once: whoever made another one has lost the first, as a state
 * that is older than the ledger has.
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

/** Adds the rows of one entry that was not there yet, and returns the head after it. */
function foldEntry(
  checked: CheckedEntry,
  head: Head | undefined,
  epoch: number,
  below: ContentBelow,
  rows: FoldRows,
): Head {
  const linked = linkEntry(checked, head, epoch);
  const closed = head?.closed ?? false;
  rows.ledger.push(linked);
  rows.ledgerIds.push(idRow(linked));
  if (checked.entry.kind === 'SIGNAL') foldSignal(checked, linked, closed, below, rows);
  else foldOther(checked, linked, closed, below, rows);
  const closes = checked.entry.kind === 'ERASURE' && (checked.core as unknown as ErasureCore).closing;
  return { index: linked.index, hash: linked.hash, closed: closed || closes };
}

function foldSignal(
  checked: CheckedEntry,
  linked: LinkedEntry,
  closed: boolean,
  below: ContentBelow,
  rows: FoldRows,
): void {
  const { epoch, offset } = linked;
  const content = signalRow(checked, linked);
  const completed = completedRow(linked.customerId, checked.record.headers, signalCoreOf(checked), linked);
  // Of a closed customer nothing is ever stored in clear, not even until a tombstone.
  const row = closed ? blankSignal(content, 'ALL', { revision: 0, epoch, offset }) : content;
  const audit = closed ? erasedRow(completed, linked) : completed;
  rows.signals.push(row);
  rows.audits.push(audit);
  below.addSignal(row);
  below.addAudit(audit);
}

function foldOther(
  checked: CheckedEntry,
  linked: LinkedEntry,
  closed: boolean,
  below: ContentBelow,
  rows: FoldRows,
): void {
  const { epoch, offset } = linked;
  const content = entryRow(checked, linked);
  const row = closed ? blankEntry(content, 'ALL', { revision: 0, epoch, offset }) : content;
  rows.entries.push(row);
  below.addEntry(row);
  if (checked.entry.kind === 'ERASURE') {
    foldErasure(linked, checked.core as unknown as ErasureCore, below, rows);
  }
}
