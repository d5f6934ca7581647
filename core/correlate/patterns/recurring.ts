import type { CorrelationDimension } from '#schemas/vocabulary.ts';
import type { Counters } from '../state/counters.ts';
import { nameOfShape, seriesOfShape, sumOfShape } from '../state/prompt-shapes.ts';
import {
  BASELINE_DAYS,
  DAY_MS,
  HOUR_MS,
  MIN_RATIO,
  NEW_MODEL_MS,
  RECURRING_MIN_HOURS,
  thresholdOf,
} from '../state/rules.ts';
import { type Series, sumOf } from '../state/series.ts';
import type { Key, KeyKind, Tally, Window } from '../state/shapes.ts';
import { isNotRare, negativeBinomialTail } from '../statistics/tails.ts';
import { expectationOf, historyDays, leastMeanBy } from './baseline.ts';
import { formatNumber, looksAt, nameOf, type Verdict } from './verdict.ts';

const DIMENSION: Readonly<Partial<Record<KeyKind, CorrelationDimension>>> = {
  SANDBOX_CODE: 'sandbox',
  MODEL_CODE: 'model',
  PROVIDER_CODE: 'provider',
};

/**
 * Where prompts are unrelated, a shape has less than one signal in ten days, and the day on which its prompts start
 * would be mistaken for high variation between days. From about one signal a day, this has little effect.
 */
const SPARSE_SHAPES = 20;

/**
 * RECURRING: throughout a day, the same violation keeps coming from one sandbox, model or provider, or with prompts of
 * one shape, more than on other days. Tests the day's count, without its fullest hour so that a single burst does not
 * qualify, against a negative binomial distribution (`baseline.ts`). A source with more traffic than usual may have
 * proportionally more violations.
 */
export function recurringIn(counters: Counters, tally: Tally): Verdict | null {
  const { key, window, count, parts } = tally;
  if (count < counters.settings.minSignals || !isLookedAt(counters, key)) return null;
  let hours = 0;
  let fullest = 0;
  for (const part of parts) {
    if (part > 0) hours += 1;
    if (part > fullest) fullest = part;
  }
  if (hours < RECURRING_MIN_HOURS) return null;
  const days = historyDays(counters.since, window.start);
  if (days === null) return null;
  const steady = count - fullest;
  const threshold = thresholdOf('RECURRING', window.lengthMs);
  const least = leastMeanBy((from, end) => usualIn(key, from, end), window.start, window.lengthMs, days);
  // Nearly all days end here; the rest reads a month of hours.
  if (steady < MIN_RATIO.RECURRING * least || isNotRare(steady, least, threshold)) return null;
  const usual = usualOf(key, window);
  const expected = expectationOf(
    usual,
    window.start,
    window.lengthMs,
    days,
    key.shapes === null ? 0 : SPARSE_SHAPES,
  );
  // The rest reads all strata of the source.
  if (steady < MIN_RATIO.RECURRING * expected.mean) return null;
  const traffic = meanByTraffic(counters, key, usual, window, count);
  // A new source has nothing to be compared with; new models are left to MODEL_REGRESSION.
  if (traffic === null) return null;
  const { size } = expected;
  const mean = Math.max(expected.mean, traffic);
  if (steady < MIN_RATIO.RECURRING * mean) return null;
  const pValue = negativeBinomialTail(steady, mean, size);
  if (pValue >= threshold) return null;
  const description = `${key.word} recurs in ${sourceOf(key)}: ${count} signals in ${hours} hours of the day; normally about ${formatNumber(mean)} a day.`;
  return {
    type: 'RECURRING',
    key: nameOf(key),
    evidence: tally,
    baseline: mean,
    observed: count,
    test: 'negative binomial tail',
    pValue,
    threshold,
    description,
  };
}

const isLookedAt = (counters: Counters, { kind }: Key): boolean => {
  const dimension = DIMENSION[kind];
  return looksAt(counters, 'violation') && (dimension === undefined || looksAt(counters, dimension));
};

const usualIn = ({ kind, hourly, shapes, shape }: Key, fromHour: number, endHour: number): number =>
  kind === 'SHAPE_CODE' ? sumOfShape(shapes!, shape, fromHour, endHour) : sumOf(hourly, fromHour, endHour);

/** Counts before a window, by hour; for shapes, by day. */
function usualOf({ kind, hourly, shapes, shape }: Key, { start, lengthMs }: Window): Series {
  if (kind !== 'SHAPE_CODE') return hourly;
  const from = (start - BASELINE_DAYS * DAY_MS) / HOUR_MS;
  return seriesOfShape(shapes!, shape, from, (start + lengthMs) / HOUR_MS);
}

/**
 * Expected violations if they kept their usual ratio to the source's other signals. null: the source is less than a
 * week old. 0: all of its signals have the violation, so there is no ratio.
 */
function meanByTraffic(
  counters: Counters,
  key: Key,
  series: Series,
  { start, lengthMs }: Window,
  count: number,
): number | null {
  const startHour = Math.floor(start / HOUR_MS);
  const from = startHour - (BASELINE_DAYS * DAY_MS) / HOUR_MS;
  let [before, within, old] = [0, 0, 0];
  for (const { hourly } of strataOf(counters, key)) {
    before += sumOf(hourly, from, startHour);
    old += sumOf(hourly, from, startHour - NEW_MODEL_MS / HOUR_MS);
    within += sumOf(hourly, startHour, Math.ceil((start + lengthMs) / HOUR_MS));
  }
  if (old === 0) return null;
  const usual = sumOf(series, from, startHour);
  return before === usual ? 0 : ((within - count) * usual) / (before - usual);
}

/** The strata of a key's source; for a shape, all strata. */
function strataOf({ keys }: Counters, { kind, sandbox, model, provider }: Key): Key[] {
  if (kind === 'SHAPE_CODE')
    return [...keys.sandboxes.values()].flatMap(({ strata }) => [...strata.values()]);
  if (sandbox !== null) return [...sandbox.strata.values()];
  if (model !== null) return [...model.strata.values()];
  return [...provider!.models.values()].flatMap(({ strata }) => [...strata.values()]);
}

function sourceOf({ kind, shape, sandbox, model, provider }: Key): string {
  if (kind === 'SHAPE_CODE') return `prompts of one shape (${nameOfShape(shape)})`;
  if (sandbox !== null) return `sandbox ${sandbox.slug}`;
  return model !== null ? `model ${model.name}` : `provider ${provider!.name}`;
}
