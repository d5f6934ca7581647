import { type Finding, type FindingContext, restsOnFingerprints } from '../finding.ts';
import { judgeCluster, judgeTally, judgeWindow } from '../patterns/judge.ts';
import { type Book, dropWindow, emptyBook, lengthOf, openWindows, windowAt } from '../state/book.ts';
import type { Similarity } from '../state/clusters.ts';
import { countSignal, type Grown, nothingGrown } from '../state/count.ts';
import type { CorrelatedEntry, CorrelatedSignal, Past } from '../state/entries.ts';
import { eraseFromWindows } from '../state/erase.ts';
import { sweep } from '../state/keys.ts';
import {
  type CorrelationSettings,
  checkSettings,
  DAY_MS,
  FORTNIGHT_MS,
  HOUR_MS,
  LATENESS_MS,
  LOOK_GROWTH,
  MAX_OPEN_WINDOWS,
  WEEK_MS,
} from '../state/rules.ts';
import { SPANS, type Span, type Window } from '../state/shapes.ts';
import { startOf } from '../state/tally.ts';
import { type FoldState, newState } from './fold-state.ts';
import { type Change, closeFindings, eraseFromFindings, type Kept, noFindings, noteVerdict } from './kept.ts';
import { restoredState } from './restore.ts';
import { type FoldSnapshot, snapshotOf } from './snapshot.ts';
import { type ReportedFinding, reportedFinding } from './told-finding.ts';
import { weightOf } from './weight.ts';

/** Patterns in one customer's signals, entry by entry. */
export interface CorrelationFold {
  /**
   * Folds entries in index order and returns the findings that changed, in the order in which they did; one that changed
   * several times is there several times. Entries below `next` are repeats and change nothing. Throws a RangeError on
   * settings that nobody can have set.
   */
  fold(entries: readonly CorrelatedEntry[]): ReportedFinding[];
  /** Plain data for JSON, from which `restoreFold` goes on. */
  snapshot(): FoldSnapshot;
  /** Index of the next entry. */
  readonly next: number;
  /** Signals that came late and were left out. */
  readonly late: number;
  /** The customer is erased: nothing is found any more, and nothing is left to save. */
  readonly isClosed: boolean;
  /** About how many bytes of memory it holds. */
  readonly weight: number;
}

const NO_PAST: Past = { hours: [], shapes: [] };

interface FoldOptions {
  readonly customerId: string;
  readonly similarity: Similarity;
}

/**
 * A fold that begins. `past`: what was counted before its first entry, where the customer has any. Windows that
 * begin 28 days behind the first entry do not depend on them.
 */
export const createFold = (options: FoldOptions, past: Past = NO_PAST): CorrelationFold =>
  foldOf(options.customerId, newState(options.similarity, past));

/** A fold that goes on from a snapshot. null: the snapshot is of another version of the rules, and of no use. */
export function restoreFold(options: FoldOptions, snapshot: FoldSnapshot): CorrelationFold | null {
  const state = restoredState(options.similarity, snapshot);
  return state === null ? null : foldOf(options.customerId, state);
}

interface Folding {
  readonly state: FoldState;
  readonly context: FindingContext;
  readonly grown: Grown;
  /** Findings of the entries under way. */
  changed: ReportedFinding[];
}

function foldOf(customerId: string, state: FoldState): CorrelationFold {
  const folding: Folding = {
    state,
    context: { customerId, source: 'STREAM' },
    grown: nothingGrown(),
    changed: [],
  };
  return {
    fold: (entries) => {
      folding.changed = [];
      for (const entry of entries) if (entry.index >= state.next) foldEntry(folding, entry);
      return folding.changed;
    },
    snapshot: () => snapshotOf(state),
    get next() {
      return state.next;
    },
    get late() {
      return state.late;
    },
    get isClosed() {
      return state.isClosed;
    },
    get weight() {
      return weightOf(state);
    },
  };
}

function foldEntry(folding: Folding, entry: CorrelatedEntry): void {
  const { state } = folding;
  state.next = entry.index + 1;
  if (state.isClosed) return;
  if (entry.kind === 'SIGNAL') foldSignal(folding, entry);
  else if (entry.kind === 'ERASURE') foldErasure(folding, entry);
  else if (entry.kind === 'SETTINGS') foldSettings(folding, entry.settings, entry.index);
}

function foldSignal(folding: Folding, signal: CorrelatedSignal): void {
  const { state, grown } = folding;
  const { createdAt, acceptedAt, index } = signal;
  if (acceptedAt > state.watermark) {
    state.watermark = acceptedAt;
    closeDue(folding, index);
  }
  if (isLate(state, signal)) {
    state.late += 1;
    return;
  }
  const short = windowFor(
    folding,
    'SHORT',
    startOf('SHORT', lengthOf(state.book, 'SHORT'), createdAt),
    index,
  );
  const day = windowFor(folding, 'DAY', startOf('DAY', DAY_MS, createdAt), index);
  const latest = startOf('FORTNIGHT', FORTNIGHT_MS, createdAt);
  const fortnightBefore = windowFor(folding, 'FORTNIGHT', latest - WEEK_MS, index);
  const fortnight = windowFor(folding, 'FORTNIGHT', latest, index);
  countSignal(state.book, signal, { short, day, fortnight, fortnightBefore }, grown);
  look(folding, index);
}

/** Made long before it was accepted, or its window of the shortest span is closed. */
function isLate({ book, watermark }: FoldState, { createdAt, acceptedAt }: CorrelatedSignal): boolean {
  if (acceptedAt - createdAt > LATENESS_MS) return true;
  const lengthMs = lengthOf(book, 'SHORT');
  return isDue(startOf('SHORT', lengthMs, createdAt) + lengthMs, watermark);
}

const isDue = (end: number, watermark: number): boolean => watermark > end + LATENESS_MS;

/** null: the window is shut, or older than the oldest that there is room for. */
function windowFor(folding: Folding, span: Span, start: number, index: number): Window | null {
  const { book, shut } = folding.state;
  if (start < shut[span]) return null;
  const open = book.windows[span];
  if (!open.has(start) && open.size >= MAX_OPEN_WINDOWS) {
    const oldest = [...open.values()].reduce((one, other) => (other.start < one.start ? other : one));
    if (start < oldest.start) return null;
    shut[span] = oldest.start + oldest.lengthMs;
    close(folding, oldest, index);
  }
  return windowAt(book, span, start);
}

/** Judges what has grown enough since it was last looked at. */
function look(folding: Folding, index: number): void {
  const { state, context, grown } = folding;
  const { book, findings } = state;
  const change = changeAt(state, index);
  for (let at = 0; at < grown.tallyCount; at += 1) {
    const tally = grown.tallies[at]!;
    const { count } = tally;
    if (count < tally.look) continue;
    tally.look = nextLook(count);
    for (const verdict of judgeTally(book, tally))
      tell(folding, noteVerdict(context, findings, verdict, tally.window, change));
  }
  const { cluster } = grown;
  if (cluster === null || cluster.evidence.count < cluster.look) return;
  cluster.look = nextLook(cluster.evidence.count);
  const window = grown.clusterWindow!;
  for (const verdict of judgeCluster(book, window, cluster))
    tell(folding, noteVerdict(context, findings, verdict, window, change));
}

const changeAt = ({ watermark }: FoldState, index: number): Change => ({ version: index, at: watermark });

/** Written down at once: what is kept changes with later entries. */
function tell({ state, changed }: Folding, kept: Kept): void {
  changed.push(reportedFinding(kept, state.watermark, state.book.settings));
}

const nextLook = (count: number): number => Math.max(count + 1, Math.ceil(count * LOOK_GROWTH));

/** Closes the windows whose end the watermark has passed, and forgets hours that no baseline reaches once a day. */
function closeDue(folding: Folding, index: number): void {
  const { state } = folding;
  const { book, watermark } = state;
  if (!SPANS.some((span) => hasDue(book, span, watermark))) return;
  for (const window of openWindows(book))
    if (isDue(window.start + window.lengthMs, watermark)) close(folding, window, index);
  const day = Math.floor(watermark / DAY_MS);
  if (day === state.sweptDay) return;
  state.sweptDay = day;
  sweep(book.keys, (day * DAY_MS - KEPT_HISTORY_MS) / HOUR_MS);
}

/** The 28 days of a baseline before a day that may be open for an hour after its end. */
const KEPT_HISTORY_MS = 30 * DAY_MS;

function hasDue({ windows }: Book, span: Span, watermark: number): boolean {
  for (const { start, lengthMs } of windows[span].values())
    if (isDue(start + lengthMs, watermark)) return true;
  return false;
}

function close(folding: Folding, window: Window, index: number): void {
  const { state, context } = folding;
  const verdicts = judgeWindow(state.book, window);
  for (const kept of closeFindings(context, state.findings, verdicts, window, changeAt(state, index)))
    tell(folding, kept);
  dropWindow(state.book, window);
}

function foldErasure(
  folding: Folding,
  { index, ranges, scope, closing }: Extract<CorrelatedEntry, { kind: 'ERASURE' }>,
): void {
  const { state } = folding;
  if (closing) {
    // Who reads findings drops those of an erased customer: there is nothing to tell.
    state.isClosed = true;
    state.book = emptyBook(state.book.similarity, state.book.settings);
    state.findings = noFindings();
    return;
  }
  const targets = new Set<number>();
  for (const [from, to] of ranges) for (let at = from; at <= to && at < index; at += 1) targets.add(at);
  const isErased = (at: number): boolean => targets.has(at);
  const { minSignals } = state.book.settings;
  eraseFromWindows(state.book, isErased, scope === 'ALL');
  const concerns = (finding: Finding): boolean => scope === 'ALL' || restsOnFingerprints(finding);
  for (const kept of eraseFromFindings(state.findings, isErased, concerns, minSignals, index))
    tell(folding, kept);
}

/**
 * Settings hold from here on. Windows of another length cannot share signals, so those that are open close, and windows
 * of the new length begin behind them: no id is given twice, however often the length changes back.
 */
function foldSettings(folding: Folding, settings: CorrelationSettings, index: number): void {
  checkSettings(settings);
  const { book, shut } = folding.state;
  if (settings.windowMinutes !== book.settings.windowMinutes) {
    for (const window of openWindows(book)) {
      if (window.span !== 'SHORT') continue;
      shut.SHORT = Math.max(shut.SHORT, window.start + window.lengthMs);
      close(folding, window, index);
    }
  }
  book.settings = settings;
}
