import { invalid } from '#platform/flow/refusal.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { countSignalsByDay, type SignalFilter } from '#platform/warehouse/queries/signals.ts';
import { countByInterval } from '#platform/warehouse/queries/timeseries.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import {
  AUTO,
  type getTimeseries,
  INTERVAL_NAMES,
  INTERVALS,
  type Interval,
  MAX_AUTO_POINTS,
  MAX_POINTS,
  type Timeseries,
} from '#schemas/api/dashboard.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { signalFilter } from '../read-signals.ts';
import { type DashboardDependencies, levelsOf, NO_SIGNALS, withFreshness } from './stats.ts';

export async function readTimeseries(
  dependencies: DashboardDependencies,
  customerId: string,
  query: QueryOf<typeof getTimeseries>,
): Promise<Timeseries> {
  const { directory, warehouse, now } = dependencies;
  const matching = await signalFilter(directory, customerId, query);
  const { interval, from, to } =
    query.interval === AUTO
      ? autoPeriod(query.range, now(), query.range.from ?? (await firstDayOf(warehouse, matching)))
      : { interval: query.interval, ...periodOf(query.interval, query.range, now()) };
  const { first, last } = bucketsOf(interval, from, to);
  const filter = matching === null ? null : { ...matching, from, to };
  const { lengthMs, firstMs } = INTERVALS[interval];
  return withFreshness(dependencies, async () => {
    const rows = filter === null ? [] : await countByInterval(warehouse, filter, INTERVALS[interval]);
    const found = new Map(rows.map((row) => [row.bucket, row]));
    return {
      data: Array.from({ length: last - first + 1 }, (_, index) => {
        const riskLevels = levelsOf(found.get(first + index) ?? NO_SIGNALS);
        const { LOW, MEDIUM, HIGH, CRITICAL } = riskLevels;
        const at = new Date(firstMs + (first + index) * lengthMs).toISOString();
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

/** Unix ms; null: no signal matches. */
async function firstDayOf(warehouse: Warehouse, filter: SignalFilter | null): Promise<number | null> {
  const days = filter === null ? [] : await countSignalsByDay(warehouse, filter);
  const oldest = days.at(-1);
  return oldest === undefined ? null : Date.parse(oldest.day);
}

const endOf = (range: DateRange, now: number): number => range.to ?? Math.max(now, range.from ?? 0);

/** Start and end, Unix ms. By default the period ends now, and starts so that the usual number of points fits. */
function periodOf(interval: Interval, range: DateRange, now: number): Period {
  const { lengthMs, byDefault } = INTERVALS[interval];
  const to = endOf(range, now);
  const lastBegins = startOf(interval, bucketOf(interval, to));
  return { from: range.from ?? Math.max(0, lastBegins - (byDefault - 1) * lengthMs), to };
}

/** The finest interval for a period that starts at `begin`; null: nothing matches, so it is the default's interval. */
function autoPeriod(range: DateRange, now: number, begin: number | null): Period & { interval: Interval } {
  const to = endOf(range, now);
  const from = begin === null ? periodOf('day', range, now).from : Math.min(begin, to);
  const fits = (name: Interval): boolean => pointsOf(name, { from, to }) <= MAX_AUTO_POINTS;
  return { interval: INTERVAL_NAMES.find(fits) ?? 'week', from, to };
}

/** Number of the interval that contains the time. */
const bucketOf = (interval: Interval, at: number): number =>
  Math.floor((at - INTERVALS[interval].firstMs) / INTERVALS[interval].lengthMs);

const startOf = (interval: Interval, bucket: number): number =>
  INTERVALS[interval].firstMs + bucket * INTERVALS[interval].lengthMs;

const pointsOf = (interval: Interval, { from, to }: Period): number =>
  bucketOf(interval, to) - bucketOf(interval, from) + 1;

/** First and last interval. Throws INVALID_REQUEST, naming an interval that fits. */
function bucketsOf(interval: Interval, from: number, to: number): { first: number; last: number } {
  const points = pointsOf(interval, { from, to });
  if (points > MAX_POINTS) {
    const larger = INTERVAL_NAMES.slice(INTERVAL_NAMES.indexOf(interval) + 1);
    const fits = larger.find((name) => pointsOf(name, { from, to }) <= MAX_POINTS);
    const advice =
      fits === undefined ? 'ask for a shorter period' : `use interval=${fits} or a shorter period`;
    throw invalid('interval', `${points} points exceed the limit of ${MAX_POINTS}; ${advice}`);
  }
  return { first: bucketOf(interval, from), last: bucketOf(interval, to) };
}
