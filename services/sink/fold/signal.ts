import { canonicalJson } from '#core/evidence/canonical-json.ts';
import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import type { SignalCore } from '#schemas/ledger/signal.v1.ts';
import { BLANK_CORE, BLANK_DETAIL, columnsOfSignal, JSON_COLUMNS } from '#schemas/ledger/signal-columns.ts';
import { SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { completedRow, erasedRow } from '../rows/audit-rows.ts';
import type { BlankedBy, SignalFold } from './content-fold.ts';
import type { CheckedEntry } from './ledger-record.ts';
import type { LinkedEntry } from './rows.ts';

/** A signal is spread over its table's columns, and completes its audit in the audit list. */
export const SIGNAL_FOLD: SignalFold = {
  table: 'signals',
  row: signalRow,
  blank: blankSignal,
  effect: ({ checked, linked, closed }, below, rows) => {
    const { headers } = checked.record;
    const completed = completedRow(linked.customerId, headers, checked.core as unknown as SignalCore, linked);
    const audit = closed ? erasedRow(completed, linked) : completed;
    rows.audits.push(audit);
    below.addAudit(audit);
  },
};

/** All columns; those missing from an entry's version keep these values. */
const EMPTY: SignalRow = {
  ...Object.fromEntries(Object.keys(SIGNALS.columns).map((name) => [name, ''])),
  ...BLANK_CORE,
  ...BLANK_DETAIL,
} as unknown as SignalRow;

/**
 * Content row of a SIGNAL. Without its detail (the key was destroyed) the detail's columns are blank. Copies a row that
 * has all columns, which is several times as fast as filling an empty object.
 */
function signalRow({ core, detail, detailSalt, entry }: CheckedEntry, linked: LinkedEntry): SignalRow {
  const row: SignalRow = { ...EMPTY };
  row.customerId = linked.customerId;
  row.index = linked.index;
  row.v = linked.v;
  row.previousHash = linked.previousHash;
  row.hash = linked.hash;
  row.epoch = linked.epoch;
  row.partition = linked.partition;
  row.offset = linked.offset;
  row.revision = 0;
  row.erased = detail === null ? 'DETAIL' : '';
  row.coreSalt = entry.coreSalt.toString('hex');
  row.detailSalt = detailSalt;
  const columns = columnsOfSignal(linked.v);
  const filled = row as unknown as Record<string, unknown>;
  for (const name of columns.core) filled[name] = core[name];
  if (detail === null) return row;
  for (const name of columns.detail)
    filled[name] = JSON_COLUMNS.includes(name) ? canonicalJson(detail[name]) : detail[name];
  return row;
}

/**
 * A signal's row without what an erasure removes. Sort key, acceptedAt and the chain's columns stay. What an earlier
 * erasure of scope ALL removed does not come back with a later one of scope DETAIL.
 */
export function blankSignal(row: SignalRow, scope: ErasureScope, by: BlankedBy): SignalRow {
  const all = scope === 'ALL' || row.erased === 'ALL';
  const detailGone: SignalRow = {
    ...row,
    ...by,
    erased: all ? 'ALL' : 'DETAIL',
    ...BLANK_DETAIL,
    detailSalt: '',
  };
  return all ? { ...detailGone, ...BLANK_CORE, coreSalt: '' } : detailGone;
}
