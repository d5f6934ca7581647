import { MAX_ERASURE_TARGETS } from '../../schemas/events/events.ts';
import type { LedgerRecord } from './fold/ledger-record.ts';
import { erasureTargets } from './lookups.ts';

/** Cuts a batch so that the ERASUREs of a piece name no more targets than one alone may: it bounds what is read. */
export function inPieces<One extends { readonly record: Pick<LedgerRecord, 'entry'> }>(
  records: readonly One[],
): One[][] {
  const pieces: One[][] = [];
  let piece: One[] = [];
  let targets = 0;
  for (const one of records) {
    const { kind, core } = one.record.entry;
    const more = kind === 'ERASURE' ? erasureTargets(core).length : 0;
    if (piece.length > 0 && targets + more > MAX_ERASURE_TARGETS) {
      pieces.push(piece);
      piece = [];
      targets = 0;
    }
    piece.push(one);
    targets += more;
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}
