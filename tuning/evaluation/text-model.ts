import { detect } from '#core/detect/detect.ts';
import { TEXT_MODEL } from '#core/detect/judge/models/text-model.ts';
import { unnamedGroupPenalty } from '#core/detect/judge/text-model/group-words.ts';
import { openTextModel, SUBJECTS, type Subject } from '#core/detect/judge/text-model/text-model.ts';
import { normalise } from '#core/detect/read/normalise/normalise.ts';
import type { ViolationCode } from '#schemas/vocabulary.ts';
import { VIOLATION_GROUPS } from '#schemas/vocabulary.ts';
import { type CorpusText, readCorpus } from '../training/text-model/corpus.ts';
import { bestWindow } from '../training/text-model/logistic.ts';
import { textsOn, trainOn } from '../training/text-model/train.ts';
import type { EvaluatedItem, EvaluationPart } from './items.ts';
import { SAFE, UNSAFE } from './sets/blind/blind-dangerous.ts';
import { HATEFUL, NOT_HATEFUL } from './sets/blind/blind-hate.ts';
import { ATTACKS, HARMLESS } from './sets/blind/blind-injections.ts';

const ATTACK_CODES: readonly ViolationCode[] = VIOLATION_GROUPS.PROMPT_INJECTION;
const ALLOWED_FALSE = 0.01;

const codesIn = (text: string): ViolationCode[] =>
  detect([{ source: 'prompt', text }]).map(({ code }) => code);
const flags = (text: string, codes: readonly ViolationCode[]): boolean =>
  codesIn(text).some((code) => codes.includes(code));
const share = (texts: readonly string[], codes: readonly ViolationCode[]): number =>
  texts.filter((text) => flags(text, codes)).length / texts.length;

/** The rules alone: matches of anything but the model. */
const byRules = (text: string, codes: readonly ViolationCode[]): boolean =>
  detect([{ source: 'prompt', text }]).some(
    ({ code, detector }) => codes.includes(code) && detector !== 'text-model',
  );

interface LeftOut {
  readonly subject: Subject;
  readonly codes: readonly ViolationCode[];
}

/**
 * Recall on a family of texts that was held out of training, rules and model together, at a threshold that flags one in
 * a hundred benign texts, held out as well.
 */
function recallOn(corpus: readonly CorpusText[], family: string, { subject, codes }: LeftOut) {
  const texts = textsOn(corpus, subject);
  const heldOut = texts.filter((text, index) => text.family.startsWith('benign/') && index % 2 === 1);
  const asked = texts.filter((text) => text.family === family);
  const unseen = new Set([...heldOut, ...asked]);
  const weights = trainOn(
    texts.filter((text) => !unseen.has(text)),
    subject,
  );
  const scoreOf = ({ text, features }: CorpusText): number =>
    byRules(text, codes) ? Number.POSITIVE_INFINITY : (bestWindow(features, weights)?.score ?? 0);
  const scores = heldOut.map(scoreOf).sort((a, b) => b - a);
  const from = scores[Math.floor(scores.length * ALLOWED_FALSE)]!;
  const found = asked.filter((text) => scoreOf(text) > from).length;
  return { recall: found / asked.length, cases: asked.length, benign: heldOut.length };
}

const INJECTION_FAMILIES = [
  'in-the-wild-jailbreak',
  'jailbreak-template',
  'giskard-jailbreak',
  'giskard-hijacking attacks',
  'piguard-valid',
];

function familiesLeftOut(
  corpus: readonly CorpusText[],
  families: readonly string[],
  asked: LeftOut,
  [item, first, goal]: readonly [string, number | null, number | null],
): EvaluatedItem[] {
  const results = families.map((family) => ({ family, ...recallOn(corpus, family, asked) }));
  const each = results.map(({ family, recall, cases, benign }): EvaluatedItem => {
    const how = `${cases} texts, family left out, 1 % of ${benign} held-out benign texts flagged`;
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
  const harms = [...new Set(corpus.map(({ family }) => family))].filter(
    (family) => family.startsWith('dangerous/') && !/Political|Tailored|Adult/.test(family),
  );
  return [
    ...familiesLeftOut(corpus, INJECTION_FAMILIES, { subject: 'INJECTION', codes: ATTACK_CODES }, [
      'injection at 1 % false positives',
      0.8,
      0.92,
    ]),
    ...familiesLeftOut(corpus, harms, { subject: 'DANGEROUS', codes: ['DANGEROUS_INSTRUCTIONS'] }, [
      'dangerous requests at 1 % false positives',
      null,
      null,
    ]),
    ...onBlindSets(),
  ];
};
