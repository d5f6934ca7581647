import { countByInterval } from '#platform/warehouse/queries/timeseries.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import {
  type getTimeseries,
  INTERVAL_NAMES,
  INTERVALS,
  type Interval,
  MAX_POINTS,
  type Timeseries,
} from '#schemas/api/dashboard.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { invalid } from '../../errors.ts';
import { signalFilter } from './read-signals.ts';
import { type DashboardDependencies, levelsOf, NO_SIGNALS, withFreshness } from './stats.ts';

export async function readTimeseries(
  dependencies: DashboardDependencies,
  customerId: string,
  query: QueryOf<typeof getTimeseries>,
): Promise<Timeseries> {
  const { interval } = query;
  const { from, to } = periodOf(interval, query.range, dependencies.now());
  const { first, last } = bucketsOf(interval, from, to);
  const filter = await signalFilter(dependencies.directory, customerId, { ...query, range: { from, to } });
  const { lengthMs } = INTERVALS[interval];
  return withFreshness(dependencies, async () => {
    const rows = filter === null ? [] : await countByInterval(dependencies.warehouse, filter, lengthMs);
    const found = new Map(rows.map((row) => [row.bucket, row]));
    return {
      data: Array.from({ length: last - first + 1 }, (_, place) => {
        const riskLevels = levelsOf(found.get(first + place) ?? NO_SIGNALS);
        const { LOW, MEDIUM, HIGH, CRITICAL } = riskLevels;
        const at = new Date((first + place) * lengthMs).toISOString();
        return { at, count: LOW + MEDIUM + HIGH + CRITICAL, riskLevels };
      }),
      interval,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    };
  });
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** Start and end, Unix ms. By default the period ends now, and begins so that the usual number of points fits. */
function periodOf(interval: Interval, range: DateRange, now: number): Period {
  const { lengthMs, byDefault } = INTERVALS[interval];
  const to = range.to ?? Math.max(now, range.from ?? 0);
  const lastBegins = Math.floor(to / lengthMs) * lengthMs;
  return { from: range.from ?? Math.max(0, lastBegins - (byDefault - 1) * lengthMs), to };
}

const pointsOf = (interval: Interval, { from, to }: Period): number => {
  const { lengthMs } = INTERVALS[interval];
  return Math.floor(to / lengthMs) - Math.floor(from / lengthMs) + 1;
};

/** First and last interval since 1970. Throws INVALID_REQUEST, which names an interval that fits. */
function bucketsOf(interval: Interval, from: number, to: number): { first: number; last: number } {
  const points = pointsOf(interval, { from, to });
  if (points > MAX_POINTS) {
    const larger = INTERVAL_NAMES.slice(INTERVAL_NAMES.indexOf(interval) + 1);
    const fits = larger.find((name) => pointsOf(name, { from, to }) <= MAX_POINTS);
    const advice =
      fits === undefined ? 'ask for a shorter period' : `use interval=${fits} or a shorter period`;
    throw invalid('interval', `${points} points, at most ${MAX_POINTS} are answered; ${advice}`);
  }
  const { lengthMs } = INTERVALS[interval];
  return { first: Math.floor(from / lengthMs), last: Math.floor(to / lengthMs) };
}
