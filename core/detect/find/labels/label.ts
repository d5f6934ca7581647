import { isAsciiLetter, isDigit } from '../../read/characters.ts';
import labels from '../lists/labels.json' with { type: 'json' };

/**
 * A lower-case phrase that names a value: "medical record". It matches with blanks, `_`, `-` or nothing between words,
 * so `medical_record`, `MEDICAL-RECORD` and `medicalRecord` are the same label.
 */
export interface Label {
  /** The part of the label to search for: ASCII, and just long enough to be rare in other words. */
  readonly term: string;
  /** The whole label, and the offset of the term in it. */
  readonly whole: string;
  readonly offset: number;
}

const JOINTS = [' ', '_', '-', ''];

/** The longest ASCII part of a phrase: search terms are ASCII, labels such as "führerschein" are not. */
function asciiPart(phrase: string): string {
  const parts = phrase.split(/[\u0080-\uffff]+/);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** Letters of the second word to search for; the rest is compared afterwards. */
const OF_SECOND_WORD = 2;

/** The phrases, plus unaccented variants of those with accents, as typed on keyboards and used in code. */
export function withPlainLetters(phrases: readonly string[]): string[] {
  const plain = phrases.map((phrase) => phrase.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''));
  return [...new Set([...phrases, ...plain])];
}

/** A phrase's spellings as labels. */
export function spellings(phrase: string): Label[] {
  const space = phrase.indexOf(' ');
  const joints = space === -1 ? [' '] : JOINTS;
  return joints.map((joint) => {
    const whole = phrase.replaceAll(' ', joint);
    const ascii = asciiPart(whole);
    const short = whole.slice(0, space + joint.length + OF_SECOND_WORD);
    const term = space !== -1 && ascii === whole ? short : ascii;
    return { term, whole, offset: whole.indexOf(term) };
  });
}

/** Every combination of a first and a second word. */
export function pairs(first: readonly string[], second: readonly string[]): string[] {
  return first.flatMap((a) => second.map((b) => `${a} ${b}`));
}

const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
const isLower = (unit: number): boolean => unit >= 97 && unit <= 122;
const ASCII = 128;
const lower = (unit: number): number => (isUpper(unit) ? unit + 32 : unit);

/** A letter or digit of any script. */
function isInWord(unit: number): boolean {
  // Surrogates, as in emoji, are not letters.
  return isDigit(unit) || isAsciiLetter(unit) || (unit >= 0xc0 && (unit < 0xd800 || unit > 0xdfff));
}

/** Start of the label whose term is at `termStart`; -1 if it is another word, or inside one. */
export function labelStart(text: string, { whole, term, offset }: Label, termStart: number): number {
  const start = termStart - offset;
  // Cheap checks first: terms of accented labels are as short as " s", and occur everywhere.
  if (start < 0 || !startsWord(text, start)) return -1;
  if (term.length === whole.length) return start;
  const first = text.charCodeAt(start);
  if (first < ASCII && lower(first) !== whole.charCodeAt(0)) return -1;
  return text.slice(start, start + whole.length).toLowerCase() === whole ? start : -1;
}

function startsWord(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  return !isInWord(before) || (isLower(before) && isUpper(text.charCodeAt(start)));
}

const TAILS = labels.tails;
const inAnyCase = (word: string): string =>
  `${word}|${word.toUpperCase().replaceAll('?', '?')}|${word[0]!.toUpperCase()}${word.slice(1)}`;
/** "'s number", "_no", "Number" of `passportNumber`, "#", "n°": parts of the label that add no meaning. */
const TAIL = new RegExp(
  `(?:['’]?s(?![a-z]))?(?:[ \\t_.-]{0,2}(?:(?:${TAILS.map(inAnyCase).join('|')})(?![a-z])\\.?|#|n[°º]|№)){0,3}(?:[ _](?:of|for|on)[ _](?:the|my|your|his|her|this|our)[ _](?:card|account|patient|customer|client|device|phone|user|applicant|driver|holder|member|file))?`,
  'y',
);

/** End of the label with its tail; -1 if the word continues and is another one. */
export function labelEnd(text: string, end: number): number {
  TAIL.lastIndex = end;
  const tail = TAIL.exec(text)![0].length;
  const after = text.charCodeAt(end + tail);
  const before = text.charCodeAt(end + tail - 1);
  if (!isInWord(before)) return end + tail;
  if (!isAsciiLetter(after) && !(after >= 0xc0 && after < 0x2000)) return end + tail;
  return isUpper(after) && (isLower(before) || isDigit(before)) ? end + tail : -1;
}
