import { MODEL_WRITTEN, type PhraseMatch } from '../phrase-rules.ts';
import { markerOf } from '../prefilter/marks.ts';

/** Code units before a command that are searched for evidence that it is run. */
const REACH = 96;

/**
 * Text before a command that is run rather than mentioned: a shell prompt that names a machine, the arguments of a tool
 * call (OpenAI, Anthropic, ReAct, XML), "I ran".
 */
const RUN =
  /(?:(?:^|\n)[ \t]{0,8}[\w.-]{1,32}@[\w.-]{1,64}:?[^\n]{0,24}[$#]\s{1,2}(?:sudo\s)?|"(?:command|cmd|code|script|query|sql|statement|bash|input|shell|arguments)\\?"\s{0,3}:\s{0,3}[^\n]{0,32}|action input:\s{0,3}[^\n]{0,32}|<(?:parameter|command|invoke|tool_call|bash|execute)[^\n>]{0,40}>\s{0,3}[^\n<]{0,24}|\b(?:i|i've|i have|we|agent|has|have|just|then)\s(?:now\s|also\s|then\s|just\s|successfully\s)?(?:ran|run|executed|issued|used|typed|called)\b[^.\n]{0,32}|\b(?:running|executing|executed|ran|calling|invoking|i'll run|i will run|going to run|let me run)\b[^.\n]{0,32})$/i;

/** A bare shell prompt: an agent that shows one has run the command, a document shows what to type. */
const SHELL_PROMPT = /(?:^|\n)[ \t]{0,8}[$#]\s{1,2}(?:sudo\s)?$/;

/** Words of a prompt that merely asks about a command. */
const spokenOf = markerOf(
  /\b(?:what (?:is|does|do|happens|would)|how (?:do|does|can|to)|explain|meaning|difference|why|undo|recover|danger\w{0,3}|safe\w{0,3}|never|avoid|example|syntax|documentation|should i)\b/i,
);

/** Fractions of a command's weight: in an answer, and in a submitted text. */
const [IN_ANSWER, IN_REQUEST, WHOLE_IN_REQUEST] = [0.7, 0.52, 0.65];
/** Commands of at least this weight destroy a whole system. */
const DESTROYS_ALL = 0.9;

/**
 * Confidence for a command of weight `base` (0 to 1): highest if an agent runs it, lower in an answer. In a document or
 * an instruction it is a hint, unless it destroys a whole system, and so it is where a sentence only asks about it.
 */
export function commandConfidence(base: number): (phrase: PhraseMatch) => number {
  return ({ text, start, end, source, sentences }) => {
    const before = text.slice(Math.max(0, start - REACH), start);
    const isAnswer = (MODEL_WRITTEN as readonly string[]).includes(source);
    if (RUN.test(before) || (isAnswer && SHELL_PROMPT.test(before))) return base;
    if (sentences.saysBefore(spokenOf, start) || sentences.isInContext('QUESTION', start, end)) return 0.3;
    return base * (isAnswer ? IN_ANSWER : base >= DESTROYS_ALL ? WHOLE_IN_REQUEST : IN_REQUEST);
  };
}
