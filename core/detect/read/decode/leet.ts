import { isAsciiLetter } from '../characters.ts';
import { TextWriter } from '../text-writer.ts';
import { type Decoder, sameLength } from './decoder.ts';
import { isLeetSign, LEET, MIN_WORDS } from './signs.ts';

const VOWELS = 'aeiou';
const HAS_DIGIT = /\d/;
/** With at least this many words, none is an ordinary number: "7h3", "15" and "70" are read as words, too. */
const MANY_WORDS = 5;
const SHORT = 3;
const MIXED = /[A-Za-z][0-9@$!]+[A-Za-z]|^[0-9@$!]+[A-Za-z]{2}|[A-Za-z]{1,}[0-9@$!]{2,}$/;
/** "h2o", "2nd", "1st", "10am", "A4", "v2", "3d": words in which digits are normal. */
const ORDINARY = /^(?:\d+[a-z]{1,2}|[a-z]{1,2}\d+|\w+!+)$/i;

/** "1" is i or l: l next to another vowel or before a consonant, as in "ru1es" and "a11". */
function letterOfOne(word: string, index: number): string {
  const before = plainLetter(word, index - 1);
  const after = plainLetter(word, index + 1);
  if (after === '1' || before === '1') return 'l';
  if (before === 'i' || after === 'i') return 'l';
  return VOWELS.includes(before) && (after === '' || VOWELS.includes(after)) ? 'l' : 'i';
}

function plainLetter(word: string, index: number): string {
  const letter = word[index];
  if (letter === undefined || letter === '1') return letter ?? '';
  return LEET[letter] ?? letter.toLowerCase();
}

function plainWord(word: string): string {
  let plain = '';
  for (let i = 0; i < word.length; i++) {
    plain += word[i] === '1' ? letterOfOne(word, i) : (LEET[word[i]!] ?? word[i]);
  }
  return plain;
}

/** Maximum length of a word in code units; longer runs are keys or numbers. */
const MAX_WORD = 24;
const MIN_WORD = 3;
const [LETTER, SIGN] = [1, 2];
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (isAsciiLetter(unit)) return LETTER;
  return isLeetSign(unit) ? SIGN : 0;
});
const kindAt = (text: string, index: number): number => KINDS[text.charCodeAt(index)] ?? 0;

interface Read {
  readonly text: string;
  readonly words: number;
}

/** The text, with the words that `isRead` accepts spelled in letters. */
function spelt(text: string, isRead: (word: string) => boolean): Read {
  const writer = new TextWriter();
  let [words, done] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    if (kindAt(text, i) !== SIGN) continue;
    let start = i;
    while (start > done && i - start < MAX_WORD && kindAt(text, start - 1) !== 0) start--;
    let end = i + 1;
    while (end < text.length && end - start <= MAX_WORD && kindAt(text, end) !== 0) end++;
    const word = text.slice(start, end);
    if (word.length <= MAX_WORD && isRead(word)) {
      words++;
      writer.add(text.slice(done, start));
      writer.add(plainWord(word));
      done = end;
    }
    i = end - 1;
  }
  writer.add(text.slice(done));
  return { text: writer.text(), words };
}

const isLeet = (word: string): boolean =>
  word.length >= MIN_WORD &&
  HAS_DIGIT.test(word) &&
  MIXED.test(word) &&
  !ORDINARY.test(word) &&
  isWorthwhile(word);

/** "1gn0r3 4ll ru1es": replaces digits and marks with the letters that they resemble. */
export const leet: Decoder = (text) => {
  const { words, text: read } = spelt(text, isLeet);
  if (words < MIN_WORDS) return [];
  if (words < MANY_WORDS) return [sameLength(read)];
  const all = spelt(text, (word) => word.length <= SHORT || isWorthwhile(word));
  return [sameLength(all.text)];
};

/** Whether the decoded word is mostly letters, unlike a key or a hash. */
function isWorthwhile(word: string): boolean {
  let letters = 0;
  for (let i = 0; i < word.length; i++) if (isAsciiLetter(word.charCodeAt(i))) letters++;
  return letters * 3 >= word.length;
}
