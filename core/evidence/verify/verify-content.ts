import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import type { EntryRow, LedgerRow, SignalRow } from '#schemas/tables/tables.ts';
import { canonicalInOrder, canonicalJson, NotCanonical } from '../canonical-json.ts';
import { coreHashHex, detailHashHex } from '../hashing.ts';
import {
  confidencesOf,
  hashedCore,
  hashedDetail,
  isCoreBlank,
  isDetailBlank,
  isWithinVersion,
  listsOf,
} from './verify-columns.ts';
import { areIdentical, comparePositions, type LogPosition, type Reason } from './verify-leaf.ts';

/** The verdict on the stored content of one ledger entry; `row` is the one that queries return. */
type ContentVerdict<Row> =
  | { readonly kind: 'intact'; readonly row: Row }
  | { readonly kind: 'absent' }
  /** Blank, as after an erasure: an ERASURE entry must explain it. */
  | {
      readonly kind: 'blank';
      readonly row: Row;
      readonly scope: ErasureScope;
      readonly revision: number;
      readonly position: LogPosition;
    }
  | { readonly kind: 'fault'; readonly reason: Reason };

const HEX_32 = /^[0-9a-f]{64}$/;
const fault = (reason: Reason): ContentVerdict<never> => ({ kind: 'fault', reason });

/** Checks the content of a SIGNAL: all its stored rows, of every revision, including duplicates. */
export function signalVerdict(ledger: LedgerRow, rows: readonly SignalRow[]): ContentVerdict<SignalRow> {
  // Rows with the same sort key replace each other in queries; a row with another key would be served in addition.
  const isOwn = (row: SignalRow): boolean => row.createdAt === ledger.at && row.auditId === ledger.id;
  return verdict(ledger, rows, isOwn, signalMatches, isBlankSignal);
}

/** Checks the content of an entry of any other kind. */
export function entryVerdict(ledger: LedgerRow, rows: readonly EntryRow[]): ContentVerdict<EntryRow> {
  return verdict(ledger, rows, () => true, entryMatches, isBlankEntry);
}

function verdict<Row extends SignalRow | EntryRow>(
  ledger: LedgerRow,
  rows: readonly Row[],
  isOwn: (row: Row) => boolean,
  matches: (row: Row, ledger: LedgerRow, parts: 'all' | 'core') => boolean,
  isBlank: (row: Row, scope: ErasureScope) => boolean,
): ContentVerdict<Row> {
  const own = rows.filter(isOwn);
  if (own.length === 0) return rows.length === 0 ? { kind: 'absent' } : fault('MODIFIED');
  if (own.length < rows.length) return fault('EXTRA');
  // The highest revision hides lower ones until they are deleted.
  const revision = own.reduce((highest, row) => Math.max(highest, row.revision), 0);
  const winners = own.filter((row) => row.revision === revision);
  const row = winners[0]!;
  if (!areIdentical(winners) || !isPlacedLike(row, ledger)) return fault('MODIFIED');
  const { erased } = row;
  if (erased === '') {
    const inPlace = revision === 0 && comparePositions(row, ledger) === 0;
    return inPlace && matches(row, ledger, 'all') ? { kind: 'intact', row } : fault('MODIFIED');
  }
  if (erased !== 'ALL' && erased !== 'DETAIL') return fault('MODIFIED');
  if (!isBlank(row, erased) || (erased === 'DETAIL' && !matches(row, ledger, 'core')))
    return fault('MODIFIED');
  return {
    kind: 'blank',
    row,
    scope: erased,
    revision,
    position: { epoch: row.epoch, offset: row.offset },
  };
}

/** The rows that queries return: for each sort key, all rows with the highest revision. */
export function servedRows<Row extends SignalRow | EntryRow>(rows: readonly Row[]): Row[] {
  const keyOf = (row: Row): string => ('auditId' in row ? `${row.createdAt} ${row.auditId}` : '');
  const highest = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    highest.set(key, Math.max(row.revision, highest.get(key) ?? 0));
  }
  return rows.filter((row) => row.revision === highest.get(keyOf(row)));
}

/** Whether a row is marked as erased with this scope. */
export const isMarked = (erased: string, scope: ErasureScope): boolean =>
  erased === 'ALL' || (scope === 'DETAIL' && erased === 'DETAIL');

/** Whether a row is erased with this scope. */
export const isBlank = (row: SignalRow | EntryRow, scope: ErasureScope): boolean =>
  isMarked(row.erased, scope) && ('auditId' in row ? isBlankSignal(row, scope) : isBlankEntry(row, scope));

const isPlacedLike = (row: SignalRow | EntryRow, ledger: LedgerRow): boolean =>
  row.customerId === ledger.customerId &&
  row.index === ledger.index &&
  row.v === ledger.v &&
  row.previousHash === ledger.previousHash &&
  row.hash === ledger.hash &&
  row.partition === ledger.partition;

function hashesTo(
  hash: (salt: string, text: string) => string | null,
  salt: string,
  text: string,
  expected: string,
): boolean {
  return HEX_32.test(salt) && hash(salt, text) === expected;
}

function signalMatches(row: SignalRow, ledger: LedgerRow, parts: 'all' | 'core'): boolean {
  try {
    if (!isWithinVersion(row)) return false;
    const core = canonicalInOrder(hashedCore(row));
    if (!hashesTo(coreHashHex, row.coreSalt, core, ledger.coreHash)) return false;
    if (parts === 'core') return true;
    // The text itself must be canonical: otherwise, readers could parse it as different values.
    const lists = listsOf(row);
    if (lists.some((list) => canonicalJson(JSON.parse(list)) !== list)) return false;
    const [detections, suppressed] = lists;
    const others = canonicalInOrder(hashedDetail(row)).slice(1, -1);
    const confidences = confidencesOf(row);
    const first = confidences === null ? '' : `"confidences":${canonicalInOrder(confidences)},`;
    const last = suppressed === undefined ? '' : `,"suppressed":${suppressed}`;
    const detail = `{${first}"detections":${detections},${others}${last}}`;
    return hashesTo(detailHashHex, row.detailSalt, detail, ledger.detailHash);
  } catch (error) {
    if (error instanceof NotCanonical || error instanceof SyntaxError) return false;
    throw error;
  }
}

function entryMatches(row: EntryRow, ledger: LedgerRow, parts: 'all' | 'core'): boolean {
  if (row.kind !== ledger.kind || row.id !== ledger.id || row.at !== ledger.at) return false;
  if (row.core === null || !hashesTo(coreHashHex, row.coreSalt, row.core, ledger.coreHash)) return false;
  if (parts === 'core') return true;
  return row.detail !== null && hashesTo(detailHashHex, row.detailSalt, row.detail, ledger.detailHash);
}

const isBlankSignal = (row: SignalRow, scope: ErasureScope): boolean =>
  isDetailBlank(row) && (scope === 'DETAIL' || isCoreBlank(row));

const isBlankEntry = (row: EntryRow, scope: ErasureScope): boolean =>
  row.detail === null &&
  row.detailSalt === '' &&
  (scope === 'DETAIL' || (row.core === null && row.coreSalt === ''));
