import type { ErasureCore } from '../../../schemas/events/events.ts';
import type { EntryRow, SignalRow } from '../../../schemas/tables/tables.ts';
import type { LedgerKind } from '../../../schemas/vocabulary.ts';
import { COMPLETED_RANK, erasedRow } from '../audit-rows.ts';
import { type BlankedBy, blankEntry, blankSignal } from './blank.ts';
import { type ContentBelow, targetsOf } from './content-below.ts';
import type { FoldRows } from './fold-batch.ts';
import type { LinkedEntry } from './rows.ts';

/**
 * Folds an ERASURE: a blank row per target, of revision = the erasure's own index, made from the row below it.
 *
 * Rows of this customer have a revision below that index exactly when their record lies before this one, so revisions
 * bound what is read just as positions do, and it does not matter what an earlier run has left above. Where a row of
 * this revision or a higher one exists, the content below it may be deleted already: nothing is written then.
 */
export function foldErasure(
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

/** The row below an erasure, or null when its own or a later tombstone is there already. */
function baseOf<Row extends SignalRow | EntryRow>(rows: readonly Row[], revision: number): Row | null {
  const highest = rows.reduce((best, row) => (row.revision > best.revision ? row : best));
  return highest.revision < revision ? highest : null;
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
