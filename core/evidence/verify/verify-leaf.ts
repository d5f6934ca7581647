import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { LedgerRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { canonicalJson } from '../canonical-json.ts';
import { chainHashHex, dataHashHex, leafHashHex } from '../hashing.ts';
import { isKnownVersion } from './verify-columns.ts';

export type Reason = ChainFault['reason'];

export interface LogPosition {
  readonly epoch: number;
  readonly offset: number;
}

export const comparePositions = (a: LogPosition, b: LogPosition): number =>
  a.epoch - b.epoch || a.offset - b.offset;

/** Maximum distance at which a moved row is recognised as moved; beyond it, the row counts as modified. */
const REORDER_REACH = 512;

/** The leaf hash of the row's own columns at a given index. */
function rederivedLeaf(row: LedgerRow, index: number): string {
  return leafHashHex({
    v: row.v,
    kind: row.kind as LedgerKind,
    customerId: row.customerId,
    index,
    id: row.id,
    at: row.at,
    dataHash: row.dataHash,
  });
}

/** The fault of a ledger row by itself, regardless of its neighbours and its content. */
export function leafFault(row: LedgerRow, customerId: string): Reason | null {
  if (!isKnownVersion(row.kind as LedgerKind, row.v) || row.customerId !== customerId) return 'MODIFIED';
  if (row.entryId !== entryIdOf(row.kind as LedgerKind, row.id)) return 'MODIFIED';
  if (dataHashHex(row.coreHash, row.detailHash) !== row.dataHash) return 'MODIFIED';
  if (rederivedLeaf(row, row.index) === row.leafHash) return null;
  for (let distance = 1; distance <= REORDER_REACH; distance += 1) {
    for (const index of [row.index - distance, row.index + distance]) {
      if (index >= 0 && rederivedLeaf(row, index) === row.leafHash) return 'REORDERED';
    }
  }
  return 'MODIFIED';
}

/** Chain hash from stored links: lower-case hex; null: one of them is malformed. */
export const linked = (previousHash: string, leaf: string): string | null => chainHashHex(previousHash, leaf);

/** Whether the raw rows are copies of one row: repeated inserts leave copies until a merge. */
export function areIdentical(rows: readonly object[]): boolean {
  if (rows.length === 1) return true;
  const [first, ...others] = rows.map((row) => canonicalJson(row));
  return others.every((other) => other === first);
}
