import { isAsciiLetter, isDigit } from '../../read/characters.ts';
import labels from '../lists/labels.json' with { type: 'json' };

/**
 * A phrase that names a value, in lower case: "medical record". It is found with blanks, with `_` or `-`, and run
 * together, so that `medical_record`, `MEDICAL-RECORD` and `medicalRecord` are the same label.
 */
export interface Label {
  /** The part of the label that is searched for: ASCII, and just long enough to be rare in other words. */
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

/** Letters of the second word that are searched for; the rest is compared in place. */
const OF_SECOND_WORD = 2;

/** The phrases, and those with accents also without, as on keyboards and in names in code. */
export function withPlainLetters(phrases: readonly string[]): string[] {
  const plain = phrases.map((phrase) => phrase.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''));
  return [...new Set([...phrases, ...plain])];
}

/** The spellings of a phrase as labels. */
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

/** Every combination of a first with a second word. */
export function pairs(first: readonly string[], second: readonly string[]): string[] {
  return first.flatMap((a) => second.map((b) => `${a} ${b}`));
}

const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
const isLower = (unit: number): boolean => unit >= 97 && unit <= 122;
const ASCII = 128;
const lower = (unit: number): number => (isUpper(unit) ? unit + 32 : unit);

/** A letter or digit of any script. */
function isInWord(unit: number): boolean {
  // Halves of emoji are no letters.
  return isDigit(unit) || isAsciiLetter(unit) || (unit >= 0xc0 && (unit < 0xd800 || unit > 0xdfff));
}

/** Where the label whose term is at `termStart` begins; -1 when it is another word, or inside one. */
export function labelStart(text: string, { whole, term, offset }: Label, termStart: number): number {
  const start = termStart - offset;
  // The cheap looks first: the terms of labels with accents are as short as " s", and found everywhere.
  if (start < 0 || !beginsWord(text, start)) return -1;
  if (term.length === whole.length) return start;
  const first = text.charCodeAt(start);
  if (first < ASCII && lower(first) !== whole.charCodeAt(0)) return -1;
  return text.slice(start, start + whole.length).toLowerCase() === whole ? start : -1;
}

function beginsWord(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  return !isInWord(before) || (isLower(before) && isUpper(text.charCodeAt(start)));
}

const TAILS = labels.tails;
const inAnyCase = (word: string): string =>
  `${word}|${word.toUpperCase().replaceAll('?', '?')}|${word[0]!.toUpperCase()}${word.slice(1)}`;
/** "'s number", "_no", "Number" of `passportNumber`, "#", "n°": part of the label without a meaning of its own. */
const TAIL = new RegExp(
  `(?:['’]?s(?![a-z]))?(?:[ \\t_.-]{0,2}(?:(?:${TAILS.map(inAnyCase).join('|')})(?![a-z])\\.?|#|n[°º]|№)){0,3}(?:[ _](?:of|for|on)[ _](?:the|my|your|his|her|this|our)[ _](?:card|account|patient|customer|client|device|phone|user|applicant|driver|holder|member|file))?`,
  'y',
);

/** The end of the label with its tail; -1 when the word continues and is another one. */
export function labelEnd(text: string, end: number): number {
  TAIL.lastIndex = end;
  const tail = TAIL.exec(text)![0].length;
  const after = text.charCodeAt(end + tail);
  const before = text.charCodeAt(end + tail - 1);
  if (!isInWord(before)) return end + tail;
  if (!isAsciiLetter(after) && !(after >= 0xc0 && after < 0x2000)) return end + tail;
  return isUpper(after) && (isLower(before) || isDigit(before)) ? end + tail : -1;
}
