import type { DayCount, SignalPlace } from '../../../platform/warehouse/queries/signals.ts';

/** Where the rows of a page lie. */
export interface PageDays {
  /** UTC days to read, the newest first. */
  readonly days: readonly string[];
  /** Rows to pass over in them. */
  readonly offset: number;
  /** Days with older signals. */
  readonly older: readonly string[];
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Days that hold a page's rows. The counts, which the total needs anyway, make the read a short one however deep the
 * page is and however few signals its filter finds.
 */
export function daysOfPage(counts: readonly DayCount[], { offset, limit, after }: SignalPlace): PageDays {
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
    // Nobody counted how many of that day's signals lie behind the last one seen.
    held += day === lastSeen ? 0 : signals;
    end += 1;
  }
  const days = ahead.map(({ day }) => day);
  return { days: days.slice(first, end), offset: offset - passed, older: days.slice(end) };
}
