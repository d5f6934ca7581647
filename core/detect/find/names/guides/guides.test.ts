import { expect, test } from '#jest';
import { hashOfWord } from '../words/letters.ts';
import { decodeLexicon, encodeLexicon, GIVEN } from '../words/lexicon.ts';
import { tokenise } from '../words/tokens.ts';
import { decodeFrequentWords, encodeFrequentWords, guessLanguages, LANGUAGES } from './languages.ts';
import { LETTER_ROWS, likenessOf, MAX_LIKE_A_NAME, MAX_RUNS, rowsOfLetters } from './letters-of-names.ts';
import { BEGINS, MEASURE_COUNT, measuresOf, ONE_WORD } from './signs.ts';

const [GERMAN, ENGLISH] = [LANGUAGES.indexOf('de'), LANGUAGES.indexOf('en')];
const bits = (...languages: number[]): number => languages.reduce((sum, one) => sum | (1 << one), 0);
const words = decodeFrequentWords(
  encodeFrequentWords(
    new Map([
      [hashOfWord('und'), bits(GERMAN)],
      [hashOfWord('nicht'), bits(GERMAN)],
      [hashOfWord('the'), bits(ENGLISH)],
      [hashOfWord('with'), bits(ENGLISH)],
      [hashOfWord('in'), bits(GERMAN, ENGLISH)],
    ]),
  ),
);
const lexicon = decodeLexicon(encodeLexicon(new Map([[hashOfWord('ann'), GIVEN]])));

/** The language of each word. The shared buffers must not keep anything from an earlier text. */
function languagesOf(text: string): readonly string[] {
  const tokens = tokenise(text, 0, text.length, lexicon);
  const languages = new Uint8Array(tokens.count).fill(7);
  guessLanguages(tokens, words, languages);
  return Array.from(languages, (language) => LANGUAGES[language]!);
}

test('a line has the language of its frequent words, a short line that of the whole text', () => {
  expect(new Set(languagesOf('Rot und nicht blau'))).toEqual(new Set(['de']));
  expect(new Set(languagesOf('red with the blue'))).toEqual(new Set(['en']));
  expect(new Set(languagesOf('kein Wort davon'))).toEqual(new Set(['']));
  expect(new Set(languagesOf('drei in drei'))).toEqual(new Set(['']));
  const [first, , , , , second] = languagesOf('Rot und nicht blau\nGelb');
  expect([first, second]).toEqual(['de', 'de']);
  expect(languagesOf('Rot und nicht blau\nred with the blue').at(-1)).toBe('en');
});

test('a word with the letter runs of names is name-like', () => {
  const weights = new Int8Array(LETTER_ROWS);
  const rows = new Int32Array(MAX_RUNS);
  const plain = likenessOf('Keller', 0, 6, weights);
  for (let at = 0, count = rowsOfLetters('keller', 0, 6, rows); at < count; at++) weights[rows[at]!] = 20;
  expect(likenessOf('Keller', 0, 6, weights)).toBe(MAX_LIKE_A_NAME);
  expect(likenessOf('KÉLLER', 0, 6, weights)).toBe(MAX_LIKE_A_NAME);
  expect(likenessOf('Zug', 0, 3, weights)).toBe(plain);
  expect(rowsOfLetters('x'.repeat(500), 0, 500, rows)).toBeLessThanOrEqual(MAX_RUNS);
});

test('measures contain one value per bit, and the margin a second time for single words', () => {
  const values = new Float64Array(MEASURE_COUNT);
  measuresOf(ONE_WORD | BEGINS, 250, values);
  expect([values[0], values[1], values[2]]).toEqual([1, 1, 0]);
  expect(values.filter((value) => value === 2.5)).toHaveLength(2);
  measuresOf(BEGINS, 250, values);
  expect(values.filter((value) => value === 2.5)).toHaveLength(1);
});
