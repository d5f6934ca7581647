import { BUCKETS, type TextFeatures } from '#core/detect/find/text-model/features.ts';
import { rootOf, sumsOf, type WordWindow, windowsOf } from '#core/detect/find/text-model/windows.ts';
import { seededRandom } from '../../samples/random.ts';

/** A training text: its features, and whether it is positive. */
export interface Example {
  readonly features: TextFeatures;
  readonly positive: boolean;
  /** Its weight relative to the others. */
  readonly weight: number;
}

export interface LogisticWeights {
  /** One per bucket. */
  readonly weights: Float32Array;
  readonly bias: number;
}

interface TrainingOptions {
  readonly epochs: number;
  /** Initial learning rate; a weight's steps shrink the more it has moved (AdaGrad). */
  readonly rate: number;
  /** Weight decay applied at each step of a weight. */
  readonly decay: number;
  /** Feature dropout: the share of features hidden from a step, so that the model does not depend on a few. */
  readonly hidden: number;
  readonly seed: number;
}

const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

/** The highest-scoring window, which decides a text's score. */
export function bestWindow(
  features: TextFeatures,
  { weights, bias }: LogisticWeights,
): { readonly score: number; readonly window: WordWindow } | null {
  const sums = sumsOf(features, { heads: 1, weights }, 0);
  let best: { score: number; window: WordWindow } | null = null;
  for (const window of windowsOf(features.count)) {
    const sum = sums[window.end]! - sums[window.first]!;
    const score = bias + sum / rootOf(features, window);
    if (best === null || score > best.score) best = { score, window };
  }
  return best;
}

/** Whether a step sees a feature; drawn again for each step, and the same for equal features. */
const isSeen = (bucket: number, mask: number, hidden: number): boolean =>
  Math.imul(bucket ^ mask, 0x9e3779b1) >>> 24 >= hidden;

/**
 * Logistic regression in which a text is as bad as its worst window: each step moves the weights of the window with the
 * highest current score. The same examples and options give the same weights.
 */
export function trainLogistic(examples: readonly Example[], options: TrainingOptions): LogisticWeights {
  const weights = new Float32Array(BUCKETS);
  const moved = new Float32Array(BUCKETS).fill(1);
  let [bias, biasMoved] = [0, 1];
  const random = seededRandom(options.seed);
  const hidden = Math.floor(options.hidden * 256);
  const order = examples.map((_, index) => index);
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const other = random.below(i + 1);
      [order[i], order[other]] = [order[other]!, order[i]!];
    }
    for (const index of order) {
      const { features, positive, weight } = examples[index]!;
      const best = bestWindow(features, { weights, bias });
      if (best === null) continue;
      const { first, end } = best.window;
      const [from, to] = [features.firsts[first]!, features.firsts[end]!];
      const root = rootOf(features, best.window) * Math.sqrt(1 - options.hidden);
      const mask = random.below(2 ** 31);
      let sum = 0;
      for (let at = from; at < to; at++) {
        const bucket = features.features[at]!;
        if (isSeen(bucket, mask, hidden)) sum += weights[bucket]!;
      }
      const error = (logistic(bias + sum / root) - (positive ? 1 : 0)) * weight;
      const step = error / root;
      for (let at = from; at < to; at++) {
        const bucket = features.features[at]!;
        if (!isSeen(bucket, mask, hidden)) continue;
        const gradient = step + options.decay * weights[bucket]!;
        moved[bucket] = moved[bucket]! + gradient * gradient;
        weights[bucket] = weights[bucket]! - (options.rate * gradient) / Math.sqrt(moved[bucket]!);
      }
      biasMoved += error * error;
      bias -= (options.rate * error) / Math.sqrt(biasMoved);
    }
  }
  return { weights, bias };
}
