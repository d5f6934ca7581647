/** Length of the periods of a scheduled export; they start at an hour or a day of UTC. */
export const PERIODS = ['hour', 'day'] as const;
export type PeriodLength = (typeof PERIODS)[number];

const LENGTHS_MS: Readonly<Record<PeriodLength, number>> = { hour: 3_600_000, day: 86_400_000 };

/** Clocks of several machines differ, and analyses started within a period end soon after it. */
export const SETTLED_AFTER_MS = 5 * 60_000;

/** Maximum number of periods caught up on: 27 years of days, 13 months of hours. */
export const MAX_PERIODS = 10_000;

export interface Period {
  /** "2026-11-25", or "2026-11-25T14". */
  readonly name: string;
  /** First and last millisecond, Unix ms. */
  readonly from: number;
  readonly to: number;
}

/**
 * Periods from the one that includes `since` to the last one settled at `now` (both Unix ms), oldest first. Throws a
 * RangeError when there are more than `MAX_PERIODS`.
 */
export function settledPeriods(length: PeriodLength, since: number, now: number): Period[] {
  const lengthMs = LENGTHS_MS[length];
  const first = Math.floor(since / lengthMs);
  const end = Math.floor((now - SETTLED_AFTER_MS) / lengthMs);
  if (end - first > MAX_PERIODS)
    throw new RangeError(
      `--since is ${end - first} periods ago; the limit is ${MAX_PERIODS}. Give a later --since`,
    );
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => {
    const from = (first + index) * lengthMs;
    const name = new Date(from).toISOString().slice(0, length === 'day' ? 10 : 13);
    return { name, from, to: from + lengthMs - 1 };
  });
}

/** Time until another period has settled, ms. */
export function untilNextPeriod(length: PeriodLength, now: number): number {
  const lengthMs = LENGTHS_MS[length];
  const settled = now - SETTLED_AFTER_MS;
  return (Math.floor(settled / lengthMs) + 1) * lengthMs - settled;
}

/** A time in the last period settled at `now`, Unix ms. */
export const lastSettled = (length: PeriodLength, now: number): number =>
  now - SETTLED_AFTER_MS - LENGTHS_MS[length];
