import type { CorrelatedSignal } from '#core/correlate/state/entries.ts';
import { HOUR_MS } from '#core/correlate/state/rules.ts';
import type { FindingType } from '#schemas/vocabulary.ts';

/** An alarm of the simplest detectors: one hour of a counter, with its signals. */
export interface Alarm {
  readonly type: FindingType;
  readonly signalIds: readonly string[];
}

const isElevated = ({ riskLevel }: CorrelatedSignal): boolean =>
  riskLevel === 'HIGH' || riskLevel === 'CRITICAL';

/** The counters of each type that count the signal. */
function countersOf(signal: CorrelatedSignal): (readonly [FindingType, string])[] {
  const { violations, sandboxId, model } = signal;
  const counters: (readonly [FindingType, string])[] = violations.flatMap((code) => [
    ['BURST', code] as const,
    ['RECURRING', `${sandboxId} ${code}`] as const,
    ['CROSS_SANDBOX', code] as const,
    ...(code === 'PROMPT_INJECTION' ? [['CAMPAIGN', code] as const] : []),
  ]);
  if (!isElevated(signal)) return counters;
  return [...counters, ['MODEL_REGRESSION', model], ['ESCALATION', sandboxId]];
}

interface Counter {
  readonly type: FindingType;
  readonly hours: Map<number, string[]>;
}

function counted(signals: readonly CorrelatedSignal[]): Counter[] {
  const counters = new Map<string, Counter>();
  for (const signal of signals) {
    const hour = Math.floor(signal.createdAt / HOUR_MS);
    for (const [type, name] of countersOf(signal)) {
      const key = `${type} ${name}`;
      const counter = counters.get(key) ?? { type, hours: new Map<number, string[]>() };
      counters.set(key, counter);
      const ids = counter.hours.get(hour) ?? [];
      counter.hours.set(hour, ids);
      ids.push(signal.id);
    }
  }
  return [...counters.values()];
}

/** The same for all customers. */
const FIXED = 10;

/** Hours in which a counter has at least this many signals. */
export const fixedThreshold = (signals: readonly CorrelatedSignal[], from: number): Alarm[] =>
  alarms(signals, from, (count) => count >= FIXED);

const LAST_HOURS = 24;
const DEVIATIONS = 3;

/** Compares the last hour with mean and standard deviation of the 24 before it. */
export const zScore = (signals: readonly CorrelatedSignal[], from: number): Alarm[] =>
  alarms(signals, from, (count, before) => {
    const mean = before.reduce((sum, one) => sum + one, 0) / LAST_HOURS;
    const variance = before.reduce((sum, one) => sum + (one - mean) ** 2, 0) / LAST_HOURS;
    return count >= 3 && count - mean > DEVIATIONS * Math.sqrt(Math.max(variance, 1 / LAST_HOURS));
  });

function alarms(
  signals: readonly CorrelatedSignal[],
  from: number,
  isAlarm: (count: number, before: readonly number[]) => boolean,
): Alarm[] {
  return counted(signals).flatMap(({ type, hours }) =>
    [...hours]
      .filter(([hour]) => hour * HOUR_MS >= from)
      .filter(([hour, ids]) => {
        const before = Array.from(
          { length: LAST_HOURS },
          (_, back) => hours.get(hour - 1 - back)?.length ?? 0,
        );
        return isAlarm(ids.length, before);
      })
      .map(([, signalIds]) => ({ type, signalIds })),
  );
}
