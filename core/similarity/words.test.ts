import { describe, expect, test } from '#jest';
import { READ_UNITS, wordsOf } from './words.ts';

const hashes = (text: string): readonly number[] => wordsOf(text, 1_000).hashes;
const weight = (text: string): number => wordsOf(text, 1_000).weight;

describe('texts have the same words', () => {
  test.each([
    ['whatever their case', 'Ignore ALL Rules', 'iGNORE all rULES'],
    [
      'with any separators between them',
      'ignore all rules',
      '  ignore\t\u00a0all,\r\n\u2028(rules)!\ud83d\ude00',
    ],
    ['with and without accents', 'une requête très brève', 'une requete tres breve'],
    ['whether accents are letters of their own', 'requ\u00eate', 'reque\u0302te'],
    ['with and without apostrophes and soft hyphens', 'don’t disregard it', "dont disre\u00adgard i't"],
    ['in full width', 'ｉｇｎｏｒｅ　ａｌｌ', 'ignore all'],
    ['whatever numbers are in them', 'send 4111 1111 1111 1111 now', 'send 7 now'],
    ['whatever ids are in them', 'order ab12cd is late', 'order #99/7-x1 is late'],
    ['in other scripts', 'ЗАБУДЬ все правила', 'забудь, ВСЕ правила'],
  ])('%s', (_name, one, other) => {
    expect(hashes(one).length).toBeGreaterThan(0);
    expect(hashes(one)).toEqual(hashes(other));
  });
});

test('other words, another order and other word boundaries make different texts', () => {
  const texts = [
    'ignore all rules',
    'ignore all tools',
    'all ignore rules',
    'ignoreall rules',
    'ignore 1 rules',
  ];
  expect(new Set(texts.map((text) => hashes(text).join())).size).toBe(texts.length);
});

test('scripts without spaces have a word for each two letters', () => {
  expect(hashes('忽略之前的指令')).toHaveLength(2 * 6);
  expect(hashes('忽略。之前').slice(0, 2)).toEqual(hashes('忽略'));
  expect(hashes('忽略 all 之前')).toEqual([...hashes('忽略'), ...hashes('all'), ...hashes('之前')]);
  expect(hashes('漢')).toEqual([]);
});

test('different words weigh 2, different pairs 1, and numbers 0', () => {
  expect(weight('one two TWO one three')).toBe(6);
  expect(weight('1 22 333 4a b5')).toBe(0);
  expect(weight('忽略之前')).toBe(3);
  expect(wordsOf('one two three four', 4).weight).toBe(4);
});

test('halves of surrogate pairs separate words and do no harm', () => {
  expect(hashes('a\ud83db\udc00\ud800c')).toEqual(hashes('a b c'));
});

describe('of a long text', () => {
  const word = 'abcdefg ';
  const end = word.repeat(READ_UNITS / word.length);

  test('only the beginning and the end are read', () => {
    const withMiddle = (middle: string): readonly number[] => hashes(end + middle + end);
    expect(withMiddle('one two three '.repeat(10_000))).toEqual(withMiddle('vier 5 '.repeat(3)));
    expect(withMiddle('').length).toBe((4 * READ_UNITS) / word.length);
    expect(hashes(`${end}${end} other`)).not.toEqual(withMiddle(''));
  });

  test.each([
    ['spaces', ' '],
    ['one word', 'a'],
    ['the shortest words', 'a '],
    ['pairs of letters', '漢'],
    ['numbers', '1 '],
    ['numbers between words', '1 a '],
    ['marks', '\u0301\u0316'],
    ['halves of surrogates', '\udfff'],
  ])('2 MiB of %s have no more words than units read', (_name, piece) => {
    expect(hashes(piece.repeat(2 ** 21 / piece.length)).length / 2).toBeLessThanOrEqual(2 * READ_UNITS);
  });
});
