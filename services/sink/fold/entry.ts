import { canonicalJson } from '#core/evidence/canonical-json.ts';
import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import type { EntryRow } from '#schemas/tables/tables.ts';
import type { BlankedBy, EntryFold } from './content-fold.ts';
import type { CheckedEntry } from './ledger-record.ts';
import type { LinkedEntry } from './rows.ts';

/** Kinds that are only read as a whole are stored as the two hashed texts. */
export const ENTRY_FOLD: EntryFold = { table: 'entries', row: entryRow, blank: blankEntry };

function entryRow(checked: CheckedEntry, linked: LinkedEntry): EntryRow {
  const { entry, detail } = checked;
  const { customerId, index, v, previousHash, hash, epoch, partition, offset } = linked;
  return {
    customerId,
    index,
    v,
    previousHash,
    hash,
    epoch,
    partition,
    offset,
    revision: 0,
    erased: detail === null ? 'DETAIL' : '',
    kind: entry.kind,
    id: entry.id,
    at: entry.at,
    core: entry.core,
    coreSalt: entry.coreSalt.toString('hex'),
    detail: detail === null ? null : canonicalJson(detail),
    detailSalt: checked.detailSalt,
  };
}

/** An entry's row without what an erasure removes. The core of an ERASURE stays in either scope. */
export function blankEntry(row: EntryRow, scope: ErasureScope, by: BlankedBy): EntryRow {
  const all = row.kind !== 'ERASURE' && (scope === 'ALL' || row.erased === 'ALL');
  const detailGone: EntryRow = {
    ...row,
    ...by,
    erased: all ? 'ALL' : 'DETAIL',
    detail: null,
    detailSalt: '',
  };
  return all ? { ...detailGone, core: null, coreSalt: '' } : detailGone;
}
