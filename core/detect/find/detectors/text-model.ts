import type { ViolationCode } from '#schemas/vocabulary.ts';
import type { TextSource } from '../../read/texts.ts';
import type { Candidate, WholeDetector } from '../detector.ts';
import { unnamedGroupPenalty } from '../text-model/group-words.ts';
import {
  type Limits,
  openTextModel,
  SUBJECTS,
  type Subject,
  type TextReader,
  type WindowScores,
} from '../text-model/text-model.ts';
import { TEXT_MODEL } from '../text-model/trained.ts';
import { withoutTrace } from '../trace-lines.ts';

const model = openTextModel(TEXT_MODEL);

const ASKED = ['INJECTION', 'DANGEROUS', 'HATE'] as const;
const WRITTEN = ['HATE'] as const;

interface Reading {
  readonly subjects: readonly Subject[];
  readonly read: TextReader;
}

const asked: Reading = { subjects: ASKED, read: model.readerOf(ASKED) };
const written: Reading = { subjects: WRITTEN, read: model.readerOf(WRITTEN) };
const readInjections = model.readerOf(['INJECTION']);
const readDangers = model.readerOf(['DANGEROUS']);
/** Only used on an attack, to determine its kind. */
const readAll = model.readerOf(SUBJECTS);

/**
 * The model was trained on requests. A response is not a request, and a bot's own system prompt is not an attack on it.
 */
const READINGS: Partial<Record<TextSource, Reading>> = {
  prompt: asked,
  userInput: asked,
  response: written,
  thinkingBlock: written,
};

/** Minimum confidence of a hint and of a full match; word features never justify more than 0.95. */
const [HINT, MATCH, MAX_CONFIDENCE] = [0.4, 0.5, 0.95];
/** Score above `findFrom` at which the confidence has risen by two thirds of the way to its maximum. */
const SURE = 2;

function confidenceOf(score: number, { hintFrom, findFrom }: Limits): number {
  if (score < findFrom) return HINT + ((MATCH - HINT) * (score - hintFrom)) / (findFrom - hintFrom) - 0.001;
  return MATCH + (MAX_CONFIDENCE - MATCH) * (1 - 2 ** (-(score - findFrom) / SURE));
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Maximum code units of a request that are scored. */
const REACH = 16_000;

/** Whether a text asks for help with serious harm. */
export function asksForHarm(text: string): boolean {
  const windows = readDangers(text.slice(0, REACH));
  const { findFrom } = model.limitsOf('DANGEROUS', windows.lengthClass);
  for (let window = 0; window < windows.length; window++) {
    if (windows.score('DANGEROUS', window) >= findFrom) return true;
  }
  return false;
}

/** The kind of attack in a window. */
function attackIn(windows: WindowScores, window: number): ViolationCode {
  const role = windows.score('JAILBREAK', window);
  const extraction = windows.score('EXTRACTION', window);
  if (role > 0 && role >= extraction) return 'JAILBREAK_ATTEMPT';
  return extraction > 0 ? 'SYSTEM_PROMPT_EXTRACTION' : 'PROMPT_INJECTION';
}

/** The score of a window without its trace lines, if it is part of an agent's trace. */
function scoreOutsideTrace(window: string, score: number): number {
  const rest = withoutTrace(window);
  if (rest === null) return score;
  const windows = readInjections(rest);
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < windows.length; at++) highest = Math.max(highest, windows.score('INJECTION', at));
  return Math.min(score, highest);
}

function corrected(subject: Subject, window: string, score: number): number {
  if (subject === 'HATE') return score - unnamedGroupPenalty(window);
  return subject === 'INJECTION' ? scoreOutsideTrace(window, score) : score;
}

function addMatches(subject: Subject, text: string, windows: WindowScores, found: Candidate[]): void {
  const limits = model.limitsOf(subject, windows.lengthClass);
  let all: WindowScores | undefined;
  const codeOf = (window: number): ViolationCode => {
    if (subject === 'DANGEROUS') return 'DANGEROUS_INSTRUCTIONS';
    if (subject === 'HATE') return 'HATE_SPEECH';
    all ??= readAll(text);
    return attackIn(all, window);
  };
  for (let window = 0; window < windows.length; window++) {
    const verdict = windows.score(subject, window);
    if (verdict < limits.hintFrom) continue;
    const [start, end] = [windows.startOf(window), windows.endOf(window)];
    const score = corrected(subject, text.slice(start, end), verdict);
    if (score < limits.hintFrom) continue;
    const confidence = round(confidenceOf(score, limits));
    found.push({ code: codeOf(window), entity: null, start, end, confidence });
  }
}

/**
 * A trained linear model over the words of a text, for attacks on a model, requests for help with serious harm, and
 * hatred of groups. The match is the span that determined the verdict. docs/detection.md describes training data and
 * error rates.
 */
export const textModel: WholeDetector = {
  name: 'text-model',
  version: TEXT_MODEL.version,
  searchWhole: (text, source) => {
    const reading = READINGS[source];
    if (reading === undefined) return [];
    const windows = reading.read(text);
    const found: Candidate[] = [];
    for (const subject of reading.subjects) addMatches(subject, text, windows, found);
    return found;
  },
};
