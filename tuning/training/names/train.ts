import { decodeLexicon, type Lexicon } from '#core/detect/judge/names/lexicon.ts';
import { encodeModel, type NameModel } from '#core/detect/judge/names/model.ts';
import type { DataFolder } from '../../evaluation/data-folder.ts';
import { seededRandom } from '../../evaluation/random.ts';
import { addScores, compareSpans, type LabelledSpan, type Score } from '../../evaluation/spans.ts';
import { mergedInto, wholeAddresses } from '../../evaluation/whole-addresses.ts';
import type { TrainedFile } from '../trained-file.ts';
import { benignTexts, type GroupedText, labelledTexts, talkativeTexts } from './corpus.ts';
import { documentTexts } from './documents.ts';
import { type Run, runsOf } from './examples.ts';
import { asLabelled, describeScore, expectedSpans, FOLDS, foldsOf, scoreOf, spansFound } from './folds.ts';
import { buildLexicon } from './lexicon.ts';
import { readNameLists } from './lists.ts';
import {
  type LearningOptions,
  learn,
  meanOf,
  type Quantised,
  quantised,
  usable,
  withoutRareFeatures,
} from './perceptron.ts';
import { madeUpTexts } from './sentences.ts';
import { substitutedTexts } from './substituted.ts';
import { treebankTexts } from './treebanks.ts';

interface TrainedNames extends TrainedFile {
  readonly report: string;
  /** The matches of the cross-validation's models: places only, for the evaluation. */
  readonly heldOut: TrainedFile;
}

const SEED = 20_260_101;
const OPTIONS: LearningOptions = { epochs: 5, margin: 6, missedMargin: 5, leftOut: 26 };
/** Number of different orders in which the texts are trained on. */
const ORDERS = 2;
/** How often each layout is filled in. */
const TIMES = 20;
/** Share of the sentences with names in place of pronouns that are used, in percent. */
const SUBSTITUTED = 50;
/** Share of the made-up texts in which the lexicon does not know the names, in percent. */
const FORGOTTEN = 12;

/** Trained on in every fold: made-up texts and ordinary prompts. */
function ownRuns(data: DataFolder, lexicon: Lexicon): readonly Run[] {
  const random = seededRandom(SEED);
  const lists = readNameLists();
  const forget = (): boolean => random.below(100) < FORGOTTEN;
  const madeUp = madeUpTexts(random, lists, TIMES);
  const substituted = substitutedTexts(talkativeTexts(data), random, lists).filter(
    () => random.below(100) < SUBSTITUTED,
  );
  return [
    ...[...madeUp, ...substituted].flatMap((one) => runsOf(one, lexicon, forget())),
    ...[...benignTexts(data), ...documentTexts(data), ...treebankTexts(data)].flatMap((one) =>
      runsOf(one, lexicon, false),
    ),
  ];
}

function trained(runs: readonly Run[], seed: number): Quantised {
  const kept = withoutRareFeatures(runs);
  const orders = Array.from({ length: ORDERS }, (_none, order) => seededRandom(seed + 100 * order));
  return quantised(meanOf(orders.map((random) => learn(kept, random, OPTIONS))));
}

/** Labelled sentences count twice: they are few beside what is made up and what holds no names. */
const often = (runs: readonly Run[]): readonly Run[] => [...runs, ...runs];

/** A labelled text with the matches of a model that never saw its wording. */
interface HeldOut {
  readonly text: GroupedText;
  /** Its index in `pii/synth-v2`. */
  readonly index: number;
  readonly found: readonly (LabelledSpan & { readonly margin: number })[];
}

/** Everything that one training needs, read and tokenised once. */
interface Material {
  readonly lexiconBytes: Uint8Array;
  readonly lexicon: Lexicon;
  readonly own: readonly Run[];
  readonly labelled: readonly GroupedText[];
  readonly runsByText: readonly (readonly Run[])[];
}

function gather(data: DataFolder): Material {
  const lexiconBytes = buildLexicon(readNameLists(), data);
  const lexicon = decodeLexicon(lexiconBytes);
  const labelled = labelledTexts(data);
  return {
    lexiconBytes,
    lexicon,
    own: ownRuns(data, lexicon),
    labelled,
    runsByText: labelled.map((one) => runsOf(one, lexicon, false)),
  };
}

/** What the model of one fold finds in the texts that it did not see. */
function heldOutOf({ lexicon, own, labelled, runsByText }: Material, fold: number): readonly HeldOut[] {
  const folds = foldsOf(labelled);
  const isHeldOut = ({ group }: GroupedText): boolean => folds.get(group) === fold;
  const runs = labelled.flatMap((one, index) => (isHeldOut(one) ? [] : runsByText[index]!));
  const model: NameModel = {
    lexicon,
    weights: usable(trained([...own, ...often(runs)], SEED + 1 + fold)),
  };
  return labelled.flatMap((text, index) =>
    text.file === 'synth-v2' && isHeldOut(text)
      ? [{ text, index, found: asLabelled(spansFound(text.text, model)) }]
      : [],
  );
}

/** A whole address counts once, however many labels and matches it has. */
function wholeAddressScore(texts: readonly HeldOut[]): Score {
  return addScores(
    texts.map(({ text, found }) => {
      const wholes = wholeAddresses(text.original);
      return compareSpans(wholes, mergedInto(wholes, found), 'ADDRESS');
    }),
  );
}

const labelScore = (texts: readonly HeldOut[], type: 'PERSON' | 'ADDRESS'): Score =>
  scoreOf(
    texts.map(({ text, found }) => [expectedSpans(text), found] as const),
    type,
  );

function describe(name: string, texts: readonly HeldOut[]): string {
  return [
    `${name} (${texts.length} texts)`,
    `  PERSON ${describeScore(labelScore(texts, 'PERSON'))}`,
    `  ADDRESS, parts as labelled ${describeScore(labelScore(texts, 'ADDRESS'))}`,
    `  ADDRESS, whole addresses ${describeScore(wholeAddressScore(texts))}`,
  ].join('\n');
}

/** Texts per line of the file. */
const PER_LINE = 8;

function heldOutFile(texts: readonly HeldOut[]): TrainedFile {
  const lines = texts
    .filter(({ found }) => found.length > 0)
    .sort((a, b) => a.index - b.index)
    .map(({ index, found }) => {
      const finds = found.map(
        ({ type, start, end, margin }) => `['${type.slice(0, 1)}',${start},${end},${Math.round(margin)}]`,
      );
      return `${index}:[${finds.join(',')}],`;
    });
  return {
    file: 'tuning/evaluation/names-held-out.ts',
    content: [
      '/** Finds in texts of pii/synth-v2, by their place there, of models that never saw their wording. By `npm run train:detect`. */',
      'type Find = readonly [kind: string, start: number, end: number, margin: number];',
      'export const NAMES_HELD_OUT: Readonly<Record<number, readonly Find[]>> = {',
      ...Array.from({ length: Math.ceil(lines.length / PER_LINE) }, (_none, row) =>
        lines.slice(row * PER_LINE, (row + 1) * PER_LINE).join(''),
      ),
      '};',
      '',
    ].join('\n'),
  };
}

/** Trains on everything; the report has the figures of the cross-validation. */
export function trainNames(data: DataFolder): TrainedNames {
  const material = gather(data);
  const byFold = Array.from({ length: FOLDS }, (_none, fold) => heldOutOf(material, fold));
  const all = byFold.flat();
  const { rows, transitions } = trained([...material.own, ...often(material.runsByText.flat())], SEED);
  const model = encodeModel(transitions, rows, material.lexiconBytes);
  return {
    file: 'core/detect/judge/models/names.ts',
    content: [
      '/** Learned by `npm run train:detect`; not to be changed by hand. */',
      `export const NAMES_MODEL =\n  '${model}';`,
      '',
    ].join('\n'),
    heldOut: heldOutFile(all),
    report: [
      describe('names and addresses, held-out wordings of pii/synth-v2', all),
      ...byFold.map((texts, fold) => describe(`fold ${fold + 1}`, texts)),
      `model ${model.length} characters`,
    ].join('\n'),
  };
}
