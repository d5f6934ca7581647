import { groupBy } from '#schemas/group-by.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { EntryRow, LedgerRow } from '#schemas/tables/tables.ts';
import { entryVerdict } from './verify-content.ts';
import { readErasureCore } from './verify-erasure.ts';
import { leafFault, linked } from './verify-leaf.ts';

interface VerifiedErasure {
  readonly row: LedgerRow;
  readonly core: ErasureCore;
}

/**
 * ERASURE entries whose rows match their hashes: only they decide which content may, and which must, be missing.
 * Expects the rows of these entries, in any order; repeats are allowed.
 */
export function verifiedErasures(
  customerId: string,
  ledger: readonly LedgerRow[],
  entries: readonly EntryRow[],
): VerifiedErasure[] {
  const contents = groupBy(entries, ({ index }) => index);
  return ledger.flatMap((row) => {
    if (leafFault(row, customerId) !== null || linked(row.previousHash, row.leafHash) !== row.hash) return [];
    const found = entryVerdict(row, contents.get(row.index) ?? []);
    const core = found.kind === 'intact' || found.kind === 'blank' ? erasureCoreOf(row, found.row) : null;
    return core === null ? [] : [{ row, core }];
  });
}

/** The core of an ERASURE if its rows match its hashes, or null. */
export const erasureCoreOf = (ledger: LedgerRow, entry: EntryRow): ErasureCore | null =>
  ledger.kind === 'ERASURE' && entry.core !== null ? readErasureCore(entry.core) : null;
