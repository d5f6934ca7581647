import labels from '../lists/other-labels.json' with { type: 'json' };
import type { Shape } from './shape.ts';

export interface Valued {
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}

/** How far after a label its value may start. */
const REACH = 96;
const MAX_WORDS = 10;
/** Maximum words between a label and the end of its line, if the value starts the next line. */
const MAX_WORDS_OF_LINE = 2;
const PER_WORD = 0.02;

const SEPARATORS =
  /(?:&#?\w{2,8};|\\[nrt]|[ \t"'`:=&>|,()[\]{}*~\\/#_\u2026\u2013\u2014-]|<\/?[\w:-]{1,30}(?:\s[^<>\n]{0,60})?>)+/y;
/** "(last checked in May)" between a label and its value. */
const REMARK = /[ \t]?\([A-Za-z.,'’/-]{2,14}(?: (?:[A-Za-z.,'’/-]{1,14}|\d{1,4})){0,6}\)/y;
/** Length of the longest word abbreviated with a full stop. */
const ABBREVIATION = 4;
/** "It has changed. The new one: ...": starts a sentence that still refers to the label. */
const SAME_THING =
  /\s{1,2}(?:it|its|it's|mine|that's|here|this (?:is|one)|the (?:new|current|correct|right|actual|full|number|one|code|value|id))\b/iy;
const LINE = /\r?\n/y;
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}'’.-]{0,40}/uy;
const DATE_OR_TIME =
  /(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\/\d{2,4}|\d{1,2}:\d\d(?::\d\d)?)(?![\p{L}\p{N}])/uy;
const SHORT_OR_DATE =
  /^(?:.{0,3}|(?:19|20)\d\d|\d{1,2}[-.]\d{1,2}[-.]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th))$/;

/** Words that name another value, which the text after them belongs to. */
export const OTHER_LABELS = new Set(labels.otherLabels);

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

export function firstShape(
  shapes: readonly Shape[],
  text: string,
  start: number,
): Omit<Valued, 'start'> | null {
  for (const shape of shapes) {
    const match = shape(text, start);
    if (match !== null) return match;
  }
  return null;
}

/** Whether this mark may interrupt the text between a label and its value. */
function isPause(text: string, at: number, words: number): boolean {
  if (text[at] === '?') return true;
  if (text[at] === ';') return text[at + 1] !== '\n';
  return words === 0 && '.!'.includes(text[at]!) && text[at + 1] !== '\n';
}

interface WalkLimits {
  /** Maximum words between label and value. */
  readonly maxWords: number | undefined;
  /** Words at which the search stops: labels of the same kind. */
  readonly stops: ReadonlySet<string>;
}

/** The value of the label that ends at `from`, on the same line or on the line below it. */
export function valueAfter(
  text: string,
  from: number,
  shapes: readonly Shape[],
  { maxWords = MAX_WORDS, stops }: WalkLimits,
): Valued | null {
  if (matchAt(OF_MANY, text, from) !== null) return null;
  const limit = Math.min(text.length, from + REACH);
  let at = from;
  let words = 0;
  let lines = 0;
  while (at < limit) {
    const separators = matchAt(REMARK, text, at) ?? matchAt(SEPARATORS, text, at);
    if (separators !== null) {
      at += separators.length;
      continue;
    }
    const line = matchAt(LINE, text, at);
    if (line !== null) {
      if (++lines > (words === 0 ? 2 : 1) || words > MAX_WORDS_OF_LINE) return null;
      at += line.length;
      continue;
    }
    if (isPause(text, at, words)) {
      at++;
      continue;
    }
    const match = firstShape(shapes, text, at);
    if (match !== null) {
      if (isCount(text, at, match.end)) return null;
      return { start: at, end: match.end, confidence: Math.max(0.5, match.confidence - PER_WORD * words) };
    }
    const date = matchAt(DATE_OR_TIME, text, at);
    const token = date ?? matchAt(TOKEN, text, at);
    if (token === null || (date === null && !maySkip(token, stops)) || ++words > maxWords) return null;
    at += token.length;
    // The sentence ends here, so the next one must refer to the same thing.
    if (token.length > ABBREVIATION && token.endsWith('.') && matchAt(SAME_THING, text, at) === null)
      return null;
  }
  return null;
}

/** Words after digits that count something: "12000 beds". */
const COUNTED =
  / ?(?:%|per ?cent|visitors|ms|s|sec\w*|min\w*|hours?|days|weeks|months|years|times|digits?|characters?|chars?|users?|people|persons|customers|members|patients|beds|orders|transactions|usd|dollars|euros?|eur|pounds|won|yen|px|pixels|lines|errors?|requests|attempts|copies|books|views|seats|stems|readers|litres|liters|km|miles|kg|mb|gb|kb|bytes|cycles|votes|followers|cars|units|pieces|items|records|rows)(?![\p{L}\p{N}])/iuy;

export function isCount(text: string, start: number, end: number): boolean {
  const value = text.slice(start, end);
  if (!/^[\d., ]+$/.test(value)) return false;
  COUNTED.lastIndex = end;
  // A round number before a word is a quantity.
  return COUNTED.test(text) || (value.endsWith('000') && /^ [a-z]{3}/.test(text.slice(end, end + 4)));
}

/** "the number of beds": the label names a quantity, not an identifier. */
const OF_MANY =
  / of (?!(?:my|his|her|the|your|our|their|this|that|mr|ms|mrs|dr|a|an|patient|customer)\b)[a-z]/y;

function maySkip(token: string, stops: ReadonlySet<string>): boolean {
  const bare = token.replace(/['’.-]+$/, '');
  if (/\d/.test(bare)) return SHORT_OR_DATE.test(bare);
  const word = bare.toLowerCase();
  return !OTHER_LABELS.has(word) && !stops.has(word);
}
