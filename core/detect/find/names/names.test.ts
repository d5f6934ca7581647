import { describe, expect, test } from '#jest';
import { CANDIDATE_ROWS } from './east-asian/candidates.ts';
import { ROWS } from './features.ts';
import { encodeFrequentWords } from './guides/languages.ts';
import { LETTER_ROWS } from './guides/letters-of-names.ts';
import { LABELS } from './labels.ts';
import { decodeModel, encodeModel } from './model.ts';
import { endOfPiece } from './pieces.ts';
import { hashOfWord } from './words/letters.ts';
import { COMMON, decodeLexicon, encodeLexicon, GIVEN, PLACE, SURNAME } from './words/lexicon.ts';
import { tokenise } from './words/tokens.ts';

const lexiconOf = (words: Readonly<Record<string, number>>) =>
  decodeLexicon(
    encodeLexicon(new Map(Object.entries(words).map(([word, flags]) => [hashOfWord(word), flags]))),
  );

test('the lexicon finds a word in any case and without accents', () => {
  const lexicon = lexiconOf({ josé: GIVEN, paris: PLACE | GIVEN, will: COMMON | GIVEN });
  for (const word of ['José', 'JOSE', 'jose', 'jose\u0301'])
    expect(lexicon.flagsOf(hashOfWord(word))).toBe(GIVEN);
  expect(lexicon.flagsOf(hashOfWord('Paris'))).toBe(PLACE | GIVEN);
  expect(lexicon.flagsOf(hashOfWord('nobody'))).toBe(0);
});

describe('tokens', () => {
  const lexicon = lexiconOf({ smith: SURNAME, jones: SURNAME });
  const tokensOf = (text: string): readonly string[] => {
    const { count, start, end } = tokenise(text, 0, text.length, lexicon);
    return Array.from({ length: count }, (_none, token) => text.slice(start[token], end[token]));
  };

  test.each([
    ["Ann O'Brien-Smith's car", ['Ann', "O'Brien-Smith", "'s", 'car']],
    ['mail ann.lee@example.com, please', ['mail', 'ann.lee@example.com', ',', 'please']],
    ['see https://example.com/ann-lee?x=1.', ['see', 'https://example.com/ann-lee?x=1', '.']],
    ['Dr. J. R. Lee', ['Dr', '.', 'J', '.', 'R', '.', 'Lee']],
    ['{"name":"Ann"}', ['{', '"', 'name', '"', ':', '"', 'Ann', '"', '}']],
    ['12.5 x 3,000', ['12.5', 'x', '3', ',', '000']],
    ['user_name 😀 ok', ['user_name', '😀', 'ok']],
    ['a\r\nb', ['a', '\r', 'b']],
  ])('%j', (text, tokens) => expect(tokensOf(text)).toEqual(tokens));

  test('a compound has the flags of its parts', () => {
    const { flags } = tokenise('Smith-Jones', 0, 11, lexicon);
    expect(flags[0]).toBe(SURNAME);
  });
});

test('encoding and decoding preserves a model', () => {
  const rows = new Int8Array(ROWS * LABELS);
  rows[3] = -5;
  rows[70_000] = 127;
  rows[ROWS * LABELS - 1] = -128;
  const transitions = Int32Array.from({ length: LABELS * LABELS }, (_none, index) => index - 20);
  const letters = new Int8Array(LETTER_ROWS).fill(-7);
  const eastAsian = new Int8Array(CANDIDATE_ROWS).fill(9);
  const packed = encodeModel(transitions, rows, {
    lexicon: encodeLexicon(new Map([[hashOfWord('ann'), GIVEN]])),
    languages: encodeFrequentWords(new Map([[hashOfWord('und'), 1 << 3]])),
    letters,
    eastAsian,
  });
  const { lexicon, weights, ...guides } = decodeModel(packed);
  expect(lexicon.flagsOf(hashOfWord('Ann'))).toBe(GIVEN);
  expect(guides.languages.languagesOf(hashOfWord('Und'))).toBe(1 << 3);
  expect(guides.languages.languagesOf(hashOfWord('ann'))).toBe(0);
  expect(guides.letters).toEqual(letters);
  expect(guides.eastAsian).toEqual(eastAsian);
  const used = [3, 70_000, ROWS * LABELS - 1].map((index) => {
    const row = Math.floor(index / LABELS);
    return [weights.rows[row * 8 + (index % LABELS)], (weights.isUsed[row >>> 3]! >>> (row & 7)) & 1];
  });
  expect(used).toEqual([
    [-5, 1],
    [127, 1],
    [-128, 1],
  ]);
  expect(weights.rows.filter((weight) => weight !== 0)).toHaveLength(3);
  expect(weights.transitions[0]).toBe(-20);
});

test('a long text is split between paragraphs, lines or words, never inside a character', () => {
  expect(endOfPiece('short', 0)).toBe(5);
  const paragraph = `${'word '.repeat(800)}\n\n`;
  expect(endOfPiece(paragraph.repeat(2), 0)).toBe(paragraph.length);
  expect(endOfPiece(`x${'\u{1F600}'.repeat(4_000)}`, 0) % 2).toBe(1);
});
