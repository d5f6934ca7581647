import { ROWS } from '#core/detect/find/names/features.ts';
import { LABELS, OTHER } from '#core/detect/find/names/labels.ts';
import {
  bestLabels,
  createWays,
  createWeights,
  possibleTransitions,
  type Weights,
} from '#core/detect/find/names/tagger.ts';
import type { SeededRandom } from '../../samples/random.ts';
import { NEITHER, type Run } from './examples.ts';

export interface LearningOptions {
  readonly epochs: number;
  /** Margin by which the correct labels must outscore others. */
  readonly margin: number;
  /** Additional margin for a name or an address that would be missed. */
  readonly missedMargin: number;
  /** Feature dropout: how many of 64 features are left out each time, so that the model relies on none alone. */
  readonly leftOut: number;
}

const isWanted = (label: number): boolean => ((NEITHER >>> label) & 1) === 0;

/** Trained weights: rows with one weight per label, and the transitions. */
interface Learned {
  readonly rows: Float64Array;
  readonly transitions: Float64Array;
}

/** Weights with a running average over all steps, without summing at each step. They are integers. */
interface Averaged {
  readonly now: Int32Array;
  readonly sum: Float64Array;
}
const averaged = (size: number): Averaged => ({ now: new Int32Array(size), sum: new Float64Array(size) });

function change({ now, sum }: Averaged, index: number, by: number, step: number): void {
  now[index]! += by;
  sum[index]! += by * step;
}

/** Elements per row, so that a row fits one cache line. */
const STRIDE = 8;

function shuffle<Item>(items: Item[], { below }: SeededRandom): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
}

/** Features seen less often are dropped. */
const SEEN_ENOUGH = 3;

/** The runs without rare features, whose rows get the number that means none. */
export function withoutRareFeatures(runs: readonly Run[]): readonly Run[] {
  const seen = new Int32Array(ROWS);
  for (const { features } of runs) for (const row of features) seen[row]!++;
  return runs.map((run) => ({
    ...run,
    features: run.features.map((row) => (seen[row]! < SEEN_ENOUGH ? NO_ROW : row)),
  }));
}
const NO_ROW = -1;

/** More than the number of features per token. */
const MAX_FEATURES = 64;

/** An averaged structured perceptron with a margin. All arithmetic is in integers until the average is taken. */
export function learn(runs: readonly Run[], random: SeededRandom, options: LearningOptions): Learned {
  const perceptron = new Perceptron(runs, options);
  const order = [...runs];
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const run of order) perceptron.learnFrom(run, random);
  }
  return perceptron.learned();
}

class Perceptron {
  readonly #options: LearningOptions;
  readonly #rows = averaged(ROWS * STRIDE);
  readonly #transitions = averaged(LABELS * LABELS);
  #possible = possibleTransitions(this.#transitions.now);
  #step = 1;
  // For the current run, reused for the next.
  readonly #scores: Float64Array;
  readonly #sums = new Int32Array(STRIDE);
  readonly #ways: ReturnType<typeof createWays>;
  readonly #found: Uint8Array;
  readonly #right: Uint8Array;
  /** Dropped features, by their index within a token. */
  readonly #isOut = new Uint8Array(MAX_FEATURES);

  constructor(runs: readonly Run[], options: LearningOptions) {
    const longest = runs.reduce((most, { length }) => Math.max(most, length), 1);
    this.#options = options;
    this.#scores = new Float64Array(longest * LABELS);
    this.#ways = createWays(longest);
    this.#found = new Uint8Array(longest);
    this.#right = new Uint8Array(longest);
  }

  learnFrom(run: Run, random: SeededRandom): void {
    for (let index = 0; index < MAX_FEATURES; index++)
      this.#isOut[index] = random.below(MAX_FEATURES) < this.#options.leftOut ? 1 : 0;
    this.#score(run);
    const possible = this.#possible;
    bestLabels(this.#scores, run.length, possible, this.#ways, this.#right, run.right);
    this.#addMargins(run);
    bestLabels(this.#scores, run.length, possible, this.#ways, this.#found);
    if (!this.#isRight(run)) {
      this.#update(run);
      this.#possible = possibleTransitions(this.#transitions.now);
    }
    this.#step++;
  }

  learned(): Learned {
    const average = ({ now, sum }: Averaged): Float64Array =>
      sum.map((total, index) => now[index]! - total / this.#step);
    const spread = average(this.#rows);
    const rows = Float64Array.from({ length: ROWS * LABELS }, (_none, index) => {
      const row = Math.floor(index / LABELS);
      return spread[row * STRIDE + (index % LABELS)]!;
    });
    return { rows, transitions: average(this.#transitions) };
  }

  #score(run: Run): void {
    const [scores, isOut, features, ends] = [this.#scores, this.#isOut, run.features, run.ends];
    const sums = this.#sums;
    for (let token = 0, from = 0; token < run.length; from = ends[token++]!) {
      sums.fill(0);
      for (let feature = from; feature < ends[token]!; feature++) {
        if (isOut[feature - from] === 1 || features[feature] === NO_ROW) continue;
        this.#addRow(features[feature]! * STRIDE);
      }
      for (let label = 0; label < LABELS; label++) scores[token * LABELS + label] = sums[label]!;
    }
  }

  #addRow(row: number): void {
    const sums = this.#sums;
    const weights = this.#rows.now;
    for (let label = 0; label < LABELS; label++) sums[label]! += weights[row + label]!;
  }

  #addMargins(run: Run): void {
    const { margin, missedMargin } = this.#options;
    for (let token = 0; token < run.length; token++) {
      const wanted = isWanted(this.#right[token]!);
      for (let label = 0; label < LABELS; label++) {
        if (((run.right[token]! >>> label) & 1) === 1) continue;
        const missed = wanted && !isWanted(label);
        this.#scores[token * LABELS + label]! += margin + (missed ? missedMargin : 0);
      }
    }
  }

  /** Moves the weights towards the correct labels and away from the predicted ones. */
  #update(run: Run): void {
    const [rows, transitions, step] = [this.#rows, this.#transitions, this.#step];
    let [rightBefore, foundBefore] = [OTHER, OTHER];
    for (let token = 0, from = 0; token <= run.length; token++) {
      const isEnd = token === run.length;
      const rightLabel = isEnd ? OTHER : this.#right[token]!;
      const foundLabel = isEnd ? OTHER : this.#found[token]!;
      if (rightLabel !== foundLabel || rightBefore !== foundBefore) {
        change(transitions, rightBefore * LABELS + rightLabel, 1, step);
        change(transitions, foundBefore * LABELS + foundLabel, -1, step);
      }
      if (isEnd) return;
      const until = run.ends[token]!;
      for (let feature = from; feature < until && rightLabel !== foundLabel; feature++) {
        if (this.#isOut[feature - from] === 1 || run.features[feature] === NO_ROW) continue;
        change(rows, run.features[feature]! * STRIDE + rightLabel, 1, step);
        change(rows, run.features[feature]! * STRIDE + foundLabel, -1, step);
      }
      from = until;
      [rightBefore, foundBefore] = [rightLabel, foundLabel];
    }
  }

  #isRight(run: Run): boolean {
    for (let token = 0; token < run.length; token++) {
      if (((run.right[token]! >>> this.#found[token]!) & 1) === 0) return false;
    }
    return true;
  }
}

/** The mean of several models, which reduces effects of the order of texts. */
export function meanOf(learned: readonly Learned[]): Learned {
  const mean = (part: (one: Learned) => Float64Array): Float64Array =>
    part(learned[0]!).map((_weight, index) => {
      let sum = 0;
      for (const one of learned) sum += part(one)[index]!;
      return sum / learned.length;
    });
  return { rows: mean(({ rows }) => rows), transitions: mean(({ transitions }) => transitions) };
}

/** Quantisation steps per unit of an averaged weight. */
const STEPS = 6;
/** Number of rows to keep, those with the largest weights: the model is a file of the project. */
const KEPT_ROWS = 60_000;
/** Weights up to this many steps make no difference. */
const NEGLIGIBLE = 3;

const within = (most: number, value: number): number => Math.max(-most, Math.min(most, value));

/** The smallest maximum weight of a row that is kept. */
function leastKept(rows: Float64Array): number {
  const largest = new Float64Array(ROWS);
  rows.forEach((weight, index) => {
    const row = Math.floor(index / LABELS);
    largest[row] = Math.max(largest[row]!, Math.abs(weight));
  });
  return largest.sort()[ROWS - KEPT_ROWS]!;
}

export interface Quantised {
  readonly rows: Int8Array;
  readonly transitions: Int32Array;
}

export const usable = ({ rows, transitions }: Quantised): Weights => createWeights(rows, transitions);

/** Weights as integers; the few beyond eight bits are clipped, and small ones are dropped. */
export function quantised({ rows, transitions }: Learned): Quantised {
  const least = leastKept(rows);
  const whole = new Int8Array(rows.length);
  for (let row = 0; row < rows.length; row += LABELS) {
    const weights = rows.subarray(row, row + LABELS);
    if (!weights.some((weight) => Math.abs(weight) >= least)) continue;
    weights.forEach((weight, label) => {
      const steps = within(127, Math.round(weight * STEPS));
      whole[row + label] = Math.abs(steps) <= NEGLIGIBLE ? 0 : steps;
    });
  }
  return {
    rows: whole,
    transitions: Int32Array.from(transitions, (weight) => within(32_767, Math.round(weight * STEPS))),
  };
}
