import type { Counters } from '../state/counters.ts';
import { joined } from '../state/evidence.ts';
import {
  BASELINE_DAYS,
  DAY_MS,
  EARLY_LOOK_PENALTY,
  HOUR_MS,
  MIN_OLD_IN_SANDBOX,
  MIN_OLD_SIGNALS,
  MIN_RATIO,
  NEW_MODEL_MS,
  thresholdOf,
} from '../state/rules.ts';
import { sumOf } from '../state/series.ts';
import type { ModelKeys, SandboxKeys, Tally, Window } from '../state/shapes.ts';
import { openTally } from '../state/tally.ts';
import { type Stratum, stratifiedTail } from '../statistics/stratified.ts';
import { historyDays } from './baseline.ts';
import { looksAt, percent, type Verdict } from './verdict.ts';

/** New models that are judged together: a single one, or all models of a new provider. */
interface Newcomer {
  readonly key: string;
  readonly label: string;
  readonly models: readonly ModelKeys[];
}

interface Hours {
  readonly from: number;
  readonly newFrom: number;
  readonly end: number;
}

/**
 * MODEL_REGRESSION: a model or provider first seen within the last week has a larger share of HIGH or CRITICAL signals
 * in a day than the older models had, sandbox by sandbox. Exact stratified test.
 */
export function regressionsIn(
  counters: Counters,
  window: Window,
  isClosing: boolean,
  only?: ModelKeys,
): Verdict[] {
  if (historyDays(counters.since, window.start) === null) return [];
  const end = Math.floor(window.start / HOUR_MS);
  const hours: Hours = {
    from: end - (BASELINE_DAYS * DAY_MS) / HOUR_MS,
    newFrom: end - NEW_MODEL_MS / HOUR_MS,
    end,
  };
  const newcomers: Newcomer[] = [];
  for (const provider of counters.keys.providers.values()) {
    if (only !== undefined && provider.name !== only.provider) continue;
    const models = [...provider.models.values()];
    const fresh = models.filter((model) => isInWindow(model, window) && isNew(model, hours));
    if (looksAt(counters, 'model'))
      for (const model of fresh)
        if (only === undefined || model === only)
          newcomers.push({
            key: `model:${provider.name}/${model.name}`,
            label: `model ${model.name}`,
            models: [model],
          });
    if (looksAt(counters, 'provider') && fresh.length > 0 && models.every((model) => isNew(model, hours)))
      newcomers.push({ key: `provider:${provider.name}`, label: `provider ${provider.name}`, models: fresh });
  }
  return newcomers.flatMap((newcomer) => judged(counters, newcomer, window, hours, isClosing) ?? []);
}

function isInWindow({ strata }: ModelKeys, window: Window): boolean {
  for (const key of strata.values()) if (openTally(key, window) !== null) return true;
  return false;
}

function isNew({ strata }: ModelKeys, { from, newFrom }: Hours): boolean {
  for (const { hourly } of strata.values()) if (sumOf(hourly, from, newFrom) > 0) return false;
  return true;
}

function judged(
  counters: Counters,
  { key, label, models }: Newcomer,
  window: Window,
  hours: Hours,
  isClosing: boolean,
): Verdict | null {
  const bySandbox = new Map<SandboxKeys, Tally[]>();
  for (const { strata } of models) {
    for (const [sandbox, stratum] of strata) {
      const tally = openTally(stratum, window);
      if (tally === null) continue;
      const known = bySandbox.get(sandbox);
      if (known === undefined) bySandbox.set(sandbox, [tally]);
      else known.push(tally);
    }
  }
  const strata: Stratum[] = [];
  const compared: Tally[] = [];
  // A floating-point sum depends on its order.
  const sandboxes = [...bySandbox].sort(([one], [other]) => (one.id < other.id ? -1 : 1));
  for (const [sandbox, tallies] of sandboxes) {
    const stratum = stratumOf(sandbox, tallies, hours);
    if (stratum.oldTotal < MIN_OLD_IN_SANDBOX) continue;
    strata.push(stratum);
    compared.push(...tallies);
  }
  const { newTotal, newElevated, oldTotal, expected } = summed(strata);
  if (!isWorseThanOthers([...bySandbox.keys()], window, hours, newElevated / newTotal)) return null;
  if (newElevated < counters.settings.minSignals || oldTotal < MIN_OLD_SIGNALS) return null;
  if (newElevated < MIN_RATIO.MODEL_REGRESSION * expected) return null;
  const pValue = stratifiedTail(strata);
  const threshold = thresholdOf('MODEL_REGRESSION', window.lengthMs);
  if (pValue >= (isClosing ? threshold : threshold / EARLY_LOOK_PENALTY)) return null;
  const [baseline, observed] = [expected / newTotal, newElevated / newTotal];
  return {
    type: 'MODEL_REGRESSION',
    key,
    evidence: joined(compared),
    baseline,
    observed,
    test: 'stratified exact test',
    pValue,
    threshold,
    description: `${percent(observed)} of the signals of the new ${label} are HIGH or CRITICAL; ${percent(baseline)} is normal in the same sandboxes.`,
  };
}

/**
 * The old models must not be as bad on the same day in the same sandboxes, if they still have signals: a change that
 * affects all models is not the new one's fault.
 */
function isWorseThanOthers(
  sandboxes: readonly SandboxKeys[],
  window: Window,
  hours: Hours,
  share: number,
): boolean {
  let [total, elevated] = [0, 0];
  for (const { strata } of sandboxes) {
    for (const [model, key] of strata) {
      const tally = isNew(model, hours) ? null : openTally(key, window);
      total += tally?.total ?? 0;
      elevated += tally?.count ?? 0;
    }
  }
  return total < MIN_OLD_IN_SANDBOX || share >= (MIN_RATIO.MODEL_REGRESSION * elevated) / total;
}

/** Old models are those first seen more than a week before the window; their signals of that week count, too. */
function stratumOf({ strata }: SandboxKeys, tallies: readonly Tally[], hours: Hours): Stratum {
  let [newTotal, newElevated, oldTotal, oldElevated] = [0, 0, 0, 0];
  for (const { total, count } of tallies) {
    newTotal += total;
    newElevated += count;
  }
  for (const [model, { hourly, elevated }] of strata) {
    if (isNew(model, hours)) continue;
    oldTotal += sumOf(hourly, hours.from, hours.end);
    oldElevated += sumOf(elevated!, hours.from, hours.end);
  }
  return { newTotal, newElevated, oldTotal, oldElevated };
}

/** `expected`: elevated signals of the new models if each sandbox had kept its old share. */
function summed(strata: readonly Stratum[]) {
  const sum = { newTotal: 0, newElevated: 0, oldTotal: 0, expected: 0 };
  for (const { newTotal, newElevated, oldTotal, oldElevated } of strata) {
    sum.newTotal += newTotal;
    sum.newElevated += newElevated;
    sum.oldTotal += oldTotal;
    sum.expected += (newTotal * oldElevated) / oldTotal;
  }
  return sum;
}
