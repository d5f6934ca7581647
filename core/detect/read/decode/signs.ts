import { isAsciiLetter, isDigit, isTokenUnit } from '../characters.ts';

/** Which decoders may find something in a text. A decoder without its signs finds nothing. */
export interface Signs {
  readonly digits: number;
  readonly hasAt: boolean;
  /** A run long enough for Base64 or hexadecimal. */
  readonly runs: boolean;
  /** Single characters between separators. */
  readonly spaced: boolean;
  /** Starts of escapes. */
  readonly escapes: boolean;
  /** Digits, and letters next to signs that stand for letters. */
  readonly leet: boolean;
}

/** Shorter runs are words or names. */
export const MIN_RUN = 20;
/** "i g n o r e": fewer consecutive single characters are initials, options or a list. */
export const MIN_CHARACTERS = 6;
export const SEPARATORS = ' .-_*|/,~';
/** Fewer are the blanks of a URL or the line ends of a string. */
export const MIN_ESCAPES = 4;
/** Minimum number of words that mix letters and digits; fewer are names, such as "mp3" and "utf8". */
export const MIN_WORDS = 3;
/** The letters that signs stand for in "1gn0r3 4ll ru1es". */
export const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Whether the unit occurs in Base64 of either alphabet. */
export const isRunUnit = (unit: number): boolean => isTokenUnit(unit) || unit === 43 || unit === 47;
/** Whether the unit occurs in a leet word; a 2 stands for no letter, but belongs to the word. */
export const isLeetSign = (unit: number): boolean =>
  Object.hasOwn(LEET, String.fromCharCode(unit)) || unit === 50;

const [RUN, SEPARATOR, ESCAPE, LETTER, SIGN, DIGIT] = [1, 2, 4, 8, 16, 32];
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return (
    (isRunUnit(unit) ? RUN : 0) |
    (SEPARATORS.includes(character) ? SEPARATOR : 0) |
    ('%\\&'.includes(character) ? ESCAPE : 0) |
    (isAsciiLetter(unit) ? LETTER : 0) |
    (isLeetSign(unit) ? SIGN : 0) |
    (isDigit(unit) ? DIGIT : 0)
  );
});

/**
 * Collects the signs of all decoders in one pass, so that most texts skip the decoders; and facts for other detectors.
 */
export function signsIn(text: string): Signs {
  let [run, longest, alone, escapes, mixed, digits] = [0, 0, 0, 0, 0, 0];
  let [last, beforeLast] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = unit < 128 ? KINDS[unit]! : 0;
    if ((kind & RUN) !== 0) run++;
    else {
      if (run > longest) longest = run;
      run = 0;
    }
    if ((kind & beforeLast & SEPARATOR) !== 0) alone++;
    if ((kind & ESCAPE) !== 0) escapes++;
    if ((kind & DIGIT) !== 0) digits++;
    const both = kind | last;
    if ((both & LETTER) !== 0 && (both & SIGN) !== 0) mixed++;
    beforeLast = last;
    last = kind;
  }
  return {
    digits,
    hasAt: text.includes('@'),
    runs: Math.max(run, longest) >= MIN_RUN,
    // The first and the last character of a run have a separator on one side only.
    spaced: alone >= MIN_CHARACTERS - 2,
    escapes: escapes >= MIN_ESCAPES,
    leet: mixed >= MIN_WORDS && digits >= MIN_WORDS,
  };
}
