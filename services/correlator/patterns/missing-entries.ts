import type { CorrelatedEntry } from '#core/correlate/state/entries.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  correlatedBetween,
  foldingEntriesBetween,
} from '#platform/warehouse/queries/evidence/correlated-entries.ts';
import { correlatedEntry } from './correlated-entry.ts';
import type { CustomerFold } from './customer-folds.ts';

/** Signals read at a time. */
const PAGE = 2_000;

/**
 * Folds the entries below `below` that the log no longer holds, as the warehouse has them: signals erased since do not
 * count.
 */
export async function foldMissing(warehouse: Warehouse, held: CustomerFold, below: number): Promise<void> {
  const { customerId, fold } = held;
  // The chain's hash is known again when the next record is folded.
  held.hash = '';
  const changes = await foldingEntriesBetween(warehouse, customerId, { from: fold.next, below });
  const others = changes.map((entry) => correlatedEntry({ ...entry, fingerprint: null }));
  while (fold.next < below) {
    const signals = await correlatedBetween(warehouse, customerId, { from: fold.next, below }, PAGE);
    const isLast = signals.length < PAGE;
    const end = isLast ? below : signals.at(-1)!.index + 1;
    const entries: CorrelatedEntry[] = signals.map((signal) => ({ ...signal, kind: 'SIGNAL' }));
    entries.push(...others.filter(({ index }) => index >= fold.next && index < end));
    // Covers blank entries, and kinds unrelated to signals, up to the end of the page.
    entries.push({ kind: 'OTHER', index: end - 1 });
    held.unsent.push(...fold.fold(entries.sort((a, b) => a.index - b.index)));
    held.isDirty = true;
  }
}
