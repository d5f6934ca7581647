import { countHour, countSignal, nothingGrown } from './count.ts';
import type { CorrelatedSignal, HourlyCount } from './entries.ts';
import { type Finding, findingOf } from './finding.ts';
import { judgeWindow } from './patterns/judge.ts';
import { type CorrelationSettings, checkSettings, DAY_MS, FORTNIGHT_MS, WEEK_MS } from './rules.ts';
import { emptyBook, lengthOf, openWindows, windowAt } from './state/book.ts';
import type { Similarity } from './state/clusters.ts';
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

const matchedSlug = (slug: string): string => slug.toLowerCase().replaceAll('-', '_');

/**
 * Patterns in the signals of a range, by the rules of the fold, and with late signals: where none was late it finds what
 * the fold finds in windows that lie within the range and whose baseline both have. `hourlyCounts`: of the hours
 * from 28 days before startDate (later ones are left out). `signals`: in index order, as clusters depend on it; those outside of the
 * range are left out. Throws a RangeError on an order or settings that are none. Findings are CLOSED, by window.
 */
export function detect(
  parameters: DetectParameters,
  hourlyCounts: Iterable<HourlyCount>,
  signals: Iterable<CorrelatedSignal>,
): { readonly findings: Finding[]; readonly analyzedSignals: number } {
  checkSettings(parameters);
  const { customerId, startDate, endDate, sandboxSlug, similarity } = parameters;
  const { windowMinutes, minSignals, dimensions } = parameters;
  const book = emptyBook(similarity, { windowMinutes, minSignals, dimensions });
  const grown = nothingGrown();
  const slug = sandboxSlug === null ? null : matchedSlug(sandboxSlug);
  for (const group of hourlyCounts) {
    if (group.hour >= startDate) continue;
    if (slug !== null && matchedSlug(group.sandboxSlug) !== slug) continue;
    countHour(book, group, grown);
  }
  const shortMs = lengthOf(book, 'SHORT');
  let analyzedSignals = 0;
  let last = -1;
  for (const signal of signals) {
    const { index, createdAt } = signal;
    if (index <= last) throw new RangeError('signals are not in the order of their indexes');
    last = index;
    if (createdAt < startDate || createdAt >= endDate) continue;
    if (slug !== null && matchedSlug(signal.sandboxSlug) !== slug) continue;
    const short = windowAt(book, 'SHORT', startOf('SHORT', shortMs, createdAt));
    const day = windowAt(book, 'DAY', startOf('DAY', DAY_MS, createdAt));
    const latest = startOf('FORTNIGHT', FORTNIGHT_MS, createdAt);
    const fortnightBefore = windowAt(book, 'FORTNIGHT', latest - WEEK_MS);
    const fortnight = windowAt(book, 'FORTNIGHT', latest);
    countSignal(book, signal, { short, day, fortnight, fortnightBefore }, grown);
    analyzedSignals += 1;
  }
  const findings = openWindows(book).flatMap((window) =>
    judgeWindow(book, window).map((verdict) =>
      findingOf({ customerId, source: 'RUN' }, verdict, window, 'CLOSED', last),
    ),
  );
  return { findings, analyzedSignals };
}
