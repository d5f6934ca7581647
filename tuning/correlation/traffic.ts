import type { CorrelatedSignal } from '#core/correlate/state/entries.ts';
import { DAY_MS, HOUR_MS } from '#core/correlate/state/rules.ts';
import type { SeededRandom } from '../samples/random.ts';
import {
  jitter,
  levelOfViolation,
  levelWithout,
  poisson,
  type SimulatedCustomer,
  type SimulatedSandbox,
  weighted,
} from './customers.ts';
import { unrelated } from './sketches.ts';

/** A signal before it has an index in the ledger. */
export interface Draft extends Omit<CorrelatedSignal, 'index' | 'id'> {
  /** Number of the scenario that created it; null: ordinary traffic. */
  readonly scenario: number | null;
}

/** A Monday. */
export const BEGIN_MS = Date.UTC(2026, 0, 5);
export const WARM_UP_DAYS = 28;

/** Maximum time between acceptance and analysis. */
const MAX_ANALYSIS_MS = 2_000;

/** Changes or keeps a draft of ordinary traffic, for new models and drifts. */
export type Change = (draft: Draft, random: SeededRandom) => Draft;

/** Expected number of a customer's signals in an hour. */
export function rateOf({ signalsPerDay, hours, weekdays }: SimulatedCustomer, at: number): number {
  const hour = Math.floor((at % DAY_MS) / HOUR_MS);
  const weekday = Math.floor((at - BEGIN_MS) / DAY_MS) % 7;
  return (signalsPerDay / 24) * hours[hour]! * weekdays[weekday]!;
}

/** Independent signals of this many days. */
export function ordinaryTraffic(
  random: SeededRandom,
  customer: SimulatedCustomer,
  days: number,
  changes: readonly Change[] = [],
): Draft[] {
  const drafts: Draft[] = [];
  const sandboxes = customer.sandboxes.map((sandbox) => [sandbox, sandbox.weight] as const);
  for (let hour = 0; hour < days * 24; hour += 1) {
    const from = BEGIN_MS + hour * HOUR_MS;
    const count = poisson(random, rateOf(customer, from) * jitter(random, customer.dispersion));
    for (let made = 0; made < count; made += 1) {
      const at = from + random.below(HOUR_MS);
      const draft = ordinaryDraft(random, weighted(random, sandboxes), at);
      drafts.push(changes.reduce((one, change) => change(one, random), draft));
    }
  }
  return drafts;
}

function ordinaryDraft(random: SeededRandom, sandbox: SimulatedSandbox, createdAt: number): Draft {
  const violations = sandbox.codes.filter(([, chance]) => random.next() < chance).map(([code]) => code);
  return draftOf(random, sandbox, createdAt, violations, null);
}

/** A signal with these violations; other properties are the sandbox's usual ones. */
export function draftOf(
  random: SeededRandom,
  sandbox: SimulatedSandbox,
  createdAt: number,
  violations: readonly string[],
  scenario: number | null,
): Draft {
  const [provider, model] = weighted(
    random,
    sandbox.models.map((one) => [one, one[2]] as const),
  );
  return {
    createdAt,
    acceptedAt: createdAt - random.below(MAX_ANALYSIS_MS),
    riskLevel: violations.length > 0 ? levelOfViolation(random) : levelWithout(random),
    violations,
    sandboxId: sandbox.id,
    sandboxSlug: sandbox.id,
    provider,
    model,
    fingerprint: violations.length > 0 ? unrelated(random) : null,
    scenario,
  };
}

/** The ledger, in the order in which signals became known. Ids of a scenario's signals start with its number. */
export function ledgerOf(drafts: readonly Draft[]): CorrelatedSignal[] {
  const known = (draft: Draft): number => Math.max(draft.createdAt, draft.acceptedAt);
  return drafts
    .toSorted((a, b) => known(a) - known(b))
    .map(({ scenario, ...signal }, index) => ({ ...signal, index, id: `${scenario ?? 'none'}:${index}` }));
}

/** Number of the scenario that created a signal; null if none did. */
export function scenarioOf(id: string): number | null {
  const label = id.slice(0, id.indexOf(':'));
  return label === 'none' ? null : Number(label);
}
