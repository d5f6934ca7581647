import type { Blank, ErasureCover } from '#core/evidence/verify/erasure-cover.ts';
import { entryVerdict, isBlank, servedRows, signalVerdict } from '#core/evidence/verify/verify-content.ts';
import { leafFault, linked } from '#core/evidence/verify/verify-leaf.ts';
import { groupBy } from '#schemas/group-by.ts';
import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import { COMPLETED_RANK } from '#schemas/tables/audit-ranks.ts';
import type { AuditRow, EntryRow, LedgerRow, SignalRow } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { StoredAudit } from '../fold/content-below.ts';
import { blankEntry } from '../fold/entry.ts';
import { blankSignal } from '../fold/signal.ts';
import { erasedRow } from '../rows/audit-rows.ts';

/** An entry with erased content that is served. */
interface ReturnedEntry {
  readonly ledger: LedgerRow;
  readonly blank: Blank;
}

/** Ledger rows that match their hashes, one per index, with the content that must be gone. */
export function erasedEntries(rows: readonly LedgerRow[], cover: ErasureCover): ReturnedEntry[] {
  const entries = new Map<number, ReturnedEntry>();
  for (const ledger of rows) {
    if (entries.has(ledger.index) || leafFault(ledger, ledger.customerId) !== null) continue;
    if (linked(ledger.previousHash, ledger.leafHash) !== ledger.hash) continue;
    const blank = cover.blankOf(ledger.kind as LedgerKind, ledger.index);
    if (blank !== null) entries.set(ledger.index, { ledger, blank });
  }
  return [...entries.values()];
}

interface Returned<Row> {
  /** Indexes of the entries whose content is served, by the scope that must be gone. */
  readonly served: Readonly<Record<ErasureScope, number[]>>;
  /** Their blank rows, as the fold makes them; none where no row is left to make one from. */
  readonly blanks: Row[];
}

/** `rows`: all stored rows at the entries' indexes, and of their audits at any index. */
export function returnedSignals(
  entries: readonly ReturnedEntry[],
  rows: readonly SignalRow[],
): Returned<SignalRow> {
  const byIndex = groupBy(rows, (row) => row.index);
  const byAudit = groupBy(rows, (row) => row.auditId);
  return returnedOf(entries, (entry) => {
    const { ledger } = entry;
    if (ledger.kind !== 'SIGNAL') return null;
    const stored = new Set([...(byIndex.get(ledger.index) ?? []), ...(byAudit.get(ledger.id) ?? [])]);
    const isOwn = (row: SignalRow): boolean =>
      row.index === ledger.index && row.auditId === ledger.id && row.createdAt === ledger.at;
    const isSound = (row: SignalRow): boolean => isSoundFor(entry.blank, signalVerdict(ledger, [row]));
    return {
      rows: [...stored],
      isOwn,
      isSound,
      blankOf: (row, by) => blankSignal(row, entry.blank.scope, by),
    };
  });
}

/** `rows`: all stored rows at the entries' indexes. */
export function returnedOthers(
  entries: readonly ReturnedEntry[],
  rows: readonly EntryRow[],
): Returned<EntryRow> {
  const byIndex = groupBy(rows, (row) => row.index);
  return returnedOf(entries, (entry) => {
    const { ledger } = entry;
    if (ledger.kind === 'SIGNAL') return null;
    const { kind, id, at } = ledger;
    const isSound = (row: EntryRow): boolean => isSoundFor(entry.blank, entryVerdict(ledger, [row]));
    return {
      rows: byIndex.get(ledger.index) ?? [],
      isOwn: () => true,
      isSound,
      blankOf: (row, by) => ({ ...blankEntry(row, entry.blank.scope, by), kind, id, at }),
    };
  });
}

interface Stored<Row> {
  readonly rows: readonly Row[];
  /** Whether the row has the sort key of the blank row. */
  readonly isOwn: (row: Row) => boolean;
  /** Whether the remaining content is what was folded. */
  readonly isSound: (row: Row) => boolean;
  readonly blankOf: (row: Row, by: { revision: number; epoch: number; offset: number }) => Row;
}

function returnedOf<Row extends SignalRow | EntryRow>(
  entries: readonly ReturnedEntry[],
  storedOf: (entry: ReturnedEntry) => Stored<Row> | null,
): Returned<Row> {
  const returned: Returned<Row> = { served: { ALL: [], DETAIL: [] }, blanks: [] };
  for (const entry of entries) {
    const { ledger, blank } = entry;
    const stored = storedOf(entry);
    if (stored === null || servedRows(stored.rows).every((row) => isBlank(row, blank.scope))) continue;
    returned.served[blank.scope].push(ledger.index);
    const own = stored.rows.filter(stored.isOwn);
    const base = own.find(stored.isSound) ?? own[0];
    if (base === undefined) continue;
    const { v, previousHash, hash, partition, epoch, offset } = ledger;
    const by = blank.last === null ? { revision: 0, epoch, offset } : positionOf(blank.last);
    returned.blanks.push({ ...stored.blankOf(base, by), v, previousHash, hash, partition });
  }
  return returned;
}

const positionOf = ({ revision, position }: NonNullable<Blank['last']>) => ({
  revision,
  epoch: position.epoch,
  offset: position.offset,
});

const isSoundFor = (
  { scope }: Blank,
  found: { readonly kind: string; readonly scope?: ErasureScope },
): boolean =>
  found.kind === 'intact' || (found.kind === 'blank' && found.scope === 'DETAIL' && scope !== 'ALL');

/** An audit whose row in the list has content, and the entry that forbids it. */
export interface ReturnedAudit {
  readonly ledger: LedgerRow;
  readonly blank: Blank | null;
}

/** The erased row of an audit, as the fold makes it; null when no stored row is left to make it from. */
export function erasedAgain({ ledger, blank }: ReturnedAudit, rows: readonly StoredAudit[]): AuditRow | null {
  const { epoch, offset, partition } = ledger;
  const ranked = rows
    .filter(({ rank }) => rank <= COMPLETED_RANK)
    .sort((one, other) => other.rank - one.rank);
  const base = ranked[0] ?? rows[0];
  if (base === undefined) return null;
  const erased = erasedRow(base, blank?.first ?? { epoch, offset });
  if (ledger.kind !== 'SIGNAL')
    return { ...erased, status: 'FAILED', durationMs: null, topic: LEDGER.name, partition };
  if (base.rank === COMPLETED_RANK) return erased;
  // Its completed row is gone: only what the list said before remains.
  return { ...erased, status: 'COMPLETED', failureCode: null, topic: LEDGER.name, partition };
}
