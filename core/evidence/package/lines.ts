import type { ContentLine, EntryLine } from '#schemas/api/evidence/evidence-package.ts';
import type { EntryRow, LedgerRow, SignalRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { canonicalJson } from '../canonical-json.ts';
import { servedCore, servedDetail } from '../served.ts';

/** Lines of a package from stored rows: one canonical JSON text each. */

const line = (value: EntryLine | ContentLine): string => `${canonicalJson(value)}\n`;

export const entryLineOf = (row: LedgerRow): string =>
  line({
    leaf: {
      v: row.v,
      kind: row.kind as LedgerKind,
      customerId: row.customerId,
      index: row.index,
      id: row.id,
      at: row.at,
      dataHash: row.dataHash,
    },
    leafHash: row.leafHash,
    previousHash: row.previousHash,
    hash: row.hash,
    coreHash: row.coreHash,
    detailHash: row.detailHash,
  });

/** A signal whose core has not been erased. */
export function signalLineOf(row: SignalRow): string {
  const hasDetail = row.erased === '';
  return line({
    index: row.index,
    v: row.v,
    id: row.auditId,
    at: row.createdAt,
    core: { ...servedCore(row) },
    coreSalt: row.coreSalt,
    detail: hasDetail ? { ...servedDetail(row) } : null,
    detailSalt: hasDetail ? row.detailSalt : null,
  });
}

/** An entry of another kind whose core has not been erased. */
export function contentLineOf(row: EntryRow): string {
  if (row.core === null) throw new Error('the core of an entry of a package was erased');
  return line({
    index: row.index,
    v: row.v,
    id: row.id,
    at: row.at,
    core: JSON.parse(row.core) as Record<string, unknown>,
    coreSalt: row.coreSalt,
    detail: row.detail === null ? null : (JSON.parse(row.detail) as Record<string, unknown>),
    detailSalt: row.detail === null ? null : row.detailSalt,
  });
}
