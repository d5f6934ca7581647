import { isAsciiAlphanumeric, isDigit, skipWhile } from '../characters.ts';
import { type Escape, formOfPoint, hexAt } from './escape.ts';

export const BACKSLASH = 92;
/** `\\\\n` is a line feed in JSON nested three times; quotes take seven backslashes. A longer run is a drawing. */
const MAX_RUN = 8;
const LINES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
/** Bell, backspace, escape, form feed, vertical tab. */
const CONTROLS = 'abefv';
const ESCAPE = 0x1b;
/** The rest of a terminal escape sequence, such as a change of colour. */
const TERMINAL = /\[[\d;]{0,16}[A-Za-z]/y;

const isSmall = (unit: number): boolean => unit >= 97 && unit <= 122;

/** Where the run of backslashes that starts at `at` ends. */
export const runEnd = (text: string, at: number): number =>
  skipWhile(text, at, text.length, (unit) => unit === BACKSLASH);

interface Numbered {
  readonly point: number;
  readonly end: number;
}

const numbered = (text: string, from: number, digits: number): Numbered | null => {
  const point = hexAt(text, from, digits);
  return point === -1 ? null : { point, end: from + digits };
};

/** Maximum digits of `\u{...}`. */
const MAX_BRACED = 6;

function braced(text: string, from: number): Numbered | null {
  const close = text.slice(from, from + MAX_BRACED + 1).indexOf('}');
  const point = close < 1 ? -1 : hexAt(text, from, close);
  return point === -1 ? null : { point, end: from + close + 1 };
}

/** The character whose number starts at `from`: `u0041`, `u{41}`, `x41`, `U00000041`, `033`. */
function numberAt(text: string, from: number): Numbered | null {
  switch (text[from]) {
    case 'u':
      return text[from + 1] === '{' ? braced(text, from + 2) : numbered(text, from + 1, 4);
    case 'x':
      return numbered(text, from + 1, 2);
    case 'U':
      return numbered(text, from + 1, 8);
    case '0': {
      const end = skipWhile(text, from, from + 3, (unit) => unit >= 48 && unit <= 55);
      return { point: Number.parseInt(text.slice(from, end), 8), end };
    }
    default:
      return null;
  }
}

/** The escape sequence whose letter or digit, after the backslashes, is at `from`; null if there is none. */
export function letterEscape(text: string, from: number): Escape | null {
  const letter = text[from]!;
  const line = LINES[letter];
  if (line !== undefined) return { width: 1, form: line };
  if (CONTROLS.includes(letter)) {
    // Part of a word: "\beta", "\frac".
    if (isSmall(text.charCodeAt(from + 1))) return null;
    return { width: 1 + (letter === 'e' ? terminalAt(text, from + 1) : 0), form: ' ' };
  }
  const number = numberAt(text, from);
  const form = number === null ? null : formOfPoint(number.point);
  if (number === null || form === null) return null;
  const tail = number.point === ESCAPE ? terminalAt(text, number.end) : 0;
  return { width: number.end - from + tail, form };
}

/** The length of a terminal escape sequence without its escape character; 0 if there is none. */
export function terminalAt(text: string, from: number): number {
  TERMINAL.lastIndex = from;
  return TERMINAL.test(text) ? TERMINAL.lastIndex - from : 0;
}

const isMark = (unit: number): boolean =>
  unit > 32 && unit < 127 && unit !== BACKSLASH && !isAsciiAlphanumeric(unit);
const QUOTES = '"\'`';

/** Whether the letter after the backslashes from `at` to `end` is an escape sequence. */
type IsEscape = (at: number, end: number) => boolean;

/** The escape sequence of the backslashes from `at` to `end`; null if they are literal. */
export function backslashAt(text: string, at: number, end: number, isEscape: IsEscape): Escape | null {
  const run = end - at;
  const unit = text.charCodeAt(end);
  if (run > MAX_RUN || Number.isNaN(unit)) return null;
  if (isMark(unit)) {
    // An even number of backslashes is content, and the quote after them ends its string.
    const isContent = run % 2 === 0 && QUOTES.includes(text[end]!);
    return isContent ? null : { width: run + 1, form: text[end]! };
  }
  const letter =
    isAsciiAlphanumeric(unit) && !(isDigit(unit) && unit !== 48) ? letterEscape(text, end) : null;
  return letter === null || !isEscape(at, end) ? null : { width: run + letter.width, form: letter.form };
}
