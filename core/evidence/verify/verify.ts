import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';
import { groupBy } from '#schemas/group-by.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { EntryRow, LedgerRow, SignalRow, SubtreeRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { CHAIN_START } from '../hashing.ts';
import { EMPTY_FRONTIER, type Frontier, rootOf, withLeaf } from '../tree/frontier.ts';
import { createErasureCover, type Gap } from './erasure-cover.ts';
import { createFaultList } from './fault-list.ts';
import { createSubtreeCheck } from './subtree-check.ts';
import { erasureCoreOf, verifiedErasures } from './verified-erasures.ts';
import { entryVerdict, isMarked, servedRows, signalVerdict } from './verify-content.ts';
import {
  areIdentical,
  comparePositions,
  type LogPosition,
  leafFault,
  linked,
  type Reason,
} from './verify-leaf.ts';

/** Stored rows as in the tables: without FINAL, so that a merge cannot hide anything. */
interface VerifyChunk {
  /** In index order; copies of a row are adjacent. */
  readonly ledger: readonly LedgerRow[];
  /** All revisions in the same range of indexes, in any order. The last chunk also contains all higher indexes. */
  readonly signals: readonly SignalRow[];
  readonly entries: readonly EntryRow[];
  /** Stored roots of the subtrees that end in this range; absent: not compared. */
  readonly subtrees?: readonly Pick<SubtreeRow, 'height' | 'index' | 'hash'>[];
  /**
   * For a chunk with a single index: more ledger or content rows are stored than are given here, and than a fold would
   * ever write. The entry is faulty whatever the rows say, because a reader may see the others.
   */
  readonly cut?: 'LEDGER' | 'CONTENT' | null;
  /** Audits from `erasedAudits` whose row in the list still has content. */
  readonly servedAudits?: ReadonlySet<string>;
}

export interface VerifyOptions {
  readonly customerId: string;
  /** The entry before the first one to verify; null or absent: verification starts at index 0. */
  readonly previous?: Pick<LedgerRow, 'index' | 'hash' | 'epoch' | 'partition' | 'offset'> | null;
  /**
   * The sink has stored every entry below this position of the customer's partition (read it before the rows). Content
   * without a ledger row is EXTRA below it, and may still be being folded at or above it. Erased content must be
   * missing below it. Absent: the last ledger row.
   */
  readonly foldedBelow?: LogPosition;
  /** End of the partition, read after the rows: content at or above it has no record and is EXTRA. */
  readonly logEnd?: LogPosition;
  /** Last index of the ledger, read before the rows: a chain that was read up to it and ends earlier lacks entries. */
  readonly head?: number;
  /**
   * The last signed tree, read before the rows: a chain that does not extend it was truncated or rewritten. Only for a
   * verification up to the last entry; the root is only compared if it starts at index 0.
   */
  readonly signed?: SignedTree;
  /** Maximum number of faults kept, lowest first (default 100). */
  readonly maxErrors?: number;
}

/** Size, root and last chain hash of a checkpoint; hashes in lower-case hex. */
export interface SignedTree {
  readonly size: number;
  readonly root: string;
  readonly chainHead: string;
}

export interface ChainVerification {
  readonly valid: boolean;
  readonly status: 'VALID' | 'INVALID' | 'EMPTY';
  /** Last index seen + 1. */
  readonly treeSize: number;
  /** Lower-case hex; null if there are no entries. */
  readonly chainHead: string | null;
  /** Root of the tree over all entries; null if there are none, one is missing, or the first was not index 0. */
  readonly rootHash: string | null;
  /** First and last index seen. */
  readonly verifiedFrom: number | null;
  readonly verifiedTo: number | null;
  readonly checkedEntries: number;
  /** Signals whose detail or whole content is missing and explained by an ERASURE. */
  readonly erasedSignals: number;
  readonly brokenAt: ChainFault | null;
  /** Ascending by index, at most `maxErrors`. */
  readonly errors: readonly ChainFault[];
}

export interface ChainVerifier {
  /**
   * Adds ERASURE entries (their ledger and content rows, in any order; repeats are allowed). Add all of them before the
   * first chunk, and again while `unexplained()` is above 0: another may have been folded in the meantime.
   */
  erasures(ledger: readonly LedgerRow[], entries: readonly EntryRow[]): void;
  chunk(rows: VerifyChunk): void;
  /** For these entries of the next chunk: the audits whose row in the list must be blank. */
  erasedAudits(ledger: readonly LedgerRow[]): string[];
  /** Instead of a chunk: entries from `from` to `to` cannot be read. Adjacent ranges are one fault. */
  damaged(from: number, to: number): void;
  /** Some ERASURE entries cannot be read; they may explain content that is otherwise unexplained. */
  lacksErasures(): void;
  /** Blank or missing content not yet explained by a known ERASURE. */
  unexplained(): number;
  /** There is so much content after the last entry that it is a fault: reading on would reveal nothing more. */
  isOverrun(): boolean;
  finish(): ChainVerification;
}

const DEFAULT_MAX_ERRORS = 100;
/** Maximum number of open gaps kept until `finish`; any more are faults at once. */
const MAX_OPEN = 100_000;

/** Hashes to which an entry after faults may link: each is hashed again with every further fault. */
const MAX_HASHES = 16;

interface Link {
  /** Accepted previous hashes of the next entry: several after a fault, so that it is reported only once. */
  readonly hashes: readonly string[];
  readonly position: (LogPosition & { readonly partition: number }) | null;
}

/** Re-derives a customer's chain from stored rows. Keeps one chunk in memory at a time, plus open gaps. */
export const createVerifier = (options: VerifyOptions): ChainVerifier => new StoredChain(options);

type Content = Required<Pick<VerifyChunk, 'signals' | 'entries' | 'servedAudits'>>;

const NO_AUDITS: ReadonlySet<string> = new Set();

/** Content above the last ledger row: only what a report needs, because there may be a lot. */
type Ahead = LogPosition & { readonly index: number; readonly id: string };

class StoredChain implements ChainVerifier {
  readonly #options: VerifyOptions;
  readonly #cover = createErasureCover();
  readonly #faults: ReturnType<typeof createFaultList>;
  /** Blank or missing content that waits for its ERASURE. */
  #gaps: Gap[] = [];
  /** Content above the last ledger row so far. */
  readonly #ahead: Ahead[] = [];
  #isOverrun = false;
  /** First index of the damaged range that ends before the next entry. */
  #damagedFrom: number | null = null;
  #lacksErasures = false;
  #next = 0;
  /** null: the previous entry is missing. */
  #link: Link | null = { hashes: [CHAIN_START.toString('hex')], position: null };
  #first: number | null = null;
  #last: LedgerRow | null = null;
  #checkedEntries = 0;
  #erasedSignals = 0;
  /** null: an entry is missing, so the root is unknown. */
  #tree: Frontier | null = EMPTY_FRONTIER;
  #isOfSigned = false;
  readonly #subtrees = createSubtreeCheck((index) => this.#faults.report(index, null, 'ROOT_MISMATCH'));

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#faults = createFaultList(options.maxErrors ?? DEFAULT_MAX_ERRORS);
    const { previous } = options;
    if (!previous) return;
    this.#next = previous.index + 1;
    this.#link = { hashes: [previous.hash], position: previous };
    this.#tree = null;
    const { signed } = options;
    if (signed === undefined || signed.size > this.#next) return;
    this.#isOfSigned = signed.size < this.#next || previous.hash === signed.chainHead;
  }

  erasures(ledger: readonly LedgerRow[], entries: readonly EntryRow[]): void {
    for (const { row, core } of verifiedErasures(this.#options.customerId, ledger, entries))
      this.#addErasure(row, core);
    this.#gaps = this.#gaps.filter((gap) => !this.#isExplained(gap));
  }

  erasedAudits(ledger: readonly LedgerRow[]): string[] {
    return [...new Set(ledger.flatMap((row) => this.#cover.erasedAudit(row) ?? []))];
  }

  chunk({ ledger, signals, entries, subtrees, cut = null, servedAudits = NO_AUDITS }: VerifyChunk): void {
    if (subtrees !== undefined) this.#subtrees.stored(subtrees);
    const from = this.#next;
    const signalsAt = groupBy(signals, indexOf);
    const entriesAt = groupBy(entries, indexOf);
    for (const [index, rows] of groupBy(ledger, indexOf)) {
      const content: Content = {
        signals: signalsAt.get(index) ?? [],
        entries: entriesAt.get(index) ?? [],
        servedAudits,
      };
      this.#entry(rows, content, cut);
      signalsAt.delete(index);
      entriesAt.delete(index);
    }
    for (const [index, rows] of [...signalsAt, ...entriesAt]) {
      // Inside the chunk, its missing ledger row is already reported; before the chunk, it belongs to no entry.
      const isAhead = index >= this.#next;
      if (isAhead && this.#ahead.length < MAX_OPEN) {
        for (const row of rows)
          this.#ahead.push({ index, id: idOf(row), epoch: row.epoch, offset: row.offset });
      } else if (index < from || isAhead) {
        this.#faults.report(index, idOf(rows[0]!), 'EXTRA');
        this.#isOverrun ||= isAhead;
      }
    }
  }

  damaged(from: number, to: number): void {
    const first = this.#damagedFrom !== null && from === this.#next ? this.#damagedFrom : from;
    this.#faults.damage(first, to);
    this.#damagedFrom = first;
    this.#link = null;
    this.#tree = null;
    this.#subtrees.broken();
    this.#next = to + 1;
  }

  lacksErasures(): void {
    this.#lacksErasures = true;
  }

  unexplained(): number {
    return this.#gaps.length;
  }

  isOverrun(): boolean {
    return this.#isOverrun;
  }

  finish(): ChainVerification {
    for (const gap of this.#gaps) if (!this.#isExplained(gap)) this.#reportGap(gap);
    this.#gaps = [];
    for (const row of this.#ahead.splice(0)) {
      if (isExtra(row, this.#last, this.#options)) this.#faults.report(row.index, row.id, 'EXTRA');
    }
    if (this.#next <= (this.#options.head ?? -1)) this.#faults.report(this.#next, null, 'MISSING');
    this.#checkSigned();
    const last = this.#last;
    const brokenAt = this.#faults.lowest();
    const isEmpty = last === null && brokenAt === null;
    return {
      valid: brokenAt === null,
      status: isEmpty ? 'EMPTY' : brokenAt === null ? 'VALID' : 'INVALID',
      treeSize: this.#next,
      rootHash: last === null || this.#tree === null ? null : rootOf(this.#tree).toString('hex'),
      chainHead: last?.hash ?? this.#options.previous?.hash ?? null,
      verifiedFrom: this.#first,
      verifiedTo: last?.index ?? null,
      checkedEntries: this.#checkedEntries,
      erasedSignals: this.#erasedSignals,
      brokenAt,
      errors: this.#faults.all(),
    };
  }

  /** One index of the ledger: its rows, which should be identical, and its content. */
  #entry(rows: readonly LedgerRow[], content: Content, cut: VerifyChunk['cut']): void {
    const row = rows.find((one) => this.#link?.hashes.includes(one.previousHash)) ?? rows[0]!;
    if (row.index < this.#next) {
      this.#faults.report(row.index, row.id, 'REORDERED');
      return;
    }
    if (row.index > this.#next) {
      this.#faults.report(this.#next, null, 'MISSING');
      this.#link = null;
      this.#tree = null;
      this.#subtrees.broken();
    }
    const reason =
      (cut !== 'LEDGER' && areIdentical(rows) ? leafFault(row, this.#options.customerId) : 'MODIFIED') ??
      linkFault(row, this.#link) ??
      (cut === 'CONTENT' ? 'EXTRA' : this.#contentFault(row, content));
    if (reason === null) this.#subtrees.entry(row.index, row.leafHash);
    else this.#subtrees.broken();
    if (reason !== null) this.#faults.report(row.index, row.id, reason);
    this.#link = nextLink(row, this.#link, reason !== null);
    if (cut === 'LEDGER') {
      // The next entry may link to one of the rows that are not given.
      this.#link = null;
      this.#tree = null;
    }
    this.#first ??= row.index;
    this.#last = row;
    this.#damagedFrom = null;
    this.#next = row.index + 1;
    this.#checkedEntries += 1;
    this.#grow(row);
  }

  #grow(row: LedgerRow): void {
    if (this.#tree !== null) this.#tree = withLeaf(this.#tree, Buffer.from(row.leafHash, 'hex'));
    const { signed, previous } = this.#options;
    if (signed?.size !== this.#next) return;
    const isItsRoot = this.#tree !== null && rootOf(this.#tree).toString('hex') === signed.root;
    this.#isOfSigned = row.hash === signed.chainHead && (isItsRoot || Boolean(previous));
  }

  /** A chain that differs from the signed one is a separate fault, whatever else is wrong with it. */
  #checkSigned(): void {
    const { signed } = this.#options;
    if (signed === undefined || signed.size === 0 || this.#isOfSigned) return;
    // A missing or changed entry already explains the difference.
    if (this.#faults.lowest() !== null && this.#next >= signed.size) return;
    this.#faults.report(Math.min(this.#next, signed.size - 1), null, 'ROLLBACK');
  }

  /** Fault of an entry's stored content, or null if it is intact or awaits an explanation. */
  #contentFault(row: LedgerRow, { signals, entries, servedAudits }: Content): Reason | null {
    const isSignal = row.kind === 'SIGNAL';
    if ((isSignal ? entries : signals).length > 0) return 'EXTRA';
    const found = isSignal ? signalVerdict(row, signals) : entryVerdict(row, entries);
    if ((found.kind === 'intact' || found.kind === 'blank') && 'core' in found.row)
      this.#addErasure(row, erasureCoreOf(row, found.row));
    if (this.#isBack(row, isSignal ? signals : entries)) return 'NOT_ERASED';
    if (found.kind === 'fault') return found.reason;
    if (servedAudits.size > 0 && servedAudits.has(this.#cover.erasedAudit(row) ?? '')) return 'NOT_ERASED';
    if (found.kind === 'intact') return null;
    const gap: Gap = {
      index: row.index,
      id: row.id,
      kind: row.kind as LedgerKind,
      scope: found.kind === 'absent' ? 'ALL' : found.scope,
      blank: found.kind === 'absent' ? null : found,
      position: row,
    };
    if (this.#isExplained(gap)) return null;
    if (this.#gaps.length < MAX_OPEN) this.#gaps.push(gap);
    else this.#reportGap(gap);
    return null;
  }

  /**
   * Whether an erased entry is served: deleting a blank row reveals what it hid, and a row with a higher revision hides
   * it.
   */
  #isBack({ kind, index }: LedgerRow, rows: readonly (SignalRow | EntryRow)[]): boolean {
    const demanded = rows.length === 0 ? null : this.#cover.demands(kind as LedgerKind, index);
    return demanded !== null && servedRows(rows).some(({ erased }) => !isMarked(erased, demanded));
  }

  #addErasure(ledger: LedgerRow, core: ErasureCore | null): void {
    if (core === null) return;
    const { foldedBelow } = this.#options;
    // What it blanks is stored after its entry in the chain, and below the position.
    const isDone = foldedBelow === undefined || comparePositions(ledger, foldedBelow) < 0;
    this.#cover.add(ledger.index, core, { epoch: ledger.epoch, offset: ledger.offset }, isDone);
  }

  /** Whether a known ERASURE explains the gap; if so, counts an erased signal. */
  #isExplained(gap: Gap): boolean {
    if (!this.#cover.explains(gap)) return false;
    if (gap.kind === 'SIGNAL') this.#erasedSignals += 1;
    return true;
  }

  #reportGap(gap: Gap): void {
    const unexplained = gap.blank === null ? 'MISSING' : 'MODIFIED';
    this.#faults.report(gap.index, gap.id, this.#lacksErasures ? 'DAMAGED' : unexplained);
  }
}

/** Content above the last ledger row: either it is being folded, or it has no record in the log. */
function isExtra(row: LogPosition, last: LedgerRow | null, options: VerifyOptions): boolean {
  const afterLast = last === null ? null : { epoch: last.epoch, offset: last.offset + 1 };
  const foldedBelow = options.foldedBelow ?? afterLast;
  if (foldedBelow !== null && comparePositions(row, foldedBelow) < 0) return true;
  return options.logEnd !== undefined && comparePositions(row, options.logEnd) >= 0;
}

/** Checks a row's link to the previous one. `link` null: that one is missing, so the link cannot be checked. */
function linkFault(row: LedgerRow, link: Link | null): Reason | null {
  if (link !== null && !link.hashes.includes(row.previousHash)) return 'CHAIN_LINK';
  if (linked(row.previousHash, row.leafHash) !== row.hash) return 'MODIFIED';
  const before = link?.position ?? null;
  if (before === null) return null;
  // A customer's key maps to one partition, and within it entries get their index in the order of the log.
  const isInOrder = row.partition === before.partition && comparePositions(row, before) > 0;
  return isInOrder ? null : 'REORDERED';
}

function nextLink(row: LedgerRow, link: Link | null, isFaulty: boolean): Link {
  if (!isFaulty) return { hashes: [row.hash], position: row };
  const previous = [row.previousHash, ...(link?.hashes ?? [])];
  const hashes = new Set([row.hash, ...previous.flatMap((hash) => linked(hash, row.leafHash) ?? [])]);
  return {
    hashes: [...hashes].slice(0, MAX_HASHES),
    position: link?.position ?? null,
  };
}

const indexOf = ({ index }: { readonly index: number }): number => index;
const idOf = (row: SignalRow | EntryRow): string => ('auditId' in row ? row.auditId : row.id);
