import { FINDING_TYPES, type FindingType } from '#schemas/vocabulary.ts';
import type { Alarm } from './baselines.ts';
import type { Scenario } from './scenarios.ts';
import { scenarioOf } from './traffic.ts';

/** Minimum share of a finding's signals that must come from one scenario for the finding to belong to it. */
const MIN_SHARE = 0.3;

export interface Score {
  readonly type: FindingType;
  /** Findings of the type, and the correct ones among them. */
  found: number;
  right: number;
  /** Scenarios of the type, and those with a correct finding of their own type. */
  scenarios: number;
  recalled: number;
  /** The same counts by scenario name. */
  readonly byName: Map<string, { scenarios: number; recalled: number }>;
}

export const noScores = (): Score[] =>
  FINDING_TYPES.map((type) => ({ type, found: 0, right: 0, scenarios: 0, recalled: 0, byName: new Map() }));

/** The scenario that most of a finding's signals belong to; null if none. */
function causeOf({ signalIds }: Pick<Alarm, 'signalIds'>): number | null {
  const counts = new Map<number, number>();
  for (const id of signalIds) {
    const scenario = scenarioOf(id);
    if (scenario !== null) counts.set(scenario, (counts.get(scenario) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most !== undefined && most[1] >= MIN_SHARE * signalIds.length ? most[0] : null;
}

/** Adds one customer's findings. Returns the wrong ones for inspection. */
export function addScores<Found extends Alarm>(
  scores: readonly Score[],
  scenarios: readonly Scenario[],
  alarms: readonly Found[],
): Found[] {
  const byNumber = new Map(scenarios.map((one) => [one.number, one]));
  const recalled = new Set<number>();
  const wrong: Found[] = [];
  for (const alarm of alarms) {
    const score = scores.find(({ type }) => type === alarm.type)!;
    const cause = byNumber.get(causeOf(alarm) ?? -1);
    score.found += 1;
    if (cause?.type === alarm.type && isOwn(cause, alarm)) recalled.add(cause.number);
    if (cause?.type === alarm.type || cause?.alsoTrue.includes(alarm.type)) score.right += 1;
    else wrong.push(alarm);
  }
  for (const { type, number, name } of scenarios) {
    const score = scores.find((one) => one.type === type);
    if (score === undefined) continue;
    score.scenarios += 1;
    if (recalled.has(number)) score.recalled += 1;
    const named = score.byName.get(name) ?? { scenarios: 0, recalled: 0 };
    named.scenarios += 1;
    if (recalled.has(number)) named.recalled += 1;
    score.byName.set(name, named);
  }
  return wrong;
}

/** Baselines have no keys, so all of their alarms count. */
const isOwn = ({ key = '' }: Scenario, alarm: Alarm & { readonly key?: string }): boolean =>
  (alarm.key ?? key).startsWith(key);

export const precisionOf = ({ right, found }: Score): number => (found === 0 ? 1 : right / found);
export const recallOf = ({ recalled, scenarios }: Score): number =>
  scenarios === 0 ? 1 : recalled / scenarios;
