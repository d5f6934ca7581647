import { MEASURE_COUNT, measuresOf } from '#core/detect/find/names/guides/signs.ts';
import type { NameModel } from '#core/detect/find/names/model.ts';
import { LANGUAGES, namesOfLanguage } from '../../evaluation/sets/names/names-by-language.ts';
import { namesInFormats } from '../../evaluation/sets/names/names-in-formats.ts';
import { namesSeenSet } from '../../evaluation/sets/names/names-seen.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import { seededRandom } from '../../samples/random.ts';
import { type LabelledSpan, overlapOf } from '../../samples/spans.ts';
import type { TrainedFile } from '../../samples/trained-file.ts';
import type { GroupedText } from './corpus.ts';
import { asLabelled, expectedSpans, spansFound } from './folds.ts';
import { isHeldOut, type Sentence, TREEBANK_LANGUAGES } from './languages/treebanks.ts';

type Found = ReturnType<typeof asLabelled>[number];

/** A match in a text that was not trained on. */
interface Judged extends Found {
  readonly isRight: boolean;
  /** Kind of text in which it was found; selects its weight. */
  readonly group: string;
}

/** A text with the matches of a model that never saw its wording. */
interface WithFinds {
  readonly text: GroupedText;
  readonly found: readonly Found[];
}

const ENOUGH = 0.5;
/** Sources that do not tag persons as proper nouns, or tag nouns as persons. */
const UNRELIABLE = /Vietnamese|ronec/;
const EAST_ASIAN = ['ja', 'ko', 'zh'];

function judged(
  found: readonly Found[],
  expected: readonly LabelledSpan[],
  group: string,
): readonly Judged[] {
  const open = [...expected];
  return found.map((find) => {
    const at = open.findIndex((span) => span.type === find.type && overlapOf(span, find) >= ENOUGH);
    if (at !== -1) open.splice(at, 1);
    return { ...find, isRight: at !== -1, group };
  });
}

/** Matches in held-out treebanks, in the evaluation sets, and from the cross-validation. */
function allJudged(data: DataFolder, model: NameModel, held: readonly WithFinds[]): readonly Judged[] {
  const inText = (text: string, expected: readonly LabelledSpan[], group: string): readonly Judged[] =>
    judged(asLabelled(spansFound(text, model)), expected, group);
  const sentences = [...TREEBANK_LANGUAGES, ...EAST_ASIAN].flatMap((language) =>
    data
      .cases<Sentence>(`pii/treebank-${language}.jsonl`)
      .filter((one) => isHeldOut(one) && !UNRELIABLE.test(one.source))
      .flatMap(({ text, entities, spans }) => {
        if (entities === undefined && spans?.length !== 0) return [];
        return inText(text, entities ?? [], 'sentences');
      }),
  );
  const own = Object.keys(LANGUAGES).flatMap((language) =>
    namesOfLanguage(language).flatMap(({ text, spans }) => inText(text, spans, 'languages')),
  );
  const english = [...namesSeenSet(), ...namesInFormats()].flatMap(({ text, spans }) =>
    inText(text, spans, 'English'),
  );
  const folds = held.flatMap(({ text, found }) => judged(found, expectedSpans(text), 'folds'));
  return [...sentences, ...own, ...english, ...folds];
}

/** Weights of the kinds of text. */
const WEIGHTS: Readonly<Record<string, number>> = { sentences: 1, languages: 0.7, English: 1, folds: 0.4 };
const [PASSES, RATE, SHRINKAGE] = [60, 0.05, 1e-4];
const PER_UNIT = 1_000;

/** Fits a logistic regression. */
function fitted(finds: readonly Judged[]): readonly number[] {
  const weights = new Float64Array(MEASURE_COUNT);
  const random = seededRandom(5);
  const order = [...finds];
  const values = new Float64Array(MEASURE_COUNT);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = random.below(last + 1);
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
    const rate = RATE / (1 + pass / 4);
    for (const { signs, margin, isRight, group } of order) {
      measuresOf(signs, margin, values);
      const sum = weights.reduce((total, weight, at) => total + weight * values[at]!, 0);
      const step = rate * WEIGHTS[group]! * ((isRight ? 1 : 0) - 1 / (1 + Math.exp(-sum)));
      weights.forEach((weight, at) => {
        weights[at] = weight + step * values[at]! - rate * SHRINKAGE * weight;
      });
    }
  }
  return [...weights].map((weight) => Math.round(weight * PER_UNIT));
}

/** The weight of each sign in a match's confidence. */
export function signsFile(data: DataFolder, model: NameModel, held: readonly WithFinds[]): TrainedFile {
  const finds = allJudged(data, model, held);
  const of = (type: string): readonly number[] => fitted(finds.filter((find) => find.type === type));
  return {
    file: 'core/detect/find/models/names-signs.json',
    content: `${JSON.stringify({ PERSON: of('PERSON'), ADDRESS: of('ADDRESS') })}\n`,
  };
}
