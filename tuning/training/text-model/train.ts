import { BUCKETS } from '#core/detect/judge/text-model/features.ts';
import { type Head, SUBJECTS, type Subject } from '#core/detect/judge/text-model/text-model.ts';
import type { DataFolder } from '../../evaluation/data-folder.ts';
import type { TrainedFile } from '../trained-file.ts';
import { type CorpusText, readCorpus } from './corpus.ts';
import { bestWindow, type Example, type LogisticWeights, trainLogistic } from './logistic.ts';

/** Raised whenever training gives other weights. */
const VERSION = 2;

const OPTIONS = { epochs: 12, rate: 0.8, decay: 1e-5, hidden: 0.2, seed: 1 } as const;
/** Texts written for the purpose count most; those from grammars and for another purpose least. */
const WEIGHTS: readonly (readonly [string, number])[] = [
  ['written/', 4],
  ['own/', 0.3],
  ['tweets/', 0.3],
];

const weightOf = (family: string): number => WEIGHTS.find(([prefix]) => family.startsWith(prefix))?.[1] ?? 1;

interface Shares {
  readonly hint: number;
  readonly find: number;
}
/** Shares of benign texts that may be a hint and a finding. */
const BENIGN: Shares = { hint: 0.01, find: 0.003 };
/**
 * Texts written to share the words of harmful ones may have higher shares, depending on the subject. Both limits apply,
 * whichever is stricter.
 */
const LOOKALIKE: Partial<Record<Subject, Shares & { readonly family: string }>> = {
  INJECTION: { family: 'written/injection-harmless', hint: 0.04, find: 0.015 },
  DANGEROUS: { family: 'written/dangerous-safe', hint: 0.08, find: 0.03 },
  HATE: { family: 'written/hate-contrast', hint: 0.08, find: 0.03 },
};

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

/** The score that this share of the scores reaches. */
function scoreAt(scores: readonly number[], share: number): number {
  const sorted = scores.toSorted((a, b) => b - a);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

/** In pairs, because made-up texts of both kinds alternate. */
const halfOf = (index: number): number => (index >> 1) % 2;

/** Scores of harmless texts by models that did not see them: each half is scored by the model trained on the other. */
function heldOutScores(
  texts: readonly CorpusText[],
  subject: Subject,
  lookalike: string,
): Record<'benign' | 'lookalike', number[]> {
  const scores = { benign: [] as number[], lookalike: [] as number[] };
  for (const half of [0, 1]) {
    const weights = trainOn(
      texts.filter((_, index) => halfOf(index) !== half),
      subject,
    );
    texts.forEach(({ features, family, labels }, index) => {
      if (halfOf(index) !== half || labels[subject] === true) return;
      const group = family.startsWith('benign/') ? 'benign' : family === lookalike ? 'lookalike' : null;
      if (group !== null)
        scores[group].push(bestWindow(features, weights)?.score ?? Number.NEGATIVE_INFINITY);
    });
  }
  return scores;
}

function thresholdsOf(
  texts: readonly CorpusText[],
  subject: Subject,
): { hintFrom: number; findFrom: number } {
  const lookalike = LOOKALIKE[subject];
  if (lookalike === undefined) return { hintFrom: 0, findFrom: 0 };
  const scores = heldOutScores(texts, subject, lookalike.family);
  const from = (level: keyof Shares): number =>
    Math.max(scoreAt(scores.benign, BENIGN[level]), scoreAt(scores.lookalike, lookalike[level]));
  return { hintFrom: from('hint'), findFrom: from('find') };
}

const STEPS = 127;
/**
 * The few weights above this share of all non-zero ones are clipped to it, so that the others keep their resolution.
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
    const { hintFrom, findFrom } = thresholdsOf(texts, subject);
    return {
      subject,
      bias: rounded(bias),
      scale: Number(scale.toPrecision(6)),
      hintFrom: rounded(hintFrom),
      findFrom: rounded(findFrom),
    };
  });
  const encoded = Buffer.from(table.buffer).toString('base64');
  return {
    file: 'core/detect/judge/models/text-model.ts',
    content: [
      '// Written by `npm run train:detect`; docs/detection.md tells what it was trained with.',
      "import type { StoredTextModel } from './text-model.ts';",
      '',
      `export const TEXT_MODEL: StoredTextModel = ${JSON.stringify({ version: VERSION, heads, weights: encoded })};`,
      '',
    ].join('\n'),
  };
}
