import { ROWS } from '../../../core/detect/names/features.ts';
import { LABELS, OTHER } from '../../../core/detect/names/labels.ts';
import {
  bestLabels,
  createWays,
  createWeights,
  possibleTransitions,
  type Weights,
} from '../../../core/detect/names/tagger.ts';
import type { SeededRandom } from '../../evaluation/random.ts';
import { NEITHER, type Run } from './examples.ts';

export interface LearningOptions {
  readonly epochs: number;
  /** How much better the right labels must score than others. */
  readonly margin: number;
  /** On top of it, for a name or an address that would be missed. */
  readonly missedMargin: number;
  /** Of 64 features, how many are left out each time, so that none is relied on alone. */
  readonly leftOut: number;
}

const isWanted = (label: number): boolean => ((NEITHER >>> label) & 1) === 0;

/** Weights as they come out of learning: rows of a weight for each label, and what follows what. */
export interface Learned {
  readonly rows: Float64Array;
  readonly transitions: Float64Array;
}

/** Weights whose average over all steps is kept, without adding them all up at each step. */
interface Averaged {
  readonly now: Float64Array;
  readonly sum: Float64Array;
}
const averaged = (size: number): Averaged => ({ now: new Float64Array(size), sum: new Float64Array(size) });

function change({ now, sum }: Averaged, index: number, by: number, step: number): void {
  now[index]! += by;
  sum[index]! += by * step;
}

function shuffle<Item>(items: Item[], { below }: SeededRandom): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
}

/** Features seen less often say too little to be kept. */
const SEEN_ENOUGH = 3;

/** The runs without features that are hardly ever seen: their rows get the number that stands for none. */
export function withoutRareFeatures(runs: readonly Run[]): readonly Run[] {
  const seen = new Int32Array(ROWS);
  for (const { features } of runs) for (const row of features) seen[row]!++;
  return runs.map((run) => ({
    ...run,
    features: run.features.map((row) => (seen[row]! < SEEN_ENOUGH ? NO_ROW : row)),
  }));
}
const NO_ROW = -1;

/** More than the features of a token. */
const PLACES = 64;

/** An averaged structured perceptron with a margin. All arithmetic is of whole numbers until the average is taken. */
export function learn(runs: readonly Run[], random: SeededRandom, options: LearningOptions): Learned {
  const rows = averaged(ROWS * LABELS);
  const transitions = averaged(LABELS * LABELS);
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 1);
  const scores = new Float64Array(longest * LABELS);
  const found = new Uint8Array(longest);
  const right = new Uint8Array(longest);
  const ways = createWays(longest);
  const isOut = new Uint8Array(PLACES);
  const order = [...runs];
  let step = 1;

  const score = (run: Run): void => {
    scores.fill(0, 0, run.length * LABELS);
    for (let token = 0, from = 0; token < run.length; from = run.ends[token++]!) {
      for (let feature = from; feature < run.ends[token]!; feature++) {
        if (isOut[feature - from] === 1 || run.features[feature] === NO_ROW) continue;
        const row = run.features[feature]! * LABELS;
        for (let label = 0; label < LABELS; label++)
          scores[token * LABELS + label]! += rows.now[row + label]!;
      }
    }
  };
  const addMargins = (run: Run): void => {
    for (let token = 0; token < run.length; token++) {
      const wanted = isWanted(right[token]!);
      for (let label = 0; label < LABELS; label++) {
        if (((run.right[token]! >>> label) & 1) === 1) continue;
        const missed = wanted && !isWanted(label);
        scores[token * LABELS + label]! += options.margin + (missed ? options.missedMargin : 0);
      }
    }
  };
  const update = (run: Run): void => {
    let [rightBefore, foundBefore] = [OTHER, OTHER];
    for (let token = 0, from = 0; token <= run.length; token++) {
      const isEnd = token === run.length;
      const rightLabel = isEnd ? OTHER : right[token]!;
      const foundLabel = isEnd ? OTHER : found[token]!;
      if (rightLabel !== foundLabel || rightBefore !== foundBefore) {
        change(transitions, rightBefore * LABELS + rightLabel, 1, step);
        change(transitions, foundBefore * LABELS + foundLabel, -1, step);
      }
      if (isEnd) return;
      const until = run.ends[token]!;
      for (let feature = from; feature < until && rightLabel !== foundLabel; feature++) {
        if (isOut[feature - from] === 1 || run.features[feature] === NO_ROW) continue;
        change(rows, run.features[feature]! * LABELS + rightLabel, 1, step);
        change(rows, run.features[feature]! * LABELS + foundLabel, -1, step);
      }
      from = until;
      [rightBefore, foundBefore] = [rightLabel, foundLabel];
    }
  };
  const isRight = (run: Run): boolean => {
    for (let token = 0; token < run.length; token++) {
      if (((run.right[token]! >>> found[token]!) & 1) === 0) return false;
    }
    return true;
  };

  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const run of order) {
      for (let place = 0; place < PLACES; place++)
        isOut[place] = random.below(PLACES) < options.leftOut ? 1 : 0;
      score(run);
      const possible = possibleTransitions(transitions.now);
      bestLabels(scores, run.length, possible, ways, right, run.right);
      addMargins(run);
      bestLabels(scores, run.length, possible, ways, found);
      if (!isRight(run)) update(run);
      step++;
    }
  }
  const average = ({ now, sum }: Averaged): Float64Array =>
    now.map((weight, index) => weight - sum[index]! / step);
  return { rows: average(rows), transitions: average(transitions) };
}

/** The mean of several: what only one order of the texts led to fades. */
export function meanOf(learned: readonly Learned[]): Learned {
  const mean = (part: (one: Learned) => Float64Array): Float64Array =>
    part(learned[0]!).map((_weight, index) => {
      let sum = 0;
      for (const one of learned) sum += part(one)[index]!;
      return sum / learned.length;
    });
  return { rows: mean(({ rows }) => rows), transitions: mean(({ transitions }) => transitions) };
}

/** Steps of a whole-number weight per unit of an averaged one. */
const STEPS = 6;
/** Rows that are kept, those of the largest weights: the model is a file of the project. */
const KEPT_ROWS = 80_000;
/** Weights up to this many steps change nothing that counts. */
const NEGLIGIBLE = 2;

const within = (most: number, value: number): number => Math.max(-most, Math.min(most, value));

/** The weight that a row must have at least to be one of the `KEPT_ROWS`. */
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

/** Weights as whole numbers; the few that are larger than eight bits hold are cut, small ones are left out. */
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
