import type { ChainFault } from '../../schemas/api/hash-chain.ts';
import type { ErasureCore } from '../../schemas/events/events.ts';
import type { EntryRow, LedgerRow, SignalRow } from '../../schemas/tables/tables.ts';
import type { LedgerKind } from '../../schemas/vocabulary.ts';
import { coreFault } from './columns.ts';
import { createErasureCover, type Gap } from './erasure-cover.ts';
import { createFaultList } from './fault-list.ts';
import { CHAIN_START } from './hashing.ts';
import { entryVerdict, signalVerdict } from './verify-content.ts';
import {
  areIdentical,
  comparePositions,
  type LogPosition,
  leafFault,
  linked,
  type Reason,
} from './verify-leaf.ts';

/** Stored rows as they lie in the tables: without FINAL, so that nothing hides behind a merge. */
export interface VerifyChunk {
  /** In index order; repeats of a row follow each other. */
  readonly ledger: readonly LedgerRow[];
  /** Of the same range of indexes, in any order, all revisions. The last chunk brings all higher ones too. */
  readonly signals: readonly SignalRow[];
  readonly entries: readonly EntryRow[];
}

export interface VerifyOptions {
  readonly customerId: string;
  /** The entry before the first one that is verified; null or absent: verification begins at index 0. */
  readonly previous?: Pick<LedgerRow, 'index' | 'hash' | 'epoch' | 'partition' | 'offset'> | null;
  /**
   * The sink has stored every entry below this position of the customer's partition (read it before the rows).
   * Content without a ledger row is EXTRA below it, and still being folded from it on. Absent: the last ledger row.
   */
  readonly foldedBelow?: LogPosition;
  /** End of the partition, read after the rows: content from there on can come from no record and is EXTRA. */
  readonly logEnd?: LogPosition;
  /** Faults kept, the lowest first found (default 100). */
  readonly maxErrors?: number;
}

export interface ChainVerification {
  readonly valid: boolean;
  readonly status: 'VALID' | 'INVALID' | 'EMPTY';
  /** Last index seen + 1. */
  readonly treeSize: number;
  /** Lower-case hex; null without any entry. */
  readonly chainHead: string | null;
  /** First and last index seen. */
  readonly verifiedFrom: number | null;
  readonly verifiedTo: number | null;
  readonly checkedEntries: number;
  /** Signals of which all or the detail is gone, with an ERASURE that says so. */
  readonly erasedSignals: number;
  readonly brokenAt: ChainFault | null;
  /** Ascending by index, at most `maxErrors`. */
  readonly errors: readonly ChainFault[];
}

export interface ChainVerifier {
  /**
   * Takes ERASURE entries (their ledger and content rows, in any order and as often as wanted). Give all of them
   * before the first chunk, and again while `unexplained()` is above 0: one may have been folded meanwhile.
   */
  erasures(ledger: readonly LedgerRow[], entries: readonly EntryRow[]): void;
  chunk(rows: VerifyChunk): void;
  /** Blank or missing content that no known ERASURE explains so far. */
  unexplained(): number;
  finish(): ChainVerification;
}

const DEFAULT_MAX_ERRORS = 100;
/** Open questions kept until `finish`; what comes on top is a fault at once. */
const MAX_OPEN = 100_000;

interface Link {
  /** Hashes that the next entry may name as its previous one: several after a fault, so that it is told only once. */
  readonly hashes: readonly string[];
  readonly position: (LogPosition & { readonly partition: number }) | null;
}

/** Re-derives a customer's chain from stored rows. Holds one chunk at a time, plus what is still open. */
export function createVerifier(options: VerifyOptions): ChainVerifier {
  const { customerId } = options;
  const cover = createErasureCover();
  const faults = createFaultList(options.maxErrors ?? DEFAULT_MAX_ERRORS);
  let gaps: Gap[] = [];
  const ahead: (SignalRow | EntryRow)[] = [];
  let next = options.previous ? options.previous.index + 1 : 0;
  let link: Link | null = options.previous
    ? { hashes: [options.previous.hash], position: options.previous }
    : { hashes: [CHAIN_START.toString('hex')], position: null };
  let first: number | null = null;
  let last: LedgerRow | null = null;
  let checkedEntries = 0;
  let erasedSignals = 0;

  const judgeGap = (gap: Gap): boolean => {
    if (!cover.explains(gap)) return false;
    if (gap.kind === 'SIGNAL') erasedSignals += 1;
    return true;
  };
  const reportGap = (gap: Gap): void =>
    faults.report(gap.index, gap.id, gap.blank === null ? 'MISSING' : 'MODIFIED');

  const addErasure = (ledger: LedgerRow, entry: EntryRow): void => {
    const core = readErasure(ledger, entry);
    if (core !== null) cover.add(ledger.index, core, { epoch: ledger.epoch, offset: ledger.offset });
  };

  /** Fault of an entry's stored content, or null when it is intact or waits for an explanation. */
  const contentFault = (
    row: LedgerRow,
    signals: readonly SignalRow[],
    entries: readonly EntryRow[],
  ): Reason | null => {
    const isSignal = row.kind === 'SIGNAL';
    if ((isSignal ? entries : signals).length > 0) return 'EXTRA';
    const found = isSignal ? signalVerdict(row, signals) : entryVerdict(row, entries);
    if (found.kind === 'fault') return found.reason;
    if (found.kind !== 'absent' && 'core' in found.row) addErasure(row, found.row);
    if (found.kind === 'intact') return null;
    const gap: Gap = {
      index: row.index,
      id: row.id,
      kind: row.kind as LedgerKind,
      scope: found.kind === 'absent' ? 'ALL' : found.scope,
      blank: found.kind === 'absent' ? null : found,
      position: row,
    };
    if (judgeGap(gap)) return null;
    if (gaps.length < MAX_OPEN) gaps.push(gap);
    else reportGap(gap);
    return null;
  };

  const entry = (
    rows: readonly LedgerRow[],
    signals: readonly SignalRow[],
    entries: readonly EntryRow[],
  ): void => {
    const row = rows.find((one) => link?.hashes.includes(one.previousHash)) ?? rows[0]!;
    if (row.index < next) {
      faults.report(row.index, row.id, 'REORDERED');
      return;
    }
    if (row.index > next) {
      faults.report(next, null, 'MISSING');
      link = null;
    }
    const reason =
      (areIdentical(rows) ? leafFault(row, customerId) : 'MODIFIED') ??
      linkFault(row, link) ??
      contentFault(row, signals, entries);
    if (reason !== null) faults.report(row.index, row.id, reason);
    link = nextLink(row, link, reason !== null);
    first ??= row.index;
    last = row;
    next = row.index + 1;
    checkedEntries += 1;
  };

  return {
    erasures: (ledger, entries) => {
      const contents = groupByIndex(entries);
      for (const row of ledger) {
        if (leafFault(row, customerId) !== null) continue;
        if (linked(row.previousHash, row.leafHash) !== row.hash) continue;
        const found = entryVerdict(row, contents.get(row.index) ?? []);
        if (found.kind === 'intact' || found.kind === 'blank') addErasure(row, found.row);
      }
      gaps = gaps.filter((gap) => !judgeGap(gap));
    },
    chunk: ({ ledger, signals, entries }) => {
      const from = next;
      const signalsAt = groupByIndex(signals);
      const entriesAt = groupByIndex(entries);
      for (const [index, rows] of groupByIndex(ledger)) {
        entry(rows, signalsAt.get(index) ?? [], entriesAt.get(index) ?? []);
        signalsAt.delete(index);
        entriesAt.delete(index);
      }
      for (const [index, rows] of [...signalsAt, ...entriesAt]) {
        // Inside the chunk its ledger row is gone, which is reported already; before it, it belongs to no entry.
        if (index >= next && ahead.length < MAX_OPEN) ahead.push(...rows);
        else if (index < from || index >= next) faults.report(index, idOf(rows[0]!), 'EXTRA');
      }
    },
    unexplained: () => gaps.length,
    finish: () => {
      for (const gap of gaps) if (!judgeGap(gap)) reportGap(gap);
      gaps = [];
      for (const row of ahead.splice(0)) {
        if (isExtra(row, last, options)) faults.report(row.index, idOf(row), 'EXTRA');
      }
      const brokenAt = faults.lowest();
      const isEmpty = last === null && brokenAt === null;
      return {
        valid: brokenAt === null,
        status: isEmpty ? 'EMPTY' : brokenAt === null ? 'VALID' : 'INVALID',
        treeSize: next,
        chainHead: last?.hash ?? options.previous?.hash ?? null,
        verifiedFrom: first,
        verifiedTo: last?.index ?? null,
        checkedEntries,
        erasedSignals,
        brokenAt,
        errors: faults.all(),
      };
    },
  };
}

/** Content above the last ledger row: a row that is being folded, or one that no record of the log stands behind. */
function isExtra(row: LogPosition, last: LedgerRow | null, options: VerifyOptions): boolean {
  const afterLast = last === null ? null : { epoch: last.epoch, offset: last.offset + 1 };
  const foldedBelow = options.foldedBelow ?? afterLast;
  if (foldedBelow !== null && comparePositions(row, foldedBelow) < 0) return true;
  return options.logEnd !== undefined && comparePositions(row, options.logEnd) >= 0;
}

/** A row's place behind the one before it. `link` null: that one is missing, so nothing can be said. */
function linkFault(row: LedgerRow, link: Link | null): Reason | null {
  if (link !== null && !link.hashes.includes(row.previousHash)) return 'CHAIN_LINK';
  if (linked(row.previousHash, row.leafHash) !== row.hash) return 'MODIFIED';
  const before = link?.position ?? null;
  if (before === null) return null;
  // A customer's key leads to one partition, and within it entries get their index in the order of the log.
  const isInOrder = row.partition === before.partition && comparePositions(row, before) > 0;
  return isInOrder ? null : 'REORDERED';
}

function nextLink(row: LedgerRow, link: Link | null, isFaulty: boolean): Link {
  if (!isFaulty) return { hashes: [row.hash], position: row };
  const previous = [...(link?.hashes ?? []), row.previousHash];
  return {
    hashes: [row.hash, ...previous.map((hash) => linked(hash, row.leafHash))],
    position: link?.position ?? null,
  };
}

/** The core of an ERASURE whose rows were checked against its hashes, or null. */
function readErasure(ledger: LedgerRow, entry: EntryRow): ErasureCore | null {
  if (ledger.kind !== 'ERASURE' || entry.core === null) return null;
  const core: unknown = JSON.parse(entry.core);
  return coreFault('ERASURE', ledger.id, ledger.at, core) === null ? (core as ErasureCore) : null;
}

const idOf = (row: SignalRow | EntryRow): string => ('auditId' in row ? row.auditId : row.id);

function groupByIndex<Row extends { readonly index: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.index);
    if (group === undefined) groups.set(row.index, [row]);
    else group.push(row);
  }
  return groups;
}
