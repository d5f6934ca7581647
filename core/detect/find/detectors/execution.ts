import { GIVEN, type PhraseMatch } from '../phrase-rules.ts';
import { markerOf } from '../prefilter/marks.ts';

/** Code units before a command that are searched for signs that it is run. */
const REACH = 96;

/**
 * What precedes a command that is run rather than mentioned: a shell's prompt that names a machine, the arguments of a
 * tool call (OpenAI, Anthropic, ReAct, XML), "I ran".
 */
const RUN =
  /(?:(?:^|\n)[ \t]{0,8}[\w.-]{1,32}@[\w.-]{1,64}:?[^\n]{0,24}[$#]\s{1,2}(?:sudo\s)?|"(?:command|cmd|code|script|query|sql|statement|bash|input|shell|arguments)\\?"\s{0,3}:\s{0,3}[^\n]{0,32}|action input:\s{0,3}[^\n]{0,32}|<(?:parameter|command|invoke|tool_call|bash|execute)[^\n>]{0,40}>\s{0,3}[^\n<]{0,24}|\b(?:i|i've|i have|we|agent|has|have|just|then)\s(?:now\s|also\s|then\s|just\s|successfully\s)?(?:ran|run|executed|issued|used|typed|called)\b[^.\n]{0,32}|\b(?:running|executing|executed|ran|calling|invoking|i'll run|i will run|going to run|let me run)\b[^.\n]{0,32})$/i;

/** A shell's prompt alone: an agent's answer that shows one has run the command, a document shows what to type. */
const SHELL_PROMPT = /(?:^|\n)[ \t]{0,8}[$#]\s{1,2}(?:sudo\s)?$/;

/** Words in a prompt that only asks about a command. */
const spokenOf = markerOf(
  /\b(?:what (?:is|does|do|happens|would)|how (?:do|does|can|to)|explain|meaning|difference|why|undo|recover|danger\w{0,3}|safe\w{0,3}|never|avoid|example|syntax|documentation|should i)\b/i,
);

/** Shares of a command's weight: written in an answer, and in a text that was handed in. */
const [IN_ANSWER, IN_REQUEST, WHOLE_IN_REQUEST] = [0.7, 0.52, 0.65];
/** From this weight on a command destroys a whole system. */
const DESTROYS_ALL = 0.9;

/**
 * Confidence for a command of weight `base` (0 to 1): highest in what an agent runs, lower in an answer, and a hint in a
 * document or an instruction (unless it destroys a whole system), and where a sentence only asks about it.
 */
export function commandConfidence(base: number): (phrase: PhraseMatch) => number {
  return ({ text, start, end, source, sentences }) => {
    const before = text.slice(Math.max(0, start - REACH), start);
    const isAnswer = (GIVEN as readonly string[]).includes(source);
    if (RUN.test(before) || (isAnswer && SHELL_PROMPT.test(before))) return base;
    if (sentences.saysBefore(spokenOf, start) || sentences.isInContext('QUESTION', start, end)) return 0.3;
    return base * (isAnswer ? IN_ANSWER : base >= DESTROYS_ALL ? WHOLE_IN_REQUEST : IN_REQUEST);
  };
}
