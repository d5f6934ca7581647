import type { Counters } from '../state/counters.ts';
import { joined } from '../state/evidence.ts';
import { CROSS_MAX_P, CROSS_MIN_SANDBOXES, CROSS_MIN_SIGNALS, HOUR_MS, thresholdOf } from '../state/rules.ts';
import { hasAny } from '../state/series.ts';
import type { SandboxKeys, Tally, Window } from '../state/shapes.ts';
import { openTally } from '../state/tally.ts';
import { lnChoose, negativeBinomialTail, poissonTail, productTail } from '../statistics/tails.ts';
import { expectationOf, historyDays, leastMean } from './baseline.ts';
import { formatLength, formatNumber, looksAt, type Verdict } from './verdict.ts';

/** A negative binomial has a thicker tail than a Poisson distribution with the same mean, but not at every count. */
const SPARE = 2;

interface Unusual {
  readonly tally: Tally;
  readonly mean: number;
  readonly pValue: number;
}

/**
 * CROSS_SANDBOX: within a window, a violation is unusual in several sandboxes, in each independently. The p-value is
 * Fisher's combination of the sandboxes' p-values, times the number of ways to choose as many of the customer's active
 * sandboxes, times the number of possible sizes of such a choice: a union bound, so it is never too small. `tallies`:
 * those of the violation in the window, in any order.
 */
export function crossSandboxIn(
  counters: Counters,
  code: string,
  window: Window,
  tallies: readonly Tally[] = talliesOf(counters, code, window),
): Verdict | null {
  if (!looksAt(counters, 'violation') || !looksAt(counters, 'sandbox')) return null;
  const days = historyDays(counters.since, window.start);
  if (days === null) return null;
  const candidates: Tally[] = [];
  for (const tally of tallies) {
    if (tally.count < CROSS_MIN_SIGNALS) continue;
    // A count that is not rare even for the lowest possible mean can be dropped without reading a month of hours.
    const least = leastMean(tally.key.hourly, window.start, window.lengthMs, days);
    if (poissonTail(tally.count, least) <= SPARE * CROSS_MAX_P) candidates.push(tally);
  }
  if (candidates.length < CROSS_MIN_SANDBOXES) return null;
  const unusual = candidates
    .map((tally) => unusualIn(tally, window, days))
    .filter(({ pValue }) => pValue <= CROSS_MAX_P)
    // A floating-point sum depends on its order.
    .sort((a, b) => (a.tally.key.sandbox!.id < b.tally.key.sandbox!.id ? -1 : 1));
  const evidence = joined(unusual.map(({ tally }) => tally));
  if (unusual.length < CROSS_MIN_SANDBOXES || evidence.count < counters.settings.minSignals) return null;
  const pValue = combined(unusual, activeSandboxes(counters, window));
  const threshold = thresholdOf('CROSS_SANDBOX', window.lengthMs);
  if (pValue >= threshold) return null;
  const mean = unusual.reduce((sum, one) => sum + one.mean, 0);
  const description = `${code} increased in ${unusual.length} sandboxes within ${formatLength(window.lengthMs)}: ${evidence.count} signals; normally about ${formatNumber(mean)}.`;
  return {
    type: 'CROSS_SANDBOX',
    key: `violation:${code}`,
    evidence,
    baseline: mean,
    observed: evidence.count,
    test: 'Fisher combination of negative binomial tails',
    pValue,
    threshold,
    description,
  };
}

function talliesOf({ keys }: Counters, code: string, window: Window): Tally[] {
  const tallies: Tally[] = [];
  for (const { codes } of keys.sandboxes.values()) {
    const key = codes.get(code);
    const tally = key === undefined ? null : openTally(key, window);
    if (tally !== null) tallies.push(tally);
  }
  return tallies;
}

function unusualIn(tally: Tally, { start, lengthMs }: Window, days: number): Unusual {
  const { mean, size } = expectationOf(tally.key.hourly, start, lengthMs, days);
  return { tally, mean, pValue: negativeBinomialTail(tally.count, mean, size) };
}

/** Floor for log-probabilities: smaller ones cannot be represented. */
const MIN_LN = -700;

function combined(unusual: readonly Unusual[], sandboxes: number): number {
  let lnProduct = 0;
  for (const { pValue } of unusual) lnProduct += Math.max(MIN_LN, Math.log(pValue));
  const choices = Math.exp(lnChoose(sandboxes, unusual.length)) * (sandboxes - CROSS_MIN_SANDBOXES + 1);
  return Math.min(1, choices * productTail(lnProduct, unusual.length));
}

/** Sandboxes with a signal in the window or the 28 days before it. */
function activeSandboxes({ keys }: Counters, { start, lengthMs }: Window): number {
  const from = Math.floor(start / HOUR_MS) - 28 * 24;
  const end = Math.ceil((start + lengthMs) / HOUR_MS);
  let active = 0;
  for (const sandbox of keys.sandboxes.values()) if (isActive(sandbox, from, end)) active += 1;
  return active;
}

function isActive({ strata, codes }: SandboxKeys, from: number, end: number): boolean {
  for (const known of [strata, codes]) {
    for (const { hourly } of known.values()) if (hasAny(hourly, from, end)) return true;
  }
  return false;
}
