import { MAX_SIGNAL_IDS } from '#schemas/correlation-bounds.ts';
import { type Finding, findingOf } from './finding.ts';
import { judgeWindow } from './patterns/judge.ts';
import { type Book, dropWindow, emptyBook, lengthOf, openWindows, windowAt } from './state/book.ts';
import type { Similarity } from './state/clusters.ts';
import { countHours, countShape, countSignal, nothingGrown, type SignalWindows } from './state/count.ts';
import type { CorrelatedSignal, CountedSignal, HourlyCounts, Past, ShapeCount } from './state/entries.ts';
import type { Member } from './state/evidence.ts';
import { type CorrelationSettings, checkSettings, DAY_MS, FORTNIGHT_MS, WEEK_MS } from './state/rules.ts';
import type { Window } from './state/shapes.ts';
import { startOf } from './state/tally.ts';

/** What a run over history looks at. Its window, minimum and dimensions are in the place of the customer's settings. */
export interface DetectParameters extends CorrelationSettings {
  readonly customerId: string;
  /** Unix ms; signals are of [startDate, endDate). */
  readonly startDate: number;
  readonly endDate: number;
  /** null: all sandboxes. Hyphens and underscores are one, as in policies. */
  readonly sandboxSlug: string | null;
  readonly similarity: Similarity;
}

/** How sandboxes' slugs are compared. */
export const matchedSlug = (slug: string): string => slug.toLowerCase().replaceAll('-', '_');

/** A finding, with the signals that it names, in the order in which it names them. */
export interface FoundPattern {
  readonly finding: Finding;
  readonly members: readonly Member[];
}

/** A run over history, which gets what it reads piece by piece. */
interface DetectRun {
  /** Counts of the hours from 28 days before startDate (later ones are left out); all of them before any signal. */
  countHours(groups: Iterable<HourlyCounts>): void;
  /** The same of violations by the shapes of their prompts: signals of the range are not among them. */
  countShapes(groups: Iterable<ShapeCount>): void;
  /**
   * Day by day (UTC) of their `createdAt`, those of a day in index order: windows of the days before are judged then, and
   * what they held is let go. Those outside of the range are left out. Throws a RangeError on another order, and on a
   * signal that cannot stand for several.
   */
  addSignals(signals: Iterable<CountedSignal>): void;
  /** Signals that counted so far. */
  readonly analyzedSignals: number;
  /** Judges every window, once: findings are CLOSED, by window. */
  finish(): FoundPattern[];
}

/**
 * Patterns in the signals of a range, by the rules of the fold, and with late signals: where none was late it finds what
 * the fold finds in windows that lie within the range and whose baseline both have. Throws a RangeError on settings that
 * are none.
 */
export function beginRun(parameters: DetectParameters): DetectRun {
  checkSettings(parameters);
  const { customerId, startDate, endDate, sandboxSlug, similarity } = parameters;
  const { windowMinutes, minSignals, dimensions } = parameters;
  const book = emptyBook(similarity, { windowMinutes, minSignals, dimensions });
  const grown = nothingGrown();
  const slug = sandboxSlug === null ? null : matchedSlug(sandboxSlug);
  const found: FoundPattern[] = [];
  let analyzedSignals = 0;
  let day = Number.NEGATIVE_INFINITY;
  let last = -1;
  let newest = -1;
  let windows: OpenWindows | null = null;
  const judgeUntil = (end: number): void => {
    for (const window of openWindows(book)) {
      if (window.start + window.lengthMs > end) continue;
      for (const verdict of judgeWindow(book, window))
        found.push({
          finding: findingOf({ customerId, source: 'RUN' }, verdict, window, 'CLOSED', 0),
          members: verdict.evidence.members.slice(0, MAX_SIGNAL_IDS),
        });
      dropWindow(book, window);
    }
  };
  const begin = (next: number): void => {
    if (next < day) throw new RangeError('signals are not grouped by day');
    judgeUntil(next * DAY_MS);
    day = next;
    last = -1;
  };
  return {
    countHours: (groups) => {
      for (const group of groups) {
        if (slug !== null && matchedSlug(group.sandboxSlug) !== slug) continue;
        countHours(book, group, startDate, grown);
      }
    },
    countShapes: (groups) => {
      for (const group of groups) countShape(book, group);
    },
    addSignals: (signals) => {
      for (const signal of signals) {
        const { index, createdAt, count } = signal;
        const own = Math.floor(createdAt / DAY_MS);
        if (own !== day) begin(own);
        if (index <= last) throw new RangeError('signals of a day are not sorted by index');
        last = index;
        if (index > newest) newest = index;
        if (createdAt < startDate || createdAt >= endDate) continue;
        if (slug !== null && matchedSlug(signal.sandboxSlug) !== slug) continue;
        if (windows === null || !isIn(windows.short, createdAt) || !isIn(windows.day, createdAt))
          windows = windowsAt(book, createdAt);
        countSignal(book, signal, windows, grown, count);
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

/** A run over what is in memory, in index order: `beginRun` says what each part is. */
export function detect(
  parameters: DetectParameters,
  past: Past,
  signals: Iterable<CorrelatedSignal>,
): { readonly findings: Finding[]; readonly analyzedSignals: number } {
  const run = beginRun(parameters);
  run.countHours(past.hours);
  run.countShapes(past.shapes);
  run.addSignals(dayByDay(signals).map((signal) => ({ ...signal, count: 1 })));
  const findings = run.finish().map(({ finding }) => finding);
  return { findings, analyzedSignals: run.analyzedSignals };
}

/** In the order in which a run takes signals. */
export const dayByDay = <Signal extends Pick<CountedSignal, 'createdAt' | 'index'>>(
  signals: Iterable<Signal>,
): Signal[] =>
  [...signals].sort(
    (a, b) => Math.floor(a.createdAt / DAY_MS) - Math.floor(b.createdAt / DAY_MS) || a.index - b.index,
  );

type OpenWindows = Readonly<Record<keyof SignalWindows, Window>>;

/** Both the short one and the day are asked: the day may end within a short window. */
const isIn = ({ start, lengthMs }: Window, at: number): boolean => at >= start && at < start + lengthMs;

function windowsAt(book: Book, at: number): OpenWindows {
  const latest = startOf('FORTNIGHT', FORTNIGHT_MS, at);
  return {
    short: windowAt(book, 'SHORT', startOf('SHORT', lengthOf(book, 'SHORT'), at)),
    day: windowAt(book, 'DAY', startOf('DAY', DAY_MS, at)),
    fortnightBefore: windowAt(book, 'FORTNIGHT', latest - WEEK_MS),
    fortnight: windowAt(book, 'FORTNIGHT', latest),
  };
}
