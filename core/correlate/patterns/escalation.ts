import type { Counters } from '../state/counters.ts';
import {
  EARLY_LOOK_PENALTY,
  MIN_RATIO,
  TREND_MIN_ELEVATED,
  TREND_MIN_SIGNALS,
  thresholdOf,
  WEEK_MS,
} from '../state/rules.ts';
import type { Tally } from '../state/shapes.ts';
import { risingTrend } from '../statistics/trend.ts';
import { looksAt, nameOf, percent, type Verdict } from './verdict.ts';

/**
 * Share of the rise from the first to the last third that the second third must have reached: excludes a single step.
 */
const MIDDLE_SHARE = 0.1;

/**
 * ESCALATION: over two weeks the share of HIGH and CRITICAL signals of one sandbox climbs. A trend test over
 * twelve-hour parts; on shares, so that the number of signals in each part does not matter.
 */
export function escalationIn(counters: Counters, tally: Tally, isClosing: boolean): Verdict | null {
  const { key, count, total, parts, partTotals } = tally;
  if (!looksAt(counters, 'sandbox') || count < Math.max(TREND_MIN_ELEVATED, counters.settings.minSignals))
    return null;
  if (total < TREND_MIN_SIGNALS) return null;
  const { pValue, thirds, isStep } = risingTrend(partTotals, parts);
  const threshold = thresholdOf('ESCALATION', WEEK_MS);
  if (pValue >= (isClosing ? threshold : threshold / EARLY_LOOK_PENALTY)) return null;
  const [first, second, last] = thirds;
  const climbs = second >= first + MIDDLE_SHARE * (last - first) && last > second;
  // Thirds without signals have a share of NaN, which fails every comparison.
  if (isStep || !climbs || !(last >= MIN_RATIO.ESCALATION * first)) return null;
  return {
    type: 'ESCALATION',
    key: nameOf(key),
    evidence: tally,
    baseline: first,
    observed: last,
    test: 'Cochran-Armitage trend',
    pValue,
    threshold,
    description: `Risk is rising in sandbox ${key.sandbox!.slug}: HIGH and CRITICAL signals went from ${percent(first)} to ${percent(last)} in two weeks.`,
  };
}
