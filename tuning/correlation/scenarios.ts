import { DAY_MS, HOUR_MS } from '#core/correlate/state/rules.ts';
import type { FindingType } from '#schemas/vocabulary.ts';
import type { SeededRandom } from '../samples/random.ts';
import type { SimulatedCustomer, SimulatedSandbox } from './customers.ts';
import { unrelated, variantOf } from './sketches.ts';
import { BEGIN_MS, type Change, type Draft, draftOf, rateOf, WARM_UP_DAYS } from './traffic.ts';

/** An event in a customer's traffic. */
export interface Scenario {
  readonly number: number;
  /** The type that should be found; null if none should be, such as for late data or a surge of ordinary traffic. */
  readonly type: FindingType | null;
  readonly name: string;
  /** Other types that also apply, by their own definition. */
  readonly alsoTrue: readonly FindingType[];
  /** Key prefix of a finding that counts as the scenario's own; '' for any key. */
  readonly key?: string;
  readonly drafts: readonly Draft[];
  readonly changes: readonly Change[];
}

/**
 * `free`: sandboxes whose traffic no long-running scenario changes. A scenario that changes one removes it from the
 * set.
 */
type Make = (
  random: SeededRandom,
  customer: SimulatedCustomer,
  number: number,
  free: Set<SimulatedSandbox>,
) => Scenario | null;

const noon = (random: SeededRandom, days: number): number =>
  BEGIN_MS + (WARM_UP_DAYS + random.below(days)) * DAY_MS + random.below(24) * HOUR_MS;

const shareOf = (customer: SimulatedCustomer, sandbox: SimulatedSandbox): number =>
  sandbox.weight / customer.sandboxes.reduce((sum, { weight }) => sum + weight, 0);

/** A sandbox's average number of signals per hour with the violation. */
const usual = (customer: SimulatedCustomer, sandbox: SimulatedSandbox, code: string): number => {
  const chance = sandbox.codes.find(([one]) => one === code)?.[1] ?? 0;
  return (customer.signalsPerDay / 24) * shareOf(customer, sandbox) * chance;
};
const usualOfAll = (customer: SimulatedCustomer, code: string): number =>
  customer.sandboxes.reduce((sum, sandbox) => sum + usual(customer, sandbox, code), 0);

const codeOf = (random: SeededRandom, { codes }: SimulatedSandbox): string =>
  codes.length === 0 ? 'SSN' : random.pick(codes)[0];

const spread = (
  random: SeededRandom,
  count: number,
  from: number,
  lengthMs: number,
  make: (at: number) => Draft,
): Draft[] => Array.from({ length: count }, () => make(from + random.below(lengthMs)));

/** Within forty minutes a violation occurs as often as in several of its busiest hours together. */
const burst: Make = (random, customer, number) => {
  const sandbox = random.pick(customer.sandboxes);
  const code = codeOf(random, sandbox);
  const from = noon(random, 29) + random.below(HOUR_MS / 3);
  const count = Math.round(12 + random.below(10) + 10 * usualOfAll(customer, code));
  const drafts = spread(random, count, from, (2 * HOUR_MS) / 3, (at) =>
    draftOf(random, sandbox, at, [code], number),
  );
  return { number, type: 'BURST', name: 'burst', alsoTrue: [], drafts, changes: [] };
};

/** For one to three days a violation recurs in one sandbox, without a conspicuous hour. */
const recurring: Make = (random, customer, number) => {
  const sandbox = random.pick(customer.sandboxes);
  const code = codeOf(random, sandbox);
  const days = 1 + random.below(3);
  const from = noon(random, 26);
  const perDay = 22 + random.below(12) + 24 * 3 * usual(customer, sandbox, code);
  const drafts = spread(random, Math.round(perDay * (days + 0.5)), from, (days + 0.5) * DAY_MS, (at) =>
    draftOf(random, sandbox, at, [code], number),
  );
  return { number, type: 'RECURRING', name: 'recurring', alsoTrue: [], drafts, changes: [] };
};

/** The same violation occurs in four or more sandboxes within forty minutes. */
const crossSandbox: Make = (random, customer, number) => {
  if (customer.sandboxes.length < 4) return null;
  const code = codeOf(random, random.pick(customer.sandboxes));
  const hit = customer.sandboxes.slice(0, 4 + random.below(customer.sandboxes.length - 3));
  const from = noon(random, 29) + random.below(HOUR_MS / 3);
  const drafts = hit.flatMap((sandbox) =>
    spread(
      random,
      Math.round(5 + random.below(4) + 8 * usual(customer, sandbox, code)),
      from,
      (2 * HOUR_MS) / 3,
      (at) => draftOf(random, sandbox, at, [code], number),
    ),
  );
  const alsoTrue = ['BURST'] as const;
  return { number, type: 'CROSS_SANDBOX', name: 'several sandboxes', alsoTrue, drafts, changes: [] };
};

const isElevated = ({ riskLevel }: Draft): boolean => riskLevel === 'HIGH' || riskLevel === 'CRITICAL';

/** A new model takes over most of a sandbox. `worse`: share of its harmless signals that become HIGH. */
function newModel(
  random: SeededRandom,
  customer: SimulatedCustomer,
  number: number,
  free: Set<SimulatedSandbox>,
  worse: number,
): Pick<Scenario, 'drafts' | 'changes'> | null {
  const busy = [...free].filter((sandbox) => customer.signalsPerDay * shareOf(customer, sandbox) >= 60);
  if (busy.length === 0) return null;
  const sandbox = random.pick(busy);
  free.delete(sandbox);
  const from = noon(random, 22);
  const share = 0.5 + random.next() * 0.5;
  const model = `new-${number}`;
  const change: Change = (draft, own) => {
    if (draft.sandboxId !== sandbox.id || draft.createdAt < from || own.next() >= share) return draft;
    const moved: Draft = { ...draft, provider: 'north', model };
    if (own.next() >= worse || isElevated(draft)) return moved;
    return { ...moved, riskLevel: 'HIGH', violations: ['FALSE_CONFIDENCE'], scenario: number };
  };
  return { drafts: [], changes: [change] };
}

const modelRegression: Make = (random, customer, number, free) => {
  const change = newModel(random, customer, number, free, 0.15 + random.next() * 0.2);
  const alsoTrue = ['RECURRING', 'BURST'] as const;
  return change && { number, type: 'MODEL_REGRESSION', name: 'model that is worse', alsoTrue, ...change };
};

const modelChange: Make = (random, customer, number, free) => {
  const change = newModel(random, customer, number, free, 0);
  return change && { number, type: null, name: 'model as good as the old one', alsoTrue: [], ...change };
};

/** Risk increases day by day for two weeks. */
const drift: Make = (random, customer, number, free) => {
  const busy = [...free].filter((sandbox) => customer.signalsPerDay * shareOf(customer, sandbox) >= 40);
  if (busy.length === 0) return null;
  const sandbox = random.pick(busy);
  free.delete(sandbox);
  const from = noon(random, 14);
  const most = 0.3 + random.next() * 0.2;
  const change: Change = (draft, own) => {
    const part = Math.min(1, (draft.createdAt - from) / (14 * DAY_MS));
    if (draft.sandboxId !== sandbox.id || part < 0 || part >= 1) return draft;
    if (own.next() >= part * most || isElevated(draft)) return draft;
    return { ...draft, riskLevel: own.next() < 0.8 ? 'HIGH' : 'CRITICAL', scenario: number };
  };
  const alsoTrue = ['BURST'] as const;
  return { number, type: 'ESCALATION', name: 'slow drift', alsoTrue, drafts: [], changes: [change] };
};

/** Variants of one attack prompt, over several hours, in any sandbox. */
const campaign: Make = (random, customer, number) => {
  const from = noon(random, 29);
  const original = unrelated(random);
  const changed = 0.1 + random.next() * 0.2;
  const drafts = spread(random, 8 + random.below(18), from, (2 + random.below(8)) * HOUR_MS, (at) => ({
    ...draftOf(random, random.pick(customer.sandboxes), at, ['PROMPT_INJECTION'], number),
    fingerprint: variantOf(random, original, changed),
  }));
  const alsoTrue = ['BURST', 'RECURRING', 'CROSS_SANDBOX'] as const;
  return { number, type: 'CAMPAIGN', name: 'campaign', alsoTrue, drafts, changes: [] };
};

/** For one to three days a violation recurs with one prompt template, wherever it is used. */
const recurringShape: Make = (random, customer, number) => {
  const code = codeOf(random, random.pick(customer.sandboxes));
  const days = 1 + random.below(3);
  const from = noon(random, 26);
  const template = unrelated(random);
  const changed = 0.05 + random.next() * 0.2;
  const perDay = 16 + random.below(12) + 24 * 0.5 * usualOfAll(customer, code);
  const drafts = spread(random, Math.round(perDay * (days + 0.5)), from, (days + 0.5) * DAY_MS, (at) => ({
    ...draftOf(random, random.pick(customer.sandboxes), at, [code], number),
    fingerprint: variantOf(random, template, changed),
  }));
  const alsoTrue = ['CAMPAIGN'] as const;
  return { number, type: 'RECURRING', name: 'one shape', alsoTrue, key: 'shape:', drafts, changes: [] };
};

/** Hundreds of signals from one past hour arrive hours or days later. */
const lateData: Make = (random, customer, number) => {
  const sandbox = random.pick(customer.sandboxes);
  const from = noon(random, 25);
  const delay = (3 + random.below(60)) * HOUR_MS;
  const drafts = spread(random, 150, from, HOUR_MS, (at) => ({
    ...draftOf(random, sandbox, at, [codeOf(random, sandbox)], number),
    acceptedAt: at + delay,
  }));
  return { number, type: null, name: 'late data', alsoTrue: [], drafts, changes: [] };
};

/** A busy day: half as many signals again, of the usual kind. */
const surge: Make = (random, customer, number) => {
  const from = noon(random, 28);
  const drafts: Draft[] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    const at = from + hour * HOUR_MS;
    const count = Math.round(rateOf(customer, at) / 2);
    for (let made = 0; made < count; made += 1) {
      const sandbox = random.pick(customer.sandboxes);
      const codes = sandbox.codes.filter(([, chance]) => random.next() < chance).map(([code]) => code);
      drafts.push(draftOf(random, sandbox, at + random.below(HOUR_MS), codes, number));
    }
  }
  return { number, type: null, name: 'surge of ordinary traffic', alsoTrue: [], drafts, changes: [] };
};

const MAKES: readonly Make[] = [
  burst,
  recurring,
  crossSandbox,
  modelRegression,
  drift,
  campaign,
  modelChange,
  lateData,
  surge,
  recurringShape,
];

/**
 * One scenario of each kind for which the customer is large enough. Scenarios that last for days get their own sandbox.
 */
export function scenariosOf(random: SeededRandom, customer: SimulatedCustomer): Scenario[] {
  const free = new Set(customer.sandboxes);
  return MAKES.flatMap((make, number) => make(random, customer, number, free) ?? []);
}
