import { isDigit } from '../characters.ts';
import { type Decoder, type HiddenText, hiddenTextWriter } from './decoder.ts';
import { MIN_CHARACTERS, SEPARATORS } from './signs.ts';

const MARKS = '.,:!';
const CLOSING = ';?)]}>"\'<&';
/** Maximum separators between two characters; more than one separates words. */
const MAX_GAP = 4;

const isOne = (text: string, index: number, separator: string): boolean => {
  const character = text[index];
  return character !== undefined && character !== separator && character !== '\n' && character !== ' ';
};

/**
 * Whether no word continues here: a separator, a blank, the end, a closing mark, or punctuation before one of these.
 */
function endsAt(text: string, index: number, separator: string): boolean {
  if (!isOne(text, index, separator) || CLOSING.includes(text[index]!)) return true;
  return MARKS.includes(text[index]!) && !isOne(text, index + 1, separator);
}

/** Length of the gap of separators at `index`; 0 if no single character follows. */
function gapAt(text: string, index: number, separator: string): number {
  let end = index;
  while (end - index < MAX_GAP && text[end] === separator) end++;
  return end > index && isOne(text, end, separator) ? end - index : 0;
}

/** The index of the next character of a run after the one at `at`; -1 if that was the last. */
function nextInRun(text: string, at: number, separator: string): number {
  const gap = gapAt(text, at + 1, separator);
  const after = at + 1 + gap;
  return gap === 0 || !endsAt(text, after + 1, separator) ? -1 : after;
}

interface Run {
  readonly end: number;
  readonly characters: number;
  /** "1 2 3 4 5": each digit differs by at most one from the previous one. */
  readonly isListOfNumbers: boolean;
}

const LETTER_OR_DIGIT = /[\p{L}\d]/u;

function measure(text: string, start: number): Run {
  const separator = text[start + 1]!;
  let [characters, end] = [0, start];
  let [first, last, isSteady] = [-1, -1, true];
  for (let at = start; at !== -1; at = nextInRun(text, at, separator)) {
    end = at + 1;
    characters++;
    if (!isSteady || !LETTER_OR_DIGIT.test(text[at]!)) continue;
    const unit = text.charCodeAt(at);
    if (first === -1) first = unit;
    else isSteady = Math.abs(unit - last) <= 1;
    last = unit;
  }
  return { end, characters, isListOfNumbers: isSteady && isDigit(first) };
}

function read(text: string, start: number): HiddenText {
  const separator = text[start + 1]!;
  const writer = hiddenTextWriter();
  for (let at = start, end = start; at !== -1; at = nextInRun(text, at, separator)) {
    if (at - end > 1) {
      writer.write(' ');
      writer.derived(1, end, at - end);
    }
    writer.write(text[at]!);
    writer.copied(1, at);
    end = at + 1;
  }
  return writer.finish({ ordersOnly: false, nested: false });
}

/** Marks that may start a line on their own. */
const BULLETS = '-*.|/';
const [SEPARATOR, BORDER] = [1, 2];
const KINDS = new Uint8Array(128);
for (const separator of SEPARATORS) KINDS[separator.charCodeAt(0)] = SEPARATOR;
for (const border of '\n"\'(:=<>[{;#') KINDS[border.charCodeAt(0)] = BORDER;

/** A single character before a separator, without a word before it. */
const startsAlone = (text: string, index: number): boolean =>
  (index === 0 || (KINDS[text.charCodeAt(index - 1)] ?? 0) !== 0) &&
  isOne(text, index, text[index + 1]!) &&
  !BULLETS.includes(text[index]!);

/** Joins words whose characters are separated by a blank or a mark. */
export const spacedLetters: Decoder = (text) => {
  const found: HiddenText[] = [];
  for (let i = 0; i + 2 < text.length; i++) {
    // This check runs for every character. Most characters fail it, because a letter of their word follows.
    if (KINDS[text.charCodeAt(i + 1)] !== SEPARATOR || !startsAlone(text, i)) continue;
    if (nextInRun(text, i, text[i + 1]!) === -1) continue;
    const { end, characters, isListOfNumbers } = measure(text, i);
    if (characters >= MIN_CHARACTERS && !isListOfNumbers) found.push(read(text, i));
    i = end - 1;
  }
  return found;
};
