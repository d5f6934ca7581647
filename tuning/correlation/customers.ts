import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { SeededRandom } from '../samples/random.ts';

/** A simulated customer: the number of signals over time, their origin and content. */
export interface SimulatedCustomer {
  readonly id: string;
  readonly signalsPerDay: number;
  /**
   * Distribution over hours of a day, 24 numbers with a mean of 1; over weekdays, 7 numbers with a mean of 1, Monday
   * first.
   */
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
  /** Variance of an hour's rate as a share of its squared mean: 0 is Poisson. */
  readonly dispersion: number;
  readonly sandboxes: readonly SimulatedSandbox[];
}

export interface SimulatedSandbox {
  readonly id: string;
  readonly weight: number;
  readonly models: readonly (readonly [provider: string, model: string, weight: number])[];
  /** Probability that a signal has the violation. */
  readonly codes: readonly (readonly [code: string, chance: number])[];
}

const CODES = [
  'EMAIL',
  'PHONE',
  'PII_LEAK',
  'SSN',
  'CREDIT_CARD',
  'HEALTH_DATA',
  'SECRET_LEAK',
  'PROMPT_INJECTION',
  'JAILBREAK_ATTEMPT',
  'CODE_INJECTION',
  'HATE_SPEECH',
  'UNLICENSED_ADVICE',
  'FALSE_CONFIDENCE',
];
const MODELS = [
  ['north', 'north-large'],
  ['north', 'north-small'],
  ['harbour', 'harbour-2'],
  ['quarry', 'quarry-pro'],
] as const;
/** Risk levels of signals with a violation, and without. */
const LEVELS_OF_VIOLATIONS: readonly (readonly [RiskLevel, number])[] = [
  ['LOW', 0.35],
  ['MEDIUM', 0.4],
  ['HIGH', 0.19],
  ['CRITICAL', 0.06],
];

export const levelOfViolation = (random: SeededRandom): RiskLevel => weighted(random, LEVELS_OF_VIOLATIONS);
export const levelWithout = (random: SeededRandom): RiskLevel => (random.next() < 0.97 ? 'LOW' : 'MEDIUM');

/** A choice by weights, which need not sum to 1. */
export function weighted<Item>(random: SeededRandom, items: readonly (readonly [Item, number])[]): Item {
  const all = items.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random.next() * all;
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  return items.at(-1)![0];
}

/** Standard normal, by Box and Muller. */
const normal = (random: SeededRandom): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** Poisson counts: by multiplication for small means, by the normal approximation for large ones. */
export function poisson(random: SeededRandom, mean: number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const floor = Math.exp(-mean);
  let product = random.next();
  let count = 0;
  while (product > floor) {
    product *= random.next();
    count += 1;
  }
  return count;
}

/** A log-normal factor with mean 1 and this variance. */
export function jitter(random: SeededRandom, variance: number): number {
  if (variance === 0) return 1;
  const sigma2 = Math.log(1 + variance);
  return Math.exp(Math.sqrt(sigma2) * normal(random) - sigma2 / 2);
}

const scaledToOne = (numbers: readonly number[]): number[] => {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return numbers.map((one) => one / mean);
};

/** Business hours of some time zone with a quiet weekend, or traffic around the clock with a wave. */
function rhythmOf(random: SeededRandom): Pick<SimulatedCustomer, 'hours' | 'weekdays'> {
  const peak = random.below(24);
  const depth = 0.5 + random.next() * 0.45;
  const weekend = 0.15 + random.next() * 0.85;
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const wave = (1 + Math.cos(((hour - peak) * 2 * Math.PI) / 24)) / 2;
    return 1 - depth + depth * wave ** 2;
  });
  const weekdays = Array.from({ length: 7 }, (_, day) => (day < 5 ? 0.9 + random.next() * 0.2 : weekend));
  return { hours: scaledToOne(hours), weekdays: scaledToOne(weekdays) };
}

function sandboxOf(random: SeededRandom, id: string): SimulatedSandbox {
  const models = MODELS.filter(() => random.next() < 0.5);
  const used = models.length === 0 ? [MODELS[0]] : models;
  const codes = CODES.filter(() => random.next() < 0.5);
  return {
    id,
    weight: 0.2 + random.next(),
    models: used.map(([provider, model]) => [provider, model, 0.2 + random.next()]),
    codes: codes.map((code) => [code, 0.002 + random.next() ** 3 * 0.08]),
  };
}

/** `signalsPerDay`: the range of volumes; small ones are more frequent. */
export function customerOf(
  random: SeededRandom,
  id: string,
  signalsPerDay: readonly [number, number],
  dispersion: number,
): SimulatedCustomer {
  const [least, most] = signalsPerDay;
  const sandboxes = 1 + random.below(8);
  return {
    id,
    signalsPerDay: least * (most / least) ** random.next(),
    ...rhythmOf(random),
    dispersion,
    sandboxes: Array.from({ length: sandboxes }, (_, index) => sandboxOf(random, `${id}-sandbox-${index}`)),
  };
}
