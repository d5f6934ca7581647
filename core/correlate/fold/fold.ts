import { type Finding, type FindingContext, restsOnFingerprints } from '../finding.ts';
import { judgeCluster, judgeTally, judgeWindow } from '../patterns/judge.ts';
import type { Similarity } from '../state/clusters.ts';
import { countSignal, type Grown, nothingGrown } from '../state/count.ts';
import {
  type Counters,
  dropWindow,
  emptyCounters,
  lengthOf,
  openWindows,
  windowAt,
} from '../state/counters.ts';
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
import { type ReportedFinding, reportedFinding } from './reported-finding.ts';
import { restoredState } from './restore.ts';
import { type FoldSnapshot, snapshotOf } from './snapshot.ts';
import { weightOf } from './weight.ts';

/** Finds patterns in one customer's signals, entry by entry. */
export interface CorrelationFold {
  /**
   * Folds entries in index order and returns changed findings in the order of their changes, one per change. Entries
   * below `next` are repeats and change nothing. Throws a RangeError on invalid settings.
   */
  fold(entries: readonly CorrelatedEntry[]): ReportedFinding[];
  /** Plain data for JSON, from which `restoreFold` resumes. */
  snapshot(): FoldSnapshot;
  /** Index of the next entry. */
  readonly next: number;
  /** Late signals that were ignored. */
  readonly late: number;
  /** The customer has been erased: there are no more findings, and nothing to save. */
  readonly isClosed: boolean;
  /** Approximate memory use, bytes. */
  readonly weight: number;
}

const NO_PAST: Past = { hours: [], shapes: [] };

interface FoldOptions {
  readonly customerId: string;
  readonly similarity: Similarity;
}

/**
 * A new fold. `past`: counts from before its first entry, if the customer has any. Windows that start 28 days after the
 * first entry do not depend on them.
 */
export const createFold = (options: FoldOptions, past: Past = NO_PAST): CorrelationFold =>
  foldOf(options.customerId, newState(options.similarity, past));

/**
 * A fold that resumes from a snapshot. null: the snapshot was made by another version of the rules and cannot be used.
 */
export function restoreFold(options: FoldOptions, snapshot: FoldSnapshot): CorrelationFold | null {
  const state = restoredState(options.similarity, snapshot);
  return state === null ? null : foldOf(options.customerId, state);
}

interface Folding {
  readonly state: FoldState;
  readonly context: FindingContext;
  readonly grown: Grown;
  /** Findings changed by the entries being folded. */
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
    startOf('SHORT', lengthOf(state.counters, 'SHORT'), createdAt),
    index,
  );
  const day = windowFor(folding, 'DAY', startOf('DAY', DAY_MS, createdAt), index);
  const latest = startOf('FORTNIGHT', FORTNIGHT_MS, createdAt);
  const fortnightBefore = windowFor(folding, 'FORTNIGHT', latest - WEEK_MS, index);
  const fortnight = windowFor(folding, 'FORTNIGHT', latest, index);
  countSignal(state.counters, signal, { short, day, fortnight, fortnightBefore }, grown);
  judgeGrown(folding, index);
}

/** Made long before it was accepted, or its short window is already closed. */
function isLate({ counters, watermark }: FoldState, { createdAt, acceptedAt }: CorrelatedSignal): boolean {
  if (acceptedAt - createdAt > LATENESS_MS) return true;
  const lengthMs = lengthOf(counters, 'SHORT');
  return isDue(startOf('SHORT', lengthMs, createdAt) + lengthMs, watermark);
}

const isDue = (end: number, watermark: number): boolean => watermark > end + LATENESS_MS;

/** null: the window is closed, or too old to be opened. */
function windowFor(folding: Folding, span: Span, start: number, index: number): Window | null {
  const { counters, shut } = folding.state;
  if (start < shut[span]) return null;
  const open = counters.windows[span];
  if (!open.has(start) && open.size >= MAX_OPEN_WINDOWS) {
    const oldest = [...open.values()].reduce((one, other) => (other.start < one.start ? other : one));
    if (start < oldest.start) return null;
    shut[span] = oldest.start + oldest.lengthMs;
    close(folding, oldest, index);
  }
  return windowAt(counters, span, start);
}

/** Judges what has grown enough since it was last judged. */
function judgeGrown(folding: Folding, index: number): void {
  const { state, context, grown } = folding;
  const { counters, findings } = state;
  const change = changeAt(state, index);
  for (let at = 0; at < grown.tallyCount; at += 1) {
    const tally = grown.tallies[at]!;
    const { count } = tally;
    if (count < tally.look) continue;
    tally.look = nextJudgedAt(count);
    for (const verdict of judgeTally(counters, tally))
      report(folding, noteVerdict(context, findings, verdict, tally.window, change));
  }
  const { cluster } = grown;
  if (cluster === null || cluster.evidence.count < cluster.look) return;
  cluster.look = nextJudgedAt(cluster.evidence.count);
  const window = grown.clusterWindow!;
  for (const verdict of judgeCluster(counters, window, cluster))
    report(folding, noteVerdict(context, findings, verdict, window, change));
}

const changeAt = ({ watermark }: FoldState, index: number): Change => ({ version: index, at: watermark });

/** Copies the finding at once: later entries change what is kept. */
function report({ state, changed }: Folding, kept: Kept): void {
  changed.push(reportedFinding(kept, state.watermark, state.counters.settings));
}

const nextJudgedAt = (count: number): number => Math.max(count + 1, Math.ceil(count * LOOK_GROWTH));

/** Closes the windows whose end the watermark has passed. Once a day, also removes hours that no baseline needs. */
function closeDue(folding: Folding, index: number): void {
  const { state } = folding;
  const { counters, watermark } = state;
  if (!SPANS.some((span) => hasDue(counters, span, watermark))) return;
  for (const window of openWindows(counters))
    if (isDue(window.start + window.lengthMs, watermark)) close(folding, window, index);
  const day = Math.floor(watermark / DAY_MS);
  if (day === state.sweptDay) return;
  state.sweptDay = day;
  sweep(counters.keys, (day * DAY_MS - KEPT_HISTORY_MS) / HOUR_MS);
}

/** A baseline's 28 days, a day, and the hour for which that day may stay open after its end. */
const KEPT_HISTORY_MS = 30 * DAY_MS;

function hasDue({ windows }: Counters, span: Span, watermark: number): boolean {
  for (const { start, lengthMs } of windows[span].values())
    if (isDue(start + lengthMs, watermark)) return true;
  return false;
}

function close(folding: Folding, window: Window, index: number): void {
  const { state, context } = folding;
  const verdicts = judgeWindow(state.counters, window);
  for (const kept of closeFindings(context, state.findings, verdicts, window, changeAt(state, index)))
    report(folding, kept);
  dropWindow(state.counters, window);
}

function foldErasure(
  folding: Folding,
  { index, ranges, scope, closing }: Extract<CorrelatedEntry, { kind: 'ERASURE' }>,
): void {
  const { state } = folding;
  if (closing) {
    // Readers drop all findings of an erased customer, so there is nothing to report.
    state.isClosed = true;
    state.counters = emptyCounters(state.counters.similarity, state.counters.settings);
    state.findings = noFindings();
    return;
  }
  const targets = new Set<number>();
  for (const [from, to] of ranges) for (let at = from; at <= to && at < index; at += 1) targets.add(at);
  const isErased = (at: number): boolean => targets.has(at);
  const { minSignals } = state.counters.settings;
  eraseFromWindows(state.counters, isErased, scope === 'ALL');
  const concerns = (finding: Finding): boolean => scope === 'ALL' || restsOnFingerprints(finding);
  for (const kept of eraseFromFindings(state.findings, isErased, concerns, minSignals, index))
    report(folding, kept);
}

/**
 * Settings apply from here on. Windows of different lengths cannot share signals, so open ones close, and windows of
 * the new length start after them: no id is used twice, even if the length changes back.
 */
function foldSettings(folding: Folding, settings: CorrelationSettings, index: number): void {
  checkSettings(settings);
  const { counters, shut } = folding.state;
  if (settings.windowMinutes !== counters.settings.windowMinutes) {
    for (const window of openWindows(counters)) {
      if (window.span !== 'SHORT') continue;
      shut.SHORT = Math.max(shut.SHORT, window.start + window.lengthMs);
      close(folding, window, index);
    }
  }
  counters.settings = settings;
}
