import type { CorrelationDimension } from '#schemas/vocabulary.ts';
import type { Book } from '../state/book.ts';
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
import { isNoRarity, negativeBinomialTail } from '../statistics/tails.ts';
import { expectationOf, historyDays, leastMeanBy } from './baseline.ts';
import { looksAt, nameOf, said, type Verdict } from './verdict.ts';

const DIMENSION: Readonly<Partial<Record<KeyKind, CorrelationDimension>>> = {
  SANDBOX_CODE: 'sandbox',
  MODEL_CODE: 'model',
  PROVIDER_CODE: 'provider',
};

/**
 * A shape has less than a signal in ten days where prompts are unrelated, and a day on which its prompts began to come
 * would pass for days that differ much. From about one a day on this matters little.
 */
const SPARSE_SHAPES = 20;

/**
 * RECURRING: through a day the same violation keeps coming from one sandbox, model or provider, or with prompts of one
 * shape, more than on its other days. The day's count, without its fullest hour so that a single burst is none, against a negative binomial
 * distribution (`baseline.ts`). A source that has more traffic than usual may have as many more of them.
 */
export function recurringIn(book: Book, tally: Tally): Verdict | null {
  const { key, window, count, parts } = tally;
  if (count < book.settings.minSignals || !isLookedAt(book, key)) return null;
  let hours = 0;
  let fullest = 0;
  for (const part of parts) {
    if (part > 0) hours += 1;
    if (part > fullest) fullest = part;
  }
  if (hours < RECURRING_MIN_HOURS) return null;
  const days = historyDays(book.since, window.start);
  if (days === null) return null;
  const steady = count - fullest;
  const threshold = thresholdOf('RECURRING', window.lengthMs);
  const least = leastMeanBy((from, end) => usualIn(key, from, end), window.start, window.lengthMs, days);
  // Nearly all days end here, and what follows reads a month of hours.
  if (steady < MIN_RATIO.RECURRING * least || isNoRarity(steady, least, threshold)) return null;
  const usual = usualOf(key, window);
  const expected = expectationOf(
    usual,
    window.start,
    window.lengthMs,
    days,
    key.shapes === null ? 0 : SPARSE_SHAPES,
  );
  // What follows looks through all strata of the source.
  if (steady < MIN_RATIO.RECURRING * expected.mean) return null;
  const traffic = meanByTraffic(book, key, usual, window, count);
  // A source that is new has nothing to be compared with; new models are for MODEL_REGRESSION.
  if (traffic === null) return null;
  const { size } = expected;
  const mean = Math.max(expected.mean, traffic);
  if (steady < MIN_RATIO.RECURRING * mean) return null;
  const pValue = negativeBinomialTail(steady, mean, size);
  if (pValue >= threshold) return null;
  const description = `${key.word} recurs in ${sourceOf(key)}: ${count} signals in ${hours} hours of the day; normally about ${said(mean)} a day.`;
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

const isLookedAt = (book: Book, { kind }: Key): boolean => {
  const dimension = DIMENSION[kind];
  return looksAt(book, 'violation') && (dimension === undefined || looksAt(book, dimension));
};

const usualIn = ({ kind, hourly, shapes, shape }: Key, fromHour: number, endHour: number): number =>
  kind === 'SHAPE_CODE' ? sumOfShape(shapes!, shape, fromHour, endHour) : sumOf(hourly, fromHour, endHour);

/** What came before a window, by hour; of shapes by day. */
function usualOf({ kind, hourly, shapes, shape }: Key, { start, lengthMs }: Window): Series {
  if (kind !== 'SHAPE_CODE') return hourly;
  const from = (start - BASELINE_DAYS * DAY_MS) / HOUR_MS;
  return seriesOfShape(shapes!, shape, from, (start + lengthMs) / HOUR_MS);
}

/**
 * What would come with the violation, if it kept its usual ratio to the source's signals without it. null: the source is
 * not a week old. 0: all of its signals have it, and there is no ratio.
 */
function meanByTraffic(
  book: Book,
  key: Key,
  series: Series,
  { start, lengthMs }: Window,
  count: number,
): number | null {
  const begin = Math.floor(start / HOUR_MS);
  const from = begin - (BASELINE_DAYS * DAY_MS) / HOUR_MS;
  let [before, within, old] = [0, 0, 0];
  for (const { hourly } of strataOf(book, key)) {
    before += sumOf(hourly, from, begin);
    old += sumOf(hourly, from, begin - NEW_MODEL_MS / HOUR_MS);
    within += sumOf(hourly, begin, Math.ceil((start + lengthMs) / HOUR_MS));
  }
  if (old === 0) return null;
  const usual = sumOf(series, from, begin);
  return before === usual ? 0 : ((within - count) * usual) / (before - usual);
}

/** All signals of a key's source, in parts; a shape comes from everywhere. */
function strataOf({ keys }: Book, { kind, sandbox, model, provider }: Key): Key[] {
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
