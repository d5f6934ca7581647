import { type Decoder, type HiddenText, hiddenTextWriter, STRETCH } from './decoder.ts';

/** "i g n o r e": fewer single characters in a row are initials, options or a list. */
const MIN_CHARACTERS = 6;
const SEPARATORS = ' .-_*|/,~';
const MARKS = '.,:!';
const CLOSING = ';?)]}>"\'<&';
/** More blanks than one between two characters part two words. */
const MAX_GAP = 4;

const isOne = (text: string, index: number, separator: string): boolean => {
  const character = text[index];
  return character !== undefined && character !== separator && character !== '\n' && character !== ' ';
};

/** Nothing of a word follows: a separator, a blank, the end, a closing mark, or a mark of a sentence before one of these. */
function endsAt(text: string, index: number, separator: string): boolean {
  if (!isOne(text, index, separator) || CLOSING.includes(text[index]!)) return true;
  return MARKS.includes(text[index]!) && !isOne(text, index + 1, separator);
}

/** Length of the gap of separators at `index`; 0 when what follows is no single character. */
function gapAt(text: string, index: number, separator: string): number {
  let end = index;
  while (end - index < MAX_GAP && text[end] === separator) end++;
  return end > index && isOne(text, end, separator) ? end - index : 0;
}

/** Calls `take` with each character of the run and the gap before it; the run's end. */
function walkRun(text: string, start: number, take: (at: number, gap: number) => void): number {
  const separator = text[start + 1]!;
  let [at, gapBefore] = [start, 0];
  for (;;) {
    take(at, gapBefore);
    const gap = gapAt(text, at + 1, separator);
    const after = at + 1 + gap;
    if (gap === 0 || !endsAt(text, after + 1, separator)) return at + 1;
    [at, gapBefore] = [after, gap];
  }
}

function hiddenIn(text: string, start: number): HiddenText {
  const writer = hiddenTextWriter();
  walkRun(text, start, (at, gap) => {
    if (gap > 1) {
      writer.parts.push(' ');
      writer.made(1, at - gap, gap);
    }
    writer.parts.push(text[at]!);
    writer.taken(1, at);
  });
  return writer.finish({ ordersOnly: false, nested: false });
}

/** "1 2 3 4 5": each digit at most one from the one before. */
function isListOfNumbers(run: string): boolean {
  const digits = run.replaceAll(/[^\p{L}\d]/gu, '');
  for (let i = 1; i < digits.length; i++) {
    if (Math.abs(digits.charCodeAt(i) - digits.charCodeAt(i - 1)) > 1) return false;
  }
  return /^\d/.test(digits);
}

/** They stand alone in front of a line. */
const BULLETS = '-*.|/';
const [SEPARATOR, BORDER] = [1, 2];
const KINDS = new Uint8Array(128);
for (const separator of SEPARATORS) KINDS[separator.charCodeAt(0)] = SEPARATOR;
for (const border of '\n"\'(:=<>[{;#') KINDS[border.charCodeAt(0)] = BORDER;

/** A single character in front of a separator, with nothing of a word before it. */
const beginsAlone = (text: string, index: number): boolean =>
  (index === 0 || (KINDS[text.charCodeAt(index - 1)] ?? 0) !== 0) &&
  isOne(text, index, text[index + 1]!) &&
  !BULLETS.includes(text[index]!);

/** Characters of a word one by one, with a blank or a mark between them. */
export const spacedLetters: Decoder = function* (text) {
  const found: HiddenText[] = [];
  let stop = STRETCH;
  for (let i = 0; i + 2 < text.length; i++) {
    // Most characters stand before one of their word: this is what every text is walked through for.
    if (KINDS[text.charCodeAt(i + 1)] !== SEPARATOR || !beginsAlone(text, i)) continue;
    let characters = 0;
    const end = walkRun(text, i, () => characters++);
    if (characters >= MIN_CHARACTERS && !isListOfNumbers(text.slice(i, end))) found.push(hiddenIn(text, i));
    i = end - 1;
    if (i >= stop) {
      stop = i + STRETCH;
      yield;
    }
  }
  return found;
};
