import { erasedAuditId } from '#schemas/ledger/erased-audit.ts';
import type { ErasureCore, ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { comparePositions, type LogPosition } from './verify-leaf.ts';

/** A blank or missing content row that only an ERASURE can explain. */
export interface Gap {
  readonly index: number;
  readonly id: string;
  readonly kind: LedgerKind;
  /** What is missing. A missing row counts as ALL. */
  readonly scope: ErasureScope;
  /** Revision and position of the blank row; null: there is no row. */
  readonly blank: { readonly revision: number; readonly position: LogPosition } | null;
  /** The entry's own position in the log. */
  readonly position: LogPosition;
}

interface Erasure {
  readonly core: ErasureCore;
  readonly position: LogPosition;
  readonly isDone: boolean;
  /** Ascending and disjoint. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** A customer's verified ERASURE entries: they define which content may be missing, and which must be. */
export interface ErasureCover {
  /** `isDone`: everything that it blanks has been stored. */
  add(index: number, core: ErasureCore, position: LogPosition, isDone: boolean): void;
  explains(gap: Gap): boolean;
  /** What must be missing from the content of an entry; null: nothing. */
  demands(kind: LedgerKind, index: number): ErasureScope | null;
  /** The audit whose row in the list must be blank because of this entry: its signal, or itself, is erased. */
  erasedAudit(entry: { readonly kind: string; readonly index: number; readonly id: string }): string | null;
  /** The final blank row of an entry; null: nothing has to be missing. */
  blankOf(kind: LedgerKind, index: number): Blank | null;
}

/** What an entry's last blank row says about its erasures. */
export interface Blank {
  readonly scope: ErasureScope;
  /** Index and position of the last ERASURE; null: stored blank, because its customer had already been closed. */
  readonly last: { readonly revision: number; readonly position: LogPosition } | null;
  /**
   * Position of the first ERASURE with scope ALL, which blanked the row in the audit list; null as above, or if none.
   */
  readonly first: LogPosition | null;
}

/** Indexes named by erasures. Merged at the first look-up, because all erasures are added before. */
class NamedIndexes {
  #ranges: (readonly [number, number])[] = [];
  #isMerged = true;

  add(ranges: readonly (readonly [number, number])[], below: number): void {
    for (const range of ranges) {
      const [from, to] = range;
      if (from < below) this.#ranges.push(to < below ? range : [from, below - 1]);
    }
    this.#isMerged = false;
  }

  has(index: number): boolean {
    if (!this.#isMerged) this.#ranges = merged(this.#ranges);
    this.#isMerged = true;
    return contains(this.#ranges, index);
  }
}

export function createErasureCover(): ErasureCover {
  const erasures = new Map<number, Erasure>();
  /** Grouped by scope and kinds, of which there are few: a list per kind would store each index ten times. */
  const named = new Map<string, Pick<ErasureCore, 'scope' | 'kinds'> & { readonly indexes: NamedIndexes }>();
  let closedFrom = Number.POSITIVE_INFINITY;
  const isNamed = (wanted: ErasureScope, kind: LedgerKind, index: number): boolean =>
    [...named.values()].some(
      ({ scope, kinds, indexes }) => scope === wanted && kinds.includes(kind) && indexes.has(index),
    );

  const reaches = (
    index: number,
    erasure: Erasure | undefined,
    gap: Pick<Gap, 'kind' | 'index'>,
  ): erasure is Erasure =>
    erasure !== undefined &&
    gap.index < index &&
    erasure.core.kinds.includes(gap.kind) &&
    contains(erasure.ranges, gap.index);
  const blanksAll = (index: number, erasure: Erasure, gap: Gap): boolean =>
    erasure.core.scope === 'ALL' && reaches(index, erasure, gap);
  const isClosed = (gap: Gap): boolean => gap.index > closedFrom;

  const demands: ErasureCover['demands'] = (kind, index) => {
    // Only the personal fields of an ERASURE can be erased.
    if (kind !== 'ERASURE' && (index > closedFrom || isNamed('ALL', kind, index))) return 'ALL';
    return isNamed('ALL', kind, index) || isNamed('DETAIL', kind, index) ? 'DETAIL' : null;
  };

  return {
    add: (index, core, position, isDone) => {
      const isRepeated = erasures.has(index);
      const ranges = merged(core.ranges);
      erasures.set(index, { core, position, ranges, isDone });
      if (core.closing) closedFrom = Math.min(closedFrom, index);
      if (isRepeated || !isDone) return;
      const { scope, kinds } = core;
      const name = [scope, ...kinds].join();
      const known = named.get(name) ?? { scope, kinds, indexes: new NamedIndexes() };
      named.set(name, known);
      known.indexes.add(ranges, index);
    },
    demands,
    erasedAudit: ({ kind, index, id }) => {
      if (kind === 'SIGNAL') return demands(kind, index) === 'ALL' ? id : null;
      const erasure = kind === 'ERASURE' ? erasures.get(index) : undefined;
      const isOfAudit = erasure?.isDone && erasure.core.scope === 'ALL' && erasure.ranges.length === 0;
      return isOfAudit ? erasedAuditId(id) : null;
    },
    blankOf: (kind, index) => {
      const scope = demands(kind, index);
      const by = [...erasures].filter(
        ([at, erasure]) => erasure.isDone && reaches(at, erasure, { kind, index }),
      );
      return scope === null ? null : blankBy(scope, by);
    },
    explains: (gap) => {
      // An ERASURE survives every erasure; only its personal fields can be erased.
      if (gap.kind === 'ERASURE' && gap.scope === 'ALL') return false;
      if (gap.blank === null) return [...erasures].some(([index, erasure]) => blanksAll(index, erasure, gap));
      const { revision, position } = gap.blank;
      if (revision === 0) return isClosed(gap) && comparePositions(position, gap.position) === 0;
      const by = erasures.get(revision);
      if (by === undefined || !reaches(revision, by, gap)) return false;
      if (comparePositions(position, by.position) !== 0) return false;
      if (gap.scope === 'DETAIL' || by.core.scope === 'ALL' || isClosed(gap)) return true;
      return [...erasures].some(([index, erasure]) => index < revision && blanksAll(index, erasure, gap));
    },
  };
}

/** `by`: the ERASURE entries that name the entry, with their indexes. */
function blankBy(scope: ErasureScope, by: readonly (readonly [index: number, Erasure])[]): Blank {
  const ordered = by.toSorted(([one], [other]) => one - other);
  const last = ordered.at(-1);
  const first = ordered.find(([, { core }]) => core.scope === 'ALL');
  return {
    scope,
    last: last === undefined ? null : { revision: last[0], position: last[1].position },
    first: first?.[1].position ?? null,
  };
}

function merged(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const disjoint: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = disjoint.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else disjoint.push([from, to]);
  }
  return disjoint;
}

function contains(ranges: Erasure['ranges'], index: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle]!;
    if (index < from) high = middle - 1;
    else if (index > to) low = middle + 1;
    else return true;
  }
  return false;
}
