import { decodeFrequentWords } from '#core/detect/find/names/guides/languages.ts';
import { type EncodedGuides, encodeModel, type NameModel } from '#core/detect/find/names/model.ts';
import { decodeLexicon } from '#core/detect/find/names/words/lexicon.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import { seededRandom } from '../../samples/random.ts';
import { addScores, compareSpans, type Score } from '../../samples/spans.ts';
import type { TrainedFile } from '../../samples/trained-file.ts';
import { mergedInto, wholeAddresses } from '../../samples/whole-addresses.ts';
import { benignTexts, type GroupedText, labelledTexts, talkativeTexts } from './corpus.ts';
import { documentTexts } from './documents.ts';
import { type Readers, type Run, runsOf } from './examples.ts';
import { asLabelled, describeScore, expectedSpans, FOLDS, foldsOf, scoreOf, spansFound } from './folds.ts';
import { frequentWords, letterWeights } from './guides.ts';
import { eastAsianWeights } from './languages/east-asia.ts';
import { textsInLanguages } from './languages/in-languages.ts';
import { readNameLists } from './languages/lists.ts';
import { treebankTexts } from './languages/treebanks.ts';
import { buildLexicon } from './lexicon.ts';
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
import { signsFile } from './signs.ts';
import { substitutedTexts } from './substituted.ts';

interface TrainedNames extends TrainedFile {
  readonly report: string;
  /** The weight of each sign of a match, measured on held-out texts. */
  readonly signs: TrainedFile;
  /** The matches of the cross-validation's models, only their spans, for the evaluation. */
  readonly heldOut: TrainedFile;
}

const SEED = 20_260_101;
const OPTIONS: LearningOptions = { epochs: 5, margin: 6, missedMargin: 5, leftOut: 26 };
/** Number of different text orders to train on. */
const ORDERS = 2;
/** How often each layout is filled in. */
const TIMES = 24;
/** How often each layout of a language is filled in. */
const TIMES_PER_LANGUAGE = 30;
/** Percentage of sentences with names instead of pronouns that are used. */
const SUBSTITUTED = 50;
/** Percentage of made-up texts in which the lexicon does not know the names. */
const FORGOTTEN = 14;

/** Runs trained on in every fold: made-up texts and ordinary prompts. */
function ownRuns(data: DataFolder, readers: Readers): readonly Run[] {
  const random = seededRandom(SEED);
  const lists = readNameLists(data);
  const forget = (): boolean => random.below(100) < FORGOTTEN;
  const madeUp = madeUpTexts(random, lists, TIMES);
  const substituted = substitutedTexts(talkativeTexts(data), random, lists).filter(
    () => random.below(100) < SUBSTITUTED,
  );
  const inLanguages = textsInLanguages(data, random, TIMES_PER_LANGUAGE);
  return [
    ...[...madeUp, ...substituted, ...inLanguages].flatMap((one) => runsOf(one, readers, forget())),
    ...[...benignTexts(data), ...documentTexts(data), ...treebankTexts(data, random, lists.places)].flatMap(
      (one) => runsOf(one, readers, false),
    ),
  ];
}

function trained(runs: readonly Run[], seed: number, number = ORDERS): Quantised {
  const kept = withoutRareFeatures(runs);
  const orders = Array.from({ length: number }, (_none, order) => seededRandom(seed + 100 * order));
  return quantised(meanOf(orders.map((random) => learn(kept, random, OPTIONS))));
}

/** Labelled sentences count twice: they are few compared with made-up texts and texts without names. */
const often = (runs: readonly Run[]): readonly Run[] => [...runs, ...runs];

/** A labelled text with the matches of a model that never saw its wording. */
interface HeldOut {
  readonly text: GroupedText;
  /** Its index in `pii/synth-v2`. */
  readonly index: number;
  readonly found: ReturnType<typeof asLabelled>;
}

/** Everything one training run needs, read and tokenised once. */
interface Material {
  readonly guides: EncodedGuides;
  readonly readers: Readers;
  readonly own: readonly Run[];
  readonly labelled: readonly GroupedText[];
  readonly runsByText: readonly (readonly Run[])[];
}

function gather(data: DataFolder): Material {
  const lists = readNameLists(data);
  const guides: EncodedGuides = {
    lexicon: buildLexicon(lists, data),
    languages: frequentWords(data),
    letters: letterWeights(data, lists),
    eastAsian: eastAsianWeights(data),
  };
  const readers: Readers = {
    lexicon: decodeLexicon(guides.lexicon),
    languages: decodeFrequentWords(guides.languages),
    letters: guides.letters,
    eastAsian: guides.eastAsian,
  };
  const labelled = labelledTexts(data);
  return {
    guides,
    readers,
    own: ownRuns(data, readers),
    labelled,
    runsByText: labelled.map((one) => runsOf(one, readers, false)),
  };
}

/** Matches of one fold's model in the texts that it did not see. */
function heldOutOf({ readers, own, labelled, runsByText }: Material, fold: number): readonly HeldOut[] {
  const folds = foldsOf(labelled);
  const isHeldOut = ({ group }: GroupedText): boolean => folds.get(group) === fold;
  const runs = labelled.flatMap((one, index) => (isHeldOut(one) ? [] : runsByText[index]!));
  const model: NameModel = {
    ...readers,
    weights: usable(trained([...own, ...often(runs)], SEED + 1 + fold, 1)),
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

/** Matches in texts of pii/synth-v2, by index there, from models that never saw their wording; one text per line. */
function heldOutFile(texts: readonly HeldOut[]): TrainedFile {
  const lines = texts
    .filter(({ found }) => found.length > 0)
    .sort((a, b) => a.index - b.index)
    .map(({ index, found }) => {
      const finds = found.map(({ type, start, end, margin, signs }) => [
        type.slice(0, 1),
        start,
        end,
        margin,
        signs,
      ]);
      return `"${index}":${JSON.stringify(finds)}`;
    });
  return {
    file: 'tuning/evaluation/names-held-out.json',
    content: `{\n${lines.join(',\n')}\n}\n`,
  };
}

/**
 * Trains on everything; the report contains the cross-validation figures. A draft uses one order and has no figures.
 */
export function trainNames(data: DataFolder, isDraft: boolean): TrainedNames {
  const material = gather(data);
  const byFold = Array.from({ length: isDraft ? 0 : FOLDS }, (_none, fold) => heldOutOf(material, fold));
  const all = byFold.flat();
  const { rows, transitions } = trained(
    [...material.own, ...often(material.runsByText.flat())],
    SEED,
    isDraft ? 1 : ORDERS,
  );
  const model = encodeModel(transitions, rows, material.guides);
  return {
    file: 'core/detect/find/models/names.json',
    content: `${JSON.stringify({ model })}\n`,
    signs: signsFile(data, { ...material.readers, weights: usable({ rows, transitions }) }, all),
    heldOut: heldOutFile(all),
    report: [
      describe('names and addresses, held-out wordings of pii/synth-v2', all),
      ...byFold.map((texts, fold) => describe(`fold ${fold + 1}`, texts)),
      `model ${model.length} characters`,
    ].join('\n'),
  };
}
