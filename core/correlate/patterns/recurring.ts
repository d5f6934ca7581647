import type { CorrelationDimension } from '#schemas/vocabulary.ts';
import { expectationOf, historyDays } from '../baseline.ts';
import { MIN_RATIO, RECURRING_MIN_HOURS, thresholdOf } from '../rules.ts';
import type { Book } from '../state/book.ts';
import type { Key, KeyKind, Tally } from '../state/shapes.ts';
import { negativeBinomialTail } from '../statistics/tails.ts';
import { looksAt, nameOf, said, type Verdict } from './verdict.ts';

const DIMENSION: Readonly<Partial<Record<KeyKind, CorrelationDimension>>> = {
  SANDBOX_CODE: 'sandbox',
  MODEL_CODE: 'model',
  PROVIDER_CODE: 'provider',
};

/**
 * RECURRING: through a day the same violation keeps coming from one sandbox, model or provider, more than on its other
 * days. The day's count, without its fullest hour so that a single burst is none, against a negative binomial
 * distribution (`baseline.ts`).
 */
export function recurringIn(book: Book, { key, window, evidence, parts }: Tally): Verdict | null {
  const { count } = evidence;
  if (count < book.settings.minSignals || !looksAt(book, 'violation') || !looksAt(book, DIMENSION[key.kind]!))
    return null;
  let hours = 0;
  let fullest = 0;
  for (const part of parts) {
    if (part > 0) hours += 1;
    if (part > fullest) fullest = part;
  }
  if (hours < RECURRING_MIN_HOURS) return null;
  const days = historyDays(book.since, window.start);
  if (days === null) return null;
  const { mean, size } = expectationOf(key.hourly, window.start, window.lengthMs, days);
  const steady = count - fullest;
  if (steady < MIN_RATIO.RECURRING * mean) return null;
  const pValue = negativeBinomialTail(steady, mean, size);
  const threshold = thresholdOf('RECURRING', window.lengthMs);
  if (pValue >= threshold) return null;
  const description = `${key.word} kept coming from ${sourceOf(key)}: ${count} signals in ${hours} hours of the day, where about ${said(mean)} a day are usual.`;
  return {
    type: 'RECURRING',
    key: nameOf(key),
    evidence,
    baseline: mean,
    observed: count,
    test: 'negative binomial tail',
    pValue,
    threshold,
    description,
  };
}

function sourceOf({ sandbox, model, provider }: Key): string {
  if (sandbox !== null) return `sandbox ${sandbox.slug}`;
  return model !== null ? `model ${model.name}` : `provider ${provider!.name}`;
}
