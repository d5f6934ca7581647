import type { DayCount, SignalPage } from '#platform/warehouse/queries/signals.ts';

/** The days that hold a page's rows. */
interface PageDays {
  /** UTC days to read, newest first. */
  readonly days: readonly string[];
  /** Rows of these days to skip. */
  readonly offset: number;
  /** Days with older signals. */
  readonly older: readonly string[];
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Finds the days that hold a page's rows. The counts, which the total needs anyway, keep the read short however deep
 * the page is and however few signals match its filter.
 */
export function daysOfPage(counts: readonly DayCount[], { offset, limit, after }: SignalPage): PageDays {
  const lastSeen = after === null ? null : dayOf(after.createdAt);
  const ahead = lastSeen === null ? counts : counts.filter(({ day }) => day <= lastSeen);
  let passed = 0;
  let first = 0;
  for (const { signals } of ahead) {
    if (passed + signals > offset) break;
    passed += signals;
    first += 1;
  }
  let held = passed - offset;
  let end = first;
  for (const { day, signals } of ahead.slice(first)) {
    if (held >= limit) break;
    // The counts do not say how many of that day's signals are older than the last one seen.
    held += day === lastSeen ? 0 : signals;
    end += 1;
  }
  const days = ahead.map(({ day }) => day);
  return { days: days.slice(first, end), offset: offset - passed, older: days.slice(end) };
}
