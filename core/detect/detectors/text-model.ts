import type { ViolationCode } from '../../../schemas/vocabulary.ts';
import type { Candidate, WholeDetector } from '../detector.ts';
import { TEXT_MODEL } from '../models/text-model.ts';
import { finish } from '../steps.ts';
import { unnamedGroupPenalty } from '../text-model/group-words.ts';
import {
  type Head,
  type Judged,
  openTextModel,
  type Subject,
  type Verdict,
} from '../text-model/text-model.ts';
import type { TextSource } from '../texts.ts';

const model = openTextModel(TEXT_MODEL);

/** The model learnt from what people ask: a response is not a request, and a bot's own brief is not an attack on it. */
const SOURCES: Partial<Record<Subject, readonly TextSource[]>> = {
  INJECTION: ['prompt', 'userInput'],
  DANGEROUS: ['prompt', 'userInput'],
  HATE: ['prompt', 'userInput', 'response', 'thinkingBlock'],
};
const ASKED = ['INJECTION', 'DANGEROUS', 'HATE'] as const;

/** A hint begins at 0.4, a find at 0.5; no text feature is sure enough for more than 0.95. */
const [HINT, FIND, MOST] = [0.4, 0.5, 0.95];
/** Score above `findFrom` at which two thirds of the way to the most is gone. */
const SURE = 2;

function confidenceOf(score: number, { hintFrom, findFrom }: Head): number {
  if (score < findFrom) return HINT + ((FIND - HINT) * (score - hintFrom)) / (findFrom - hintFrom) - 0.001;
  return FIND + (MOST - FIND) * (1 - 2 ** (-(score - findFrom) / SURE));
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Units of a request that are asked about. */
const REACH = 16_000;

/** Whether a text asks for help with serious harm. */
export function asksForHarm(text: string): boolean {
  const { findFrom } = model.headOf('DANGEROUS');
  const { verdicts } = finish(model.judgeInSteps(text.slice(0, REACH), ['DANGEROUS']));
  return verdicts.get('DANGEROUS')!.some(({ score }) => score >= findFrom);
}

/** Which kind of attack a window is. */
function codeOf(subject: Subject, judged: Judged, window: Verdict): ViolationCode {
  if (subject === 'DANGEROUS') return 'DANGEROUS_INSTRUCTIONS';
  if (subject === 'HATE') return 'HATE_SPEECH';
  const role = judged.scoreOf('JAILBREAK', window);
  const extraction = judged.scoreOf('EXTRACTION', window);
  if (role > 0 && role >= extraction) return 'JAILBREAK_ATTEMPT';
  return extraction > 0 ? 'SYSTEM_PROMPT_EXTRACTION' : 'PROMPT_INJECTION';
}

/** Units of windows that are looked at again between two yields, and what one counts for at least. */
const [STRETCH, LEAST] = [8_192, 64];

/**
 * What a trained linear model says about the words of a text: attacks on a model, requests for help with serious harm,
 * hatred of groups. The find marks the stretch that gave the verdict. docs/detection.md tells what it was trained with
 * and how often it errs.
 */
export const textModel: WholeDetector = {
  name: 'text-model',
  version: TEXT_MODEL.version,
  *searchInSteps(text, source) {
    const subjects = ASKED.filter((subject) => SOURCES[subject]?.includes(source));
    if (subjects.length === 0) return [];
    const judged = yield* model.judgeInSteps(text, subjects);
    const found: Candidate[] = [];
    let looked = 0;
    for (const subject of subjects) {
      const head = model.headOf(subject);
      for (const verdict of judged.verdicts.get(subject)!) {
        const [start, end] = [judged.startOf(verdict), judged.endOf(verdict)];
        looked += end - start + LEAST;
        if (looked > STRETCH) {
          looked = 0;
          yield;
        }
        const penalty = subject === 'HATE' ? unnamedGroupPenalty(text.slice(start, end)) : 0;
        const score = verdict.score - penalty;
        if (score < head.hintFrom) continue;
        const confidence = round(confidenceOf(score, head));
        found.push({ code: codeOf(subject, judged, verdict), entity: null, start, end, confidence });
      }
    }
    return found;
  },
};
