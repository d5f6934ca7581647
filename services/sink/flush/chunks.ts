import { MAX_ERASURE_TARGETS } from '#schemas/ledger/erasure.v1.ts';
import type { LedgerRecord } from '../fold/ledger-record.ts';
import { erasureTargets } from './lookups.ts';

/**
 * Cuts a batch into chunks whose ERASUREs together name no more targets than one ERASURE may, which bounds the reads.
 */
export function inErasureChunks<One extends { readonly record: Pick<LedgerRecord, 'entry'> }>(
  records: readonly One[],
): One[][] {
  const chunks: One[][] = [];
  let chunk: One[] = [];
  let targets = 0;
  for (const one of records) {
    const { kind, core } = one.record.entry;
    const more = kind === 'ERASURE' ? erasureTargets(core).length : 0;
    if (chunk.length > 0 && targets + more > MAX_ERASURE_TARGETS) {
      chunks.push(chunk);
      chunk = [];
      targets = 0;
    }
    chunk.push(one);
    targets += more;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
