import { MAX_SIGNAL_IDS } from '#schemas/correlation-bounds.ts';
import { type Finding, findingOf } from './finding.ts';
import { judgeWindow } from './patterns/judge.ts';
import type { Similarity } from './state/clusters.ts';
import { countHours, countShape, countSignal, nothingGrown, type SignalWindows } from './state/count.ts';
import {
  type Counters,
  dropWindow,
  emptyCounters,
  lengthOf,
  openWindows,
  windowAt,
} from './state/counters.ts';
import type { CorrelatedSignal, CountedSignal, HourlyCounts, Past, ShapeCount } from './state/entries.ts';
import type { Member } from './state/evidence.ts';
import { type CorrelationSettings, checkSettings, DAY_MS, FORTNIGHT_MS, WEEK_MS } from './state/rules.ts';
import type { Window } from './state/shapes.ts';
import { startOf } from './state/tally.ts';

/** Parameters of a run over history. Its window, minimum and dimensions replace the customer's settings. */
export interface DetectParameters extends CorrelationSettings {
  readonly customerId: string;
  /** Unix ms; signals in [startDate, endDate). */
  readonly startDate: number;
  readonly endDate: number;
  /** null: all sandboxes. Hyphens and underscores are equal, as in policies. */
  readonly sandboxSlug: string | null;
  readonly similarity: Similarity;
}

/** The form in which sandbox slugs are compared. */
export const matchedSlug = (slug: string): string => slug.toLowerCase().replaceAll('-', '_');

/** A finding, with the signals that it names, in the same order. */
export interface FoundPattern {
  readonly finding: Finding;
  readonly members: readonly Member[];
}

/** A run over history. Its input arrives in pieces. */
interface DetectRun {
  /** Counts by hour, from 28 days before startDate; later hours are ignored. Call before adding any signal. */
  countHours(groups: Iterable<HourlyCounts>): void;
  /** The same for violations by the shape of their prompts. Must not include signals of the range. */
  countShapes(groups: Iterable<ShapeCount>): void;
  /**
   * Adds signals day by day (UTC) of their `createdAt`, each day in index order. Windows of earlier days are then
   * judged and released. Signals outside the range are ignored. Throws a RangeError if the order is wrong, or if a
   * signal that must be added alone has a count above 1.
   */
  addSignals(signals: Iterable<CountedSignal>): void;
  /** Signals counted so far. */
  readonly analyzedSignals: number;
  /** Judges the remaining windows; call once. Findings are CLOSED, ordered by window. */
  finish(): FoundPattern[];
}

/**
 * Finds patterns in the signals of a range, by the rules of the fold but including late signals. If none were late, it
 * finds the same as the fold in windows that lie within the range and have the same baseline. Throws a RangeError on
 * invalid settings.
 */
export function startRun(parameters: DetectParameters): DetectRun {
  checkSettings(parameters);
  const { customerId, startDate, endDate, sandboxSlug, similarity } = parameters;
  const { windowMinutes, minSignals, dimensions } = parameters;
  const counters = emptyCounters(similarity, { windowMinutes, minSignals, dimensions });
  const grown = nothingGrown();
  const slug = sandboxSlug === null ? null : matchedSlug(sandboxSlug);
  const found: FoundPattern[] = [];
  let analyzedSignals = 0;
  let day = Number.NEGATIVE_INFINITY;
  let last = -1;
  let newest = -1;
  let windows: OpenWindows | null = null;
  const judgeUntil = (end: number): void => {
    for (const window of openWindows(counters)) {
      if (window.start + window.lengthMs > end) continue;
      for (const verdict of judgeWindow(counters, window))
        found.push({
          finding: findingOf({ customerId, source: 'RUN' }, verdict, window, 'CLOSED', 0),
          members: verdict.evidence.members.slice(0, MAX_SIGNAL_IDS),
        });
      dropWindow(counters, window);
    }
  };
  const startDay = (next: number): void => {
    if (next < day) throw new RangeError('signals are not grouped by day');
    judgeUntil(next * DAY_MS);
    day = next;
    last = -1;
  };
  return {
    countHours: (groups) => {
      for (const group of groups) {
        if (slug !== null && matchedSlug(group.sandboxSlug) !== slug) continue;
        countHours(counters, group, startDate, grown);
      }
    },
    countShapes: (groups) => {
      for (const group of groups) countShape(counters, group);
    },
    addSignals: (signals) => {
      for (const signal of signals) {
        const { index, createdAt, count } = signal;
        const own = Math.floor(createdAt / DAY_MS);
        if (own !== day) startDay(own);
        if (index <= last) throw new RangeError('signals of a day are not sorted by index');
        last = index;
        if (index > newest) newest = index;
        if (createdAt < startDate || createdAt >= endDate) continue;
        if (slug !== null && matchedSlug(signal.sandboxSlug) !== slug) continue;
        if (windows === null || !isIn(windows.short, createdAt) || !isIn(windows.day, createdAt))
          windows = windowsAt(counters, createdAt);
        countSignal(counters, signal, windows, grown, count);
        analyzedSignals += count;
      }
    },
    get analyzedSignals() {
      return analyzedSignals;
    },
    finish: () => {
      judgeUntil(Number.POSITIVE_INFINITY);
      return found.map(({ finding, members }) => ({ finding: { ...finding, version: newest }, members }));
    },
  };
}

/** A run over data in memory, in index order; `beginRun` documents each parameter. */
export function detect(
  parameters: DetectParameters,
  past: Past,
  signals: Iterable<CorrelatedSignal>,
): { readonly findings: Finding[]; readonly analyzedSignals: number } {
  const run = startRun(parameters);
  run.countHours(past.hours);
  run.countShapes(past.shapes);
  run.addSignals(dayByDay(signals).map((signal) => ({ ...signal, count: 1 })));
  const findings = run.finish().map(({ finding }) => finding);
  return { findings, analyzedSignals: run.analyzedSignals };
}

/** Sorts signals into the order that a run requires. */
export const dayByDay = <Signal extends Pick<CountedSignal, 'createdAt' | 'index'>>(
  signals: Iterable<Signal>,
): Signal[] =>
  [...signals].sort(
    (a, b) => Math.floor(a.createdAt / DAY_MS) - Math.floor(b.createdAt / DAY_MS) || a.index - b.index,
  );

type OpenWindows = Readonly<Record<keyof SignalWindows, Window>>;

/** Both the short window and the day must be checked: the day may end within a short window. */
const isIn = ({ start, lengthMs }: Window, at: number): boolean => at >= start && at < start + lengthMs;

function windowsAt(counters: Counters, at: number): OpenWindows {
  const latest = startOf('FORTNIGHT', FORTNIGHT_MS, at);
  return {
    short: windowAt(counters, 'SHORT', startOf('SHORT', lengthOf(counters, 'SHORT'), at)),
    day: windowAt(counters, 'DAY', startOf('DAY', DAY_MS, at)),
    fortnightBefore: windowAt(counters, 'FORTNIGHT', latest - WEEK_MS),
    fortnight: windowAt(counters, 'FORTNIGHT', latest),
  };
}
