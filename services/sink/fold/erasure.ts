import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import { COMPLETED_RANK } from '#schemas/tables/audit-ranks.ts';
import type { EntryRow, SignalRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { erasedFailedRow, erasedRow } from '../rows/audit-rows.ts';
import { type ContentBelow, targetsOf } from './content-below.ts';
import type { BlankedBy, EntryFold } from './content-fold.ts';
import { blankEntry, ENTRY_FOLD } from './entry.ts';
import type { FoldRows } from './fold-rows.ts';
import type { CheckedEntry } from './ledger-record.ts';
import type { LinkedEntry } from './rows.ts';
import { blankSignal } from './signal.ts';

/** An ERASURE is stored like other entries, and blanks its targets. */
export const ERASURE_FOLD: EntryFold = {
  ...ENTRY_FOLD,
  effect: ({ checked, linked }, below, rows) => {
    foldErasure(linked, checked.core as unknown as ErasureCore, below, rows);
    eraseUnstored(checked, linked, below, rows.audits);
  },
};

/**
 * Folds an ERASURE: a blank row per target, made from the row below it, with the erasure's own index as its revision.
 *
 * A row of this customer has a revision below that index exactly when its record comes before this one. So revisions
 * bound the reads just as positions do, and rows above it from an earlier run do not matter. If a row of this or a
 * higher revision exists, the content below it may already be deleted: then nothing is written.
 */
function foldErasure(
  linked: LinkedEntry,
  core: ErasureCore,
  below: ContentBelow,
  rows: Pick<FoldRows, 'signalTombstones' | 'entryTombstones' | 'audits'>,
): void {
  const { customerId } = linked;
  const by: BlankedBy = { revision: linked.index, epoch: linked.epoch, offset: linked.offset };
  const isListed = (kind: LedgerKind): boolean => core.kinds.includes(kind);
  for (const index of targetsOf(core)) {
    if (index >= linked.index) break;
    const signals = below.signalsAt(customerId, index);
    if (signals.length > 0 && isListed('SIGNAL')) {
      const base = baseOf(signals, by.revision);
      if (base !== null) {
        const tombstone = blankSignal(base, core.scope, by);
        rows.signalTombstones.push(tombstone);
        below.addSignal(tombstone);
      }
      if (core.scope === 'ALL') eraseAudit(signals[0]!.auditId, linked, below, rows.audits);
    }
    const entries = below.entriesAt(customerId, index);
    if (entries.length > 0 && isListed(entries[0]!.kind as LedgerKind)) {
      const base = baseOf(entries, by.revision);
      if (base === null) continue;
      const tombstone = blankEntry(base, core.scope, by);
      rows.entryTombstones.push(tombstone);
      below.addEntry(tombstone);
    }
  }
}

/** The row below an erasure, or null when the erasure's own tombstone or a later one already exists. */
function baseOf<Row extends SignalRow | EntryRow>(rows: readonly Row[], revision: number): Row | null {
  const highest = rows.reduce((best, row) => (row.revision > best.revision ? row : best));
  return highest.revision < revision ? highest : null;
}

/**
 * A failed audit has no entry that an ERASURE could name: the record's headers describe the audit instead, and its row
 * in the list is made from them alone.
 */
function eraseUnstored(
  { core, record }: Pick<CheckedEntry, 'core' | 'record'>,
  linked: LinkedEntry,
  below: ContentBelow,
  audits: FoldRows['audits'],
): void {
  if ((core as unknown as ErasureCore).scope !== 'ALL') return;
  const row = erasedFailedRow(linked.customerId, record.headers, linked);
  if (row === null) return;
  audits.push(row);
  below.addAudit(row);
}

function eraseAudit(
  auditId: string,
  linked: LinkedEntry,
  below: ContentBelow,
  audits: FoldRows['audits'],
): void {
  const known = below.auditsOf(linked.customerId, auditId);
  const completed = known.find((row) => row.rank === COMPLETED_RANK);
  if (completed === undefined || known.some((row) => row.rank > COMPLETED_RANK)) return;
  const erased = erasedRow(completed, linked);
  audits.push(erased);
  below.addAudit(erased);
}
