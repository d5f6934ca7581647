import type { Interval } from '#schemas/api/dashboard.ts';

/** The page's period in the address: `range=24h`, which moves with the clock, or fixed `from` and `to`. */

export const RANGES = {
  '1h': { lengthMs: 3_600_000, name: 'Last hour' },
  '6h': { lengthMs: 6 * 3_600_000, name: 'Last 6 hours' },
  '24h': { lengthMs: 86_400_000, name: 'Last 24 hours' },
  '7d': { lengthMs: 7 * 86_400_000, name: 'Last 7 days' },
  '30d': { lengthMs: 30 * 86_400_000, name: 'Last 30 days' },
  '90d': { lengthMs: 90 * 86_400_000, name: 'Last 90 days' },
} as const;
type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

export interface Period {
  /** Null: `from` and `to` apply. */
  readonly range: RangeName | null;
  /** ISO 8601; undefined: that end is open. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const isRange = (text: string | null): text is RangeName => text !== null && Object.hasOwn(RANGES, text);

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** As in the API, a date without a time ends at its last millisecond. */
const timeOrNothing = (text: string | null, isEnd: boolean): string | undefined => {
  if (text === null) return undefined;
  const at = new Date(isEnd && DAY.test(text) ? `${text}T23:59:59.999Z` : text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

/**
 * `byDefault`: used when the address has no period. Starts of moving ranges are rounded down to the minute, so that
 * requests within a minute are the same.
 */
export function periodIn(search: URLSearchParams, nowMs: number, byDefault: RangeName | null): Period {
  const [from, to] = [timeOrNothing(search.get('from'), false), timeOrNothing(search.get('to'), true)];
  if (from !== undefined || to !== undefined) return { range: null, from, to };
  const named = search.get('range');
  const range = isRange(named) ? named : byDefault;
  if (range === null) return { range: null, from: undefined, to: undefined };
  return { range, ...periodQuery({ range, from: undefined, to: undefined }, nowMs) };
}

/** The dates for an API request: a moving range starts relative to the time of the request. */
export function periodQuery({ range, from, to }: Period, nowMs: number): Pick<Period, 'from' | 'to'> {
  if (range === null) return { from, to };
  const start = Math.floor((nowMs - RANGES[range].lengthMs) / 60_000) * 60_000;
  return { from: new Date(start).toISOString(), to: undefined };
}

/** Length of a series interval, which the service chooses. */
export const INTERVAL_SECONDS: Readonly<Record<Interval, number>> = {
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
};
