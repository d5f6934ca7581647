import type { Counters } from '../state/counters.ts';
import { MIN_RATIO, thresholdOf } from '../state/rules.ts';
import type { Tally } from '../state/shapes.ts';
import { isNotRare, negativeBinomialTail } from '../statistics/tails.ts';
import { expectationOf, historyDays, leastMean } from './baseline.ts';
import { formatLength, formatNumber, looksAt, nameOf, type Verdict } from './verdict.ts';

/**
 * BURST: a window has far more signals of a risk level, or with a violation, than is usual for the customer at that
 * hour and weekday. Tests the count against a negative binomial distribution (`baseline.ts`).
 */
export function burstIn(counters: Counters, tally: Tally): Verdict | null {
  const { key, window, count } = tally;
  if (count < counters.settings.minSignals || (key.kind === 'CODE' && !looksAt(counters, 'violation')))
    return null;
  const days = historyDays(counters.since, window.start);
  if (days === null) return null;
  const threshold = thresholdOf('BURST', window.lengthMs);
  const least = leastMean(key.hourly, window.start, window.lengthMs, days);
  // Nearly all windows end here; the rest reads a month of hours.
  if (count < MIN_RATIO.BURST * least || isNotRare(count, least, threshold)) return null;
  const { mean, size } = expectationOf(key.hourly, window.start, window.lengthMs, days);
  if (count < MIN_RATIO.BURST * mean) return null;
  const pValue = negativeBinomialTail(count, mean, size);
  if (pValue >= threshold) return null;
  const what = key.kind === 'RISK' ? `${key.word} risk` : key.word;
  const description = `${count} signals with ${what} in ${formatLength(window.lengthMs)}; normally about ${formatNumber(mean)} at this hour and weekday.`;
  return {
    type: 'BURST',
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
