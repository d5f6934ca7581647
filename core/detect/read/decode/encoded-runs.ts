import { isAsciiLetter, isDigit } from '../characters.ts';
import type { OffsetMap } from '../normalise/offset-map.ts';
import type { Decoder, HiddenText } from './decoder.ts';
import { isRunUnit, MIN_RUN } from './signs.ts';

/** Minimum share of letters, digits, blanks and punctuation among the decoded characters. */
const READABLE = 0.95;
const UNREADABLE = /[\p{C}\ufffd]/u;

const isLowerHex = (unit: number): boolean => isDigit(unit) || (unit >= 97 && unit <= 102);
const isUpperHex = (unit: number): boolean => isDigit(unit) || (unit >= 65 && unit <= 70);

/**
 * Where the digits of a hexadecimal run start; -1 if it is not one. Its letters are all lower case or all upper case.
 */
function hexStart(run: string): number {
  const start = run.startsWith('0x') ? 2 : 0;
  if (run.length === start || (run.length - start) % 2 === 1) return -1;
  let [isLower, isUpper] = [true, true];
  for (let i = start; i < run.length; i++) {
    const unit = run.charCodeAt(i);
    isLower &&= isLowerHex(unit);
    isUpper &&= isUpperHex(unit);
    if (!isLower && !isUpper) return -1;
  }
  return start;
}

/**
 * The text encoded in a run. Base64 of text alternates between both cases; paths and multi-word names do not decode to
 * text.
 */
export function readableTextIn(run: string): string | null {
  const hex = hexStart(run);
  const bytes = hex === -1 ? Buffer.from(run, 'base64') : Buffer.from(run.slice(hex), 'hex');
  const text = bytes.toString('utf8');
  return isReadable(text) ? text : null;
}

function isReadable(text: string): boolean {
  let letters = 0;
  let readable = 0;
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i)!;
    if (point === 10 || point === 9 || !isUnreadable(point)) readable++;
    else if (readable < text.length * (1 - READABLE)) return false;
    const unit = text.charCodeAt(i);
    if (isAsciiLetter(unit) || isDigit(unit) || unit === 32 || unit === 10 || unit > 127) letters++;
    i += point > 0xffff ? 2 : 1;
  }
  return readable >= text.length * READABLE && letters >= text.length * 0.7;
}

const isUnreadable = (point: number): boolean =>
  point < 127 ? point < 32 : UNREADABLE.test(String.fromCodePoint(point));

/** Maps every decoded character to the span of the whole run. */
const offsetsOfRun = (start: number, end: number): OffsetMap => ({
  start: () => start,
  end: () => end,
  across: () => ({ start, end }),
});

/** Decodes Base64 (both alphabets) and hexadecimal runs of readable text. A match inside covers the whole run. */
export const encodedRuns: Decoder = (text) => {
  const found: HiddenText[] = [];
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && isRunUnit(text.charCodeAt(i))) continue;
    if (i - start >= MIN_RUN) {
      const padded = text[i] === '=' ? (text[i + 1] === '=' ? i + 2 : i + 1) : i;
      const hidden = readableTextIn(text.slice(start, padded));
      const map = offsetsOfRun(start, padded);
      if (hidden !== null) found.push({ text: hidden, offsets: map, ordersOnly: false, nested: true });
    }
    start = i + 1;
  }
  return found;
};
