import { BASELINE_DAYS, DAY_MS, HOUR_MS, MIN_HISTORY_DAYS, WEEK_MS } from '../state/rules.ts';
import { countOf, hourOf, indexOf, type Series, sumOf } from '../state/series.ts';

/** The expected count of a window: a negative binomial distribution. */
interface Expectation {
  readonly mean: number;
  /** The variance is mean + mean^2 / size. */
  readonly size: number;
}

/** Weight of the profile of hours and weekdays, in weeks, next to the same hours of the previous weeks. */
const PROFILE_WEEKS = 2;
/** Pseudo-count over all weeks, so that a key never seen before has a mean above 0. */
const PRIOR_SIGNALS = 0.5;
/** Pseudo-count that shrinks a weekday's factor towards 1. */
const WEEKDAY_PRIOR = 10;
/** Minimum variance beyond Poisson's, as a share of the squared mean: no traffic is independent. */
const MIN_DISPERSION = 0.02;
/** Days are capped at this many standard deviations (plus two signals) above the median: bursts are not a rhythm. */
const WINSOR_DEVIATIONS = 4;

/** Days of history before a window; null: too few. `since`: hour of the first known signal. */
export function historyDays(since: number, start: number): number | null {
  const days = Math.min(BASELINE_DAYS, Math.floor((start - since * HOUR_MS) / DAY_MS));
  return days >= MIN_HISTORY_DAYS ? days : null;
}

const DAY_HOURS = 24;

/**
 * Reused buffers: per day before a window, nearest first, the count at the window's time of day, and of the whole day.
 */
const sameTime = new Float64Array(BASELINE_DAYS);
const wholeDay = new Float64Array(BASELINE_DAYS);
const sorted = new Float64Array(BASELINE_DAYS);

/**
 * The expected count of a key's window (at most a day long), from the whole hours of the `days` days before it.
 *
 * The mean is that of the same time and weekday in the previous weeks, shrunk towards a profile: the mean at that time
 * of day over all days, times the weekday's share. Without the profile, it would rest on only four numbers. The
 * posterior of a Poisson mean under a gamma prior is a gamma distribution, so a count that follows it is negative
 * binomial (Gelman et al., Bayesian Data Analysis, section 2.6): its size says how well the mean is known. The
 * overdispersion of the days is added, by the method of moments (Bliss and Fisher 1953), winsorised, and never below a
 * floor. `sparse` is added to the squares by which the excess is divided: where it outweighs them, the days say little
 * about their variation.
 */
export function expectationOf(
  series: Series,
  start: number,
  lengthMs: number,
  days: number,
  sparse = 0,
): Expectation {
  readDays(series, start, lengthMs, days);
  const weeks = Math.floor(days / 7);
  const cap = capOf(days);
  let timeSum = 0;
  let daySum = 0;
  let sameWeekday = 0;
  let seen = 0;
  for (let day = 0; day < days; day += 1) {
    timeSum += Math.min(sameTime[day]!, cap);
    daySum += wholeDay[day]!;
    if (day % 7 === 6 && day < weeks * 7) {
      sameWeekday += wholeDay[day]!;
      seen += sameTime[day]!;
    }
  }
  const timeMean = timeSum / days;
  const dayMean = daySum / days;
  const factor = (sameWeekday + WEEKDAY_PRIOR) / (dayMean * weeks + WEEKDAY_PRIOR);
  const known = seen + PROFILE_WEEKS * timeMean * factor + PRIOR_SIGNALS;
  const mean = known / (weeks + PROFILE_WEEKS);
  const { excess, squares } = excessOf(days, weeks, timeMean, dayMean, cap);
  const divisor = squares + sparse;
  const dispersion = divisor === 0 ? MIN_DISPERSION : Math.max(MIN_DISPERSION, excess / divisor);
  return { mean, size: 1 / (1 / known + dispersion) };
}

/**
 * A lower bound for the mean of `expectationOf`: its four weeks alone, by whole hours. Most windows hold too little for
 * a finding even by this bound, so a few look-ups replace reading a month of hours. `sumIn`: signals in the hours from
 * the first (inclusive) to the second (exclusive).
 */
export function leastMeanBy(
  sumIn: (fromHour: number, endHour: number) => number,
  start: number,
  lengthMs: number,
  days: number,
): number {
  const weeks = Math.floor(days / 7);
  let seen = 0;
  for (let week = 1; week <= weeks; week += 1) {
    const from = start - week * WEEK_MS;
    seen += sumIn(Math.ceil(from / HOUR_MS), Math.floor((from + lengthMs) / HOUR_MS));
  }
  return (seen + PRIOR_SIGNALS) / (weeks + PROFILE_WEEKS);
}

/** The same for a series. */
export const leastMean = (series: Series, start: number, lengthMs: number, days: number): number =>
  leastMeanBy((from, end) => sumOf(series, from, end), start, lengthMs, days);

/** The cap for a day. The weekday's own four weeks are not capped: a weekly batch is a rhythm. */
function capOf(days: number): number {
  let sum = 0;
  for (let day = 0; day < days; day += 1) sum += sameTime[day]!;
  sorted.set(sameTime);
  const median = sorted.subarray(0, days).sort()[days >> 1]!;
  return median + WINSOR_DEVIATIONS * Math.sqrt(Math.max(median, sum / days)) + 2;
}

/** Fills the two buffers above. Slice `d` holds the day that ends `d` days before the window starts. */
function readDays(packed: Series, start: number, lengthMs: number, days: number): void {
  sameTime.fill(0);
  wholeDay.fill(0);
  const from = start - days * DAY_MS;
  const end = Math.floor(start / HOUR_MS);
  const first = Math.floor(from / HOUR_MS);
  // Offset of the first hour from the start of the first day; ms, 0 or less.
  const before = first * HOUR_MS - from;
  for (let at = indexOf(packed, first); at < packed.length; at += 1) {
    const one = packed[at]!;
    const hour = hourOf(one);
    if (hour >= end) break;
    const count = countOf(one);
    const hours = (hour - first) | 0;
    let slice = (hours / DAY_HOURS) | 0;
    if (before < 0 && hours === slice * DAY_HOURS) slice -= 1;
    const time = before + (hours - slice * DAY_HOURS) * HOUR_MS;
    const day = days - 1 - slice;
    if (day < days) wholeDay[day] = wholeDay[day]! + count;
    const inside = Math.min(time + HOUR_MS, lengthMs) - time;
    if (inside > 0 && day < days) sameTime[day] = sameTime[day]! + (count * inside) / HOUR_MS;
    // If the window does not start on the hour, the end of an hour may reach into the next day's window.
    const beyond = time + HOUR_MS - DAY_MS;
    if (beyond > 0 && day > 0)
      sameTime[day - 1] = sameTime[day - 1]! + (count * Math.min(beyond, lengthMs)) / HOUR_MS;
  }
}

/**
 * Over the days: the sum of squared deviations beyond Poisson's, and of squared means. Their ratio is the dispersion.
 */
function excessOf(days: number, weeks: number, timeMean: number, dayMean: number, cap: number) {
  let excess = 0;
  let squares = 0;
  for (let phase = 0; phase < 7; phase += 1) {
    let weekday = 0;
    for (let day = phase; day < weeks * 7; day += 7) weekday += wholeDay[day]!;
    const mean = (timeMean * (weekday + WEEKDAY_PRIOR)) / (dayMean * weeks + WEEKDAY_PRIOR);
    for (let day = phase; day < days; day += 7) {
      const off = Math.min(sameTime[day]!, cap) - mean;
      excess += off * off - mean;
      squares += mean * mean;
    }
  }
  return { excess, squares };
}
