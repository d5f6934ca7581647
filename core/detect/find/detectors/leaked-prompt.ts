import type { SourceText } from '../../read/texts.ts';
import type { ExchangeDetector, Located } from '../detector.ts';
import { ENOUGH_WORDS, forEachShingle, mayShare, type Word, wordsIn } from '../shingles.ts';

interface Shared {
  /** Word indexes, inclusive. */
  readonly inPrompt: readonly [number, number];
  readonly inResponse: readonly [number, number];
}

function sharedPassages(prompt: readonly Word[], response: readonly Word[]): Shared[] {
  const known = new Map<number, number>();
  forEachShingle(prompt, (hash, first) => {
    if (!known.has(hash)) known.set(hash, first);
  });
  const shared: Shared[] = [];
  let done = 0;
  forEachShingle(response, (hash, first) => {
    if (first < done) return;
    const from = known.get(hash);
    if (from === undefined) return;
    let length = 0;
    while (
      from + length < prompt.length &&
      first + length < response.length &&
      prompt[from + length]!.hash === response[first + length]!.hash
    )
      length++;
    if (length < ENOUGH_WORDS) return;
    shared.push({ inPrompt: [from, from + length - 1], inResponse: [first, first + length - 1] });
    done = first + length;
  });
  return shared;
}

/** Phrases that only instructions for a model contain. */
const SECRECY =
  /\b(?:(?:do not|don't|never|must not|under no circumstances)\b.{0,40}?\b(?:reveal|disclose|share|mention|repeat|discuss|expose)\b.{0,40}?\b(?:prompt|instructions?|rules?|guidelines?|polic(?:y|ies)|internal|confidential|system|configuration|discount|secret|keys?|codes?)|system prompt|confidential instructions?|these instructions|knowledge cutoff)/gis;
/** Phrases of instructions that also occur in other texts. */
const ORDERS = [
  /\byou are (?:an?|the|\p{Lu}\p{L}{1,20},|now)\b/iu,
  /\byou (?:must|should|will|may|can|are (?:not )?allowed)\b/i,
  /\b(?:always|never|only|do not|don't) (?:respond|answer|reply|use|say|ask|give|provide|mention|offer|reveal|discuss|share|include|refer|be|make|tell|output|promise)\b/i,
  /\b(?:an?|the) (?:ai|helpful|virtual|digital|customer (?:service|support)|support)?\s?(?:assistant|chatbot|agent|bot)\b/i,
  /\b(?:if|when|unless) (?:the|a) (?:user|customer|caller|client)\b|\bthe user'?s?\b/i,
  /\byour (?:role|task|job|goal|name|purpose|responses?|answers?)\b/i,
  /\b(?:rules|guidelines|instructions|constraints|policy)\s{0,2}:/i,
];

/** Before the passage: a task whose answer must repeat the text. */
const TO_WORK_ON =
  /\b(?:rewrite|rephrase|paraphrase|translate|summari[sz]e|proofread|edit|correct|fix|improve|shorten|polish|format|review|analy[sz]e|explain|extend|complete|continue|convert|copy ?edit|quote|repeat|classify|grade|evaluate|critique|following (?:text|prompt|paragraph|passage|code|story|sentence|instructions)|this (?:text|prompt|paragraph|passage|code|essay|draft|story|sentence)|text|draft|paragraph|write|create|generate|draft)\b[^\n]{0,80}[:\n]\s{0,4}["'`]{0,3}\s{0,4}$/i;
/** After a passage that is not an instruction: the user's own text, with the task below it. */
const WORK_ON_ABOVE =
  /\b(?:rewrite|rephrase|paraphrase|proofread|edit|correct|fix|improve|shorten|polish|translate|summari[sz]e)\b[^\n]{0,24}\b(?:my|this|the) (?:text|draft|essay|paragraph|letter|email|e-mail|code|story|policy|document)\b/i;

const MAX_READ = 4_000;
const NEAR = 160;

/** How much a passage of the prompt reads like instructions for a model, from 0 to 1. */
function instructionConfidence(prompt: string, start: number, end: number): number {
  const passage = prompt.slice(start, Math.min(end, start + MAX_READ));
  const weak = ORDERS.filter((pattern) => pattern.test(passage)).length;
  const secret = (passage.match(SECRECY)?.length ?? 0) > 0;
  if (!secret && weak < 2) return 0;
  if (TO_WORK_ON.test(prompt.slice(Math.max(0, start - NEAR), start))) return 0;
  if (WORK_ON_ABOVE.test(prompt.slice(end, end + NEAR))) return 0;
  return secret ? 0.85 : weak >= 3 ? 0.7 : 0.55;
}

/** Whether the prompt may contain instructions; a quick check that skips most exchanges. */
function readsLikeInstructions(prompt: string): boolean {
  return ORDERS.filter((pattern) => pattern.test(prompt)).length >= 2 || prompt.search(SECRECY) !== -1;
}

function leakedFrom(prompt: SourceText, response: SourceText): Located[] {
  if (!mayShare(prompt.text, response.text) || !readsLikeInstructions(prompt.text)) return [];
  const promptWords = wordsIn(prompt.text);
  if (promptWords.length < ENOUGH_WORDS) return [];
  const responseWords = wordsIn(response.text);
  const shared = sharedPassages(promptWords, responseWords);
  const matches: Located[] = [];
  for (const { inPrompt, inResponse } of shared) {
    const confidence = instructionConfidence(
      prompt.text,
      promptWords[inPrompt[0]]!.start,
      promptWords[inPrompt[1]]!.end,
    );
    if (confidence === 0) continue;
    const [start, end] = [responseWords[inResponse[0]]!.start, responseWords[inResponse[1]]!.end];
    matches.push({
      code: 'SYSTEM_PROMPT_EXTRACTION',
      entity: null,
      source: 'response',
      start,
      end,
      confidence,
    });
  }
  return matches;
}

/**
 * Responses that repeat a long passage of the prompt's instructions verbatim. Passages are found by rolling hashes of
 * eight words, in time linear in both lengths. A passage counts if it reads like orders to a model and the prompt did
 * not ask to process that text.
 */
export const leakedPrompt: ExchangeDetector = {
  name: 'leaked-prompt',
  version: 1,
  compare: (texts) => {
    const response = texts.find(({ source }) => source === 'response');
    if (response === undefined) return [];
    const matches: Located[] = [];
    for (const text of texts) {
      if (text.source !== 'prompt' && text.source !== 'systemPrompt') continue;
      for (const match of leakedFrom(text, response)) matches.push(match);
    }
    return matches;
  },
};
