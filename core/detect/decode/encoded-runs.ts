import { isAsciiLetter, isDigit, isTokenUnit } from '../characters.ts';
import { type Decoder, type HiddenText, hiddenTextWriter, STRETCH } from './decoder.ts';

/** Shorter runs are words and names. */
const MIN_RUN = 20;
/** Of the characters of what was hidden, as many are letters, digits, blanks and marks of a text. */
const READABLE = 0.95;
const UNREADABLE = /[\p{C}\ufffd]/u;
const HEX = /^(?:0x)?((?:[0-9a-f]{2})+|(?:[0-9A-F]{2})+)$/;

const isRunUnit = (unit: number): boolean => isTokenUnit(unit) || unit === 43 || unit === 47;

/** What a run hides. Base64 of text has both cases and changes between them; a path or a name of words does not decode to text. */
export function readableTextIn(run: string): string | null {
  const hex = HEX.exec(run)?.[1];
  const bytes = hex === undefined ? Buffer.from(run, 'base64') : Buffer.from(hex, 'hex');
  const text = bytes.toString('utf8');
  return isReadable(text) ? text : null;
}

function isReadable(text: string): boolean {
  let letters = 0;
  let readable = 0;
  for (const character of text) {
    const unit = character.charCodeAt(0);
    if (character === '\n' || character === '\t' || !UNREADABLE.test(character)) readable++;
    else if (readable < text.length * (1 - READABLE)) return false;
    if (isAsciiLetter(unit) || isDigit(unit) || unit === 32 || unit === 10 || unit > 127) letters++;
  }
  return readable >= text.length * READABLE && letters >= text.length * 0.7;
}

function hiddenIn(run: string, start: number): HiddenText | null {
  const text = readableTextIn(run);
  if (text === null) return null;
  const writer = hiddenTextWriter();
  writer.parts.push(text);
  writer.made(text.length, start, run.length);
  return writer.finish({ ordersOnly: false, nested: true });
}

/** Base64 (both alphabets) and hexadecimal runs that hold readable text. A find in one is the whole run. */
export const encodedRuns: Decoder = function* (text) {
  const found: HiddenText[] = [];
  let start = 0;
  let stop = STRETCH;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && isRunUnit(text.charCodeAt(i))) continue;
    if (i - start >= MIN_RUN) {
      const padded = text[i] === '=' ? (text[i + 1] === '=' ? i + 2 : i + 1) : i;
      const hidden = hiddenIn(text.slice(start, padded), start);
      if (hidden !== null) found.push(hidden);
    }
    start = i + 1;
    if (i >= stop) {
      stop = i + STRETCH;
      yield;
    }
  }
  return found;
};
