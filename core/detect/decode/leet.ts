import { isAsciiLetter } from '../characters.ts';
import { type Decoder, STRETCH, sameLength } from './decoder.ts';

const LETTERS: Readonly<Record<string, string>> = {
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
  '+': 't',
};
const VOWELS = 'aeiou';
/** Words of letters and digits together; fewer of them are names of things, such as "mp3" and "utf8". */
const MIN_WORDS = 2;
const WORD = /[A-Za-z0-9@$!+]{3,24}/g;
const MIXED = /[A-Za-z][0-9@$!+]+[A-Za-z]|^[0-9@$!+]+[A-Za-z]{2}|[A-Za-z]{1,}[0-9@$!+]{2,}$/;
/** "h2o", "2nd", "1st", "10am", "A4", "v2", "3d": digits where they belong. */
const ORDINARY = /^(?:\d+[a-z]{1,2}|[a-z]{1,2}\d+|\w+!+)$/i;

/** "1" is an i or an l: an l beside another vowel than before a consonant, as in "ru1es" and "a11". */
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
  return LETTERS[letter] ?? letter.toLowerCase();
}

function plainWord(word: string): string {
  let plain = '';
  for (let i = 0; i < word.length; i++) {
    plain += word[i] === '1' ? letterOfOne(word, i) : (LETTERS[word[i]!] ?? word[i]);
  }
  return plain;
}

/** "1gn0r3 4ll ru1es": digits and marks for letters that they look like. */
export const leet: Decoder = function* (text) {
  let words = 0;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += STRETCH) {
    if (at > 0) yield;
    parts.push(
      text.slice(at, at + STRETCH).replace(WORD, (word) => {
        if (!MIXED.test(word) || ORDINARY.test(word) || !isWorthwhile(word)) return word;
        words++;
        return plainWord(word);
      }),
    );
  }
  return words < MIN_WORDS ? [] : [sameLength(parts.join(''))];
};

/** Mostly letters once it is read: a key or a hash is not. */
function isWorthwhile(word: string): boolean {
  let letters = 0;
  for (let i = 0; i < word.length; i++) if (isAsciiLetter(word.charCodeAt(i))) letters++;
  return letters * 3 >= word.length;
}
