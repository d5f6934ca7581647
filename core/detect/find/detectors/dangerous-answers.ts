import type { ExchangeDetector, Located } from '../detector.ts';
import { asksForDanger } from './dangerous-requests.ts';
import { asksForHarm } from './text-model.ts';

/** Maximum code units of a response that are scanned. */
const REACH = 16_000;
const SHORTEST = 80;

const REFUSAL =
  /\b(?:i(?:'m| am) (?:sorry|afraid|unable|not able|not going to|not comfortable)|i (?:can(?:no|')t|can not|won't|will not|must decline|refuse|do not|don't) (?:\p{L}{2,12} ){0,3}(?:help|assist|provide|support|give|create|write|share|comply|fulfil\p{L}{0,3}|engage|offer|do|explain|answer|generate|promote|condone|participate|discuss|recommend|encourage)|(?:cannot|can't|unable to) (?:assist|help|provide|fulfil|comply)|as an ai(?: language model)?,? i (?:cannot|can't|am not|do not)|it(?:'s| is) (?:illegal|not appropriate|unethical|dangerous and illegal)|against (?:my|the) (?:guidelines|policy|policies|programming)|not something i can)/iu;
const REFUSAL_WITHIN = 400;

/** Whether an answer is a refusal. */
export const isRefusal = (response: string): boolean => REFUSAL.test(response.slice(0, REFUSAL_WITHIN));

const STEP = /(?:^|\n)[ \t]{0,8}(?:\*\*)?(?:step \d{1,2}|\d{1,2}[.):]|[-*•])\s?\S/gi;
const SEQUENCE =
  /\b(?:first(?:ly)?|second(?:ly)?|then|next|after that|afterwards|finally|once (?:you|the|it)|now)\b,?/gi;
const QUANTITY =
  /\b\d{1,4}(?:[.,]\d{1,2})? ?(?:g|kg|mg|ml|l|grams?|kilograms?|milligrams?|millilit(?:er|re)s?|lit(?:er|re)s?|oz|ounces?|cups?|tablespoons?|teaspoons?|tbsp|tsp|minutes?|hours?|degrees?|°[cf]|parts?|percent|%|inch(?:es)?|cm|mm|volts?)(?![\p{L}])/giu;
const ORDER =
  /(?:^|[\n.:;]\s{0,3}|\d[.)]\s{1,2}|\*\*\s?|then |and |, )(?:mix|add|heat|combine|pour|stir|attach|connect|fill|drill|cut|insert|wire|place|put|seal|pack|wrap|buy|get|obtain|gather|download|install|run|open|send|copy|compile|encrypt|inject|dissolve|filter|distill|evaporate|cook|boil|grind|crush|load|aim|set|use|take|remove|wait|collect|create|write|make|build|purchase|acquire|scan|exploit|enter|upload|break|pick|find|choose|wear|approach|grab|hide|ensure|light|ignite|solder|tape|screw|assemble|monitor|target)\b/gi;

/** A digit and the first character of a unit, in the case-insensitive form of `QUANTITY`, as a cheap first check. */
const MAY_BE_QUANTITY = /\d ?[a-z°%\u017f\u212a]/gi;

const CODE = /```[^`]{40}|^(?:import|def|function|#include|using) /m;
/** Every match of `CODE` contains one of these. */
const MAY_BE_CODE = ['```', 'import ', 'def ', 'function ', '#include ', 'using '];

/** Counts matches, up to `most`. */
function countUpTo(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (count < most && pattern.test(text)) count++;
  return count;
}

/** All steps except the first start after a line break. */
function hasSteps(text: string): boolean {
  const line = text.indexOf('\n');
  return line !== -1 && text.includes('\n', line + 1) && countUpTo(text, STEP, 3) === 3;
}

const hasQuantities = (text: string): boolean =>
  countUpTo(text, MAY_BE_QUANTITY, 2) === 2 && countUpTo(text, QUANTITY, 2) === 2;

const hasCode = (text: string): boolean => MAY_BE_CODE.some((sign) => text.includes(sign)) && CODE.test(text);

/**
 * Two of these make a procedure: three steps, three sequence words, two amounts, three imperatives, a block of code. In
 * a short text, one is enough if there are also three steps or two imperatives. The expensive checks run last, and only
 * if they can decide.
 */
function readsLikeAProcedure(text: string): boolean {
  const isShort = text.length < 600;
  const steps = hasSteps(text);
  const cheap = [steps, hasQuantities(text), hasCode(text)].filter(Boolean).length;
  if (cheap >= 2 || (steps && isShort)) return true;
  const orders = countUpTo(text, ORDER, 3);
  if (orders < 2 && cheap === 0) return false;
  const signs = cheap + (orders === 3 ? 1 : 0);
  if (signs >= 2 || (signs === 1 && isShort && orders >= 2)) return true;
  return (signs === 1 || isShort) && countUpTo(text, SEQUENCE, 3) === 3;
}

interface DangerJudges {
  /** Whether a prompt asks for something dangerous. */
  readonly asked: (prompt: string) => boolean;
  /** Whether an answer itself names a dangerous topic. */
  readonly named: (opening: string) => boolean;
}

export function createDangerousAnswers(judges: DangerJudges): ExchangeDetector {
  return {
    name: 'dangerous-answers',
    version: 1,
    compare: (texts) => {
      const answer = texts.find(({ source }) => source === 'response');
      if (answer === undefined || answer.text.length < SHORTEST) return [];
      const text = answer.text.slice(0, REACH);
      if (!readsLikeAProcedure(text) || isRefusal(text)) return [];
      const prompt = texts.find(({ source }) => source === 'prompt');
      const asked = prompt !== undefined && judges.asked(prompt.text);
      // Without a dangerous request, the first sentences of the answer must announce its topic: "Here is how to make
      // ...".
      const named = asked || judges.named(text.slice(0, 600));
      if (!named) return [];
      const match: Located = {
        code: 'DANGEROUS_INSTRUCTIONS',
        entity: null,
        source: 'response',
        start: 0,
        end: text.length,
        confidence: asked ? 0.82 : 0.7,
      };
      return [match];
    },
  };
}

/** Responses that fulfil a dangerous request: structured like a procedure, and not a refusal. */
export const dangerousAnswers: ExchangeDetector = createDangerousAnswers({
  asked: (text) => asksForDanger(text) || asksForHarm(text),
  named: asksForDanger,
});
