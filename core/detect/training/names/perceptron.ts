import type { SeededRandom } from '../../evaluation/random.ts';
import { ROWS } from '../../names/features.ts';
import { LABELS, ORGANIZATION, OTHER, PLACE_NAME } from '../../names/labels.ts';
import { addScores, bestLabels, type Weights } from '../../names/tagger.ts';
import type { Run } from './examples.ts';

export interface LearningOptions {
  readonly epochs: number;
  /** How much better the right labels must score than others. */
  readonly margin: number;
  /** On top of it, for a name or an address that would be missed. */
  readonly missedMargin: number;
}

const NEITHER = (1 << OTHER) | (1 << ORGANIZATION) | (1 << PLACE_NAME);
const isWanted = (label: number): boolean => ((NEITHER >>> label) & 1) === 0;

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

/** An averaged structured perceptron with a margin. All arithmetic is of whole numbers until the average is taken. */
export function learn(runs: readonly Run[], random: SeededRandom, options: LearningOptions): Weights {
  const rows = averaged(ROWS * LABELS);
  const transitions = averaged(LABELS * LABELS);
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 1);
  const scores = new Float64Array(longest * LABELS);
  const found = new Uint8Array(longest);
  const right = new Uint8Array(longest);
  const order = [...runs];
  let step = 1;

  const correct = (run: Run): void => {
    let from = 0;
    for (let token = 0; token < run.length; token++) {
      addScores(rows.now, run.features, from, run.ends[token]!, scores, token * LABELS);
      from = run.ends[token]!;
    }
    if (run.labels === null) bestLabels(scores, run.length, transitions.now, right, NEITHER);
    else right.set(run.labels);
    for (let token = 0; token < run.length; token++) {
      const label = right[token]!;
      for (let other = 0; other < LABELS; other++) {
        if (other === label || (run.labels === null && !isWanted(other))) continue;
        const missed = isWanted(label) && !isWanted(other);
        scores[token * LABELS + other]! += options.margin + (missed ? options.missedMargin : 0);
      }
    }
    bestLabels(scores, run.length, transitions.now, found);
    if (run.labels === null && found.subarray(0, run.length).every((label) => !isWanted(label))) return;
    update(run);
  };
  const update = (run: Run): void => {
    let from = 0;
    let rightBefore = OTHER;
    let foundBefore = OTHER;
    for (let token = 0; token <= run.length; token++) {
      const isEnd = token === run.length;
      const rightLabel = isEnd ? OTHER : right[token]!;
      const foundLabel = isEnd ? OTHER : found[token]!;
      if (rightLabel !== foundLabel || rightBefore !== foundBefore) {
        change(transitions, rightBefore * LABELS + rightLabel, 1, step);
        change(transitions, foundBefore * LABELS + foundLabel, -1, step);
      }
      if (!isEnd && rightLabel !== foundLabel) {
        for (let feature = from; feature < run.ends[token]!; feature++) {
          change(rows, run.features[feature]! * LABELS + rightLabel, 1, step);
          change(rows, run.features[feature]! * LABELS + foundLabel, -1, step);
        }
      }
      if (!isEnd) from = run.ends[token]!;
      rightBefore = rightLabel;
      foundBefore = foundLabel;
    }
  };

  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const run of order) {
      correct(run);
      step++;
    }
  }
  const average = ({ now, sum }: Averaged): Float64Array => now.map((weight, index) => weight - sum[index]! / step);
  return { rows: average(rows), transitions: average(transitions) };
}

/** Steps of a whole-number weight per unit of an averaged one. */
const STEPS = 8;

const within = (most: number, value: number): number => Math.max(-most, Math.min(most, value));

/** Weights as whole numbers; the few that are larger than eight bits hold are cut. */
export function quantised({ rows, transitions }: Weights): { rows: Int8Array; transitions: Int32Array } {
  const whole = (weight: number): number => Math.round(weight * STEPS);
  return {
    rows: Int8Array.from(rows, (weight) => within(127, whole(weight))),
    transitions: Int32Array.from(transitions, (weight) => within(32_767, whole(weight))),
  };
}
