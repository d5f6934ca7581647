import { BUCKETS } from '#core/detect/find/text-model/features.ts';
import { type Head, SUBJECTS, type Subject } from '#core/detect/find/text-model/text-model.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import type { TrainedFile } from '../../samples/trained-file.ts';
import { type CorpusText, readCorpus } from './corpus.ts';
import { limitsOf } from './limits.ts';
import { type Example, type LogisticWeights, trainLogistic } from './logistic.ts';

/** Increased whenever training produces different weights. */
const VERSION = 4;

const OPTIONS = { epochs: 6, rate: 0.8, decay: 3e-4, hidden: 0.3, seed: 1 } as const;
/** Texts written for the purpose weigh most, those from grammars and for other purposes least. */
const WEIGHTS: readonly (readonly [string, number])[] = [
  ['written/', 4],
  ['own/', 0.3],
  ['tweets/', 0.3],
];

const weightOf = (family: string): number => WEIGHTS.find(([prefix]) => family.startsWith(prefix))?.[1] ?? 1;

const exampleOf = ({ features, family, labels }: CorpusText, subject: Subject): Example => ({
  features,
  positive: labels[subject] === true,
  weight: weightOf(family),
});

export const textsOn = (corpus: readonly CorpusText[], subject: Subject): CorpusText[] =>
  corpus.filter(({ labels }) => labels[subject] !== undefined);

export const trainOn = (texts: readonly CorpusText[], subject: Subject): LogisticWeights =>
  trainLogistic(
    texts.map((text) => exampleOf(text, subject)),
    OPTIONS,
  );

const STEPS = 127;
/**
 * The few weights above this quantile of all non-zero ones are clipped to it, so that the others keep their resolution.
 */
const CUT_AT = 0.9995;

function scaleOf(weights: Float32Array): number {
  const sizes = weights
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  return (sizes[Math.floor(sizes.length * CUT_AT)] ?? 1) / STEPS;
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Trains every head with all texts and writes the module that the detector reads. */
export function trainTextModel(data: DataFolder): TrainedFile {
  const corpus = readCorpus(data);
  const table = new Int8Array(BUCKETS * SUBJECTS.length);
  const heads = SUBJECTS.map((subject, index): Head => {
    const texts = textsOn(corpus, subject);
    const { weights, bias } = trainOn(texts, subject);
    const scale = scaleOf(weights);
    weights.forEach((weight, bucket) => {
      const steps = Math.round(weight / scale);
      table[bucket * SUBJECTS.length + index] = Math.max(-STEPS, Math.min(STEPS, steps));
    });
    return {
      subject,
      bias: rounded(bias),
      scale: Number(scale.toPrecision(6)),
      limits: limitsOf(texts, subject, trainOn).map(({ hintFrom, findFrom }) => ({
        hintFrom: rounded(hintFrom),
        findFrom: rounded(findFrom),
      })),
    };
  });
  const encoded = Buffer.from(table.buffer).toString('base64');
  return {
    file: 'core/detect/find/models/text-model.json',
    content: `${JSON.stringify({ version: VERSION, heads, weights: encoded })}\n`,
  };
}
