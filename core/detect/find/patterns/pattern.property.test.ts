import fc from 'fast-check';
import { expect, test } from '#jest';
import { limited } from '../../testing/limited.ts';
import { foldCase } from '../phrases.ts';
import { foldedForLiterals } from './literals.ts';
import { hasNeeds, nearLiterals } from './needs.ts';
import { compilePattern } from './pattern.ts';

const hitsOf = (source: string, flags: string, text: string): string[] =>
  compilePattern(source, flags)
    .find(text, Infinity)
    .map(({ start, end }) => `${start}-${end}`);

/** The same hits, from a search that looks for literals first. */
function hitsNearLiterals(source: string, flags: string, text: string): string[] {
  const { find, needs } = compilePattern(source, flags);
  const folded = foldedForLiterals(foldCase(text));
  if (!hasNeeds(folded, needs)) return [];
  return find(text, Infinity, nearLiterals(folded, needs)).map(({ start, end }) => `${start}-${end}`);
}

/** The hits of JavaScript's engine, which tries every offset. */
const expected = (source: string, flags: string, text: string): string[] =>
  [...text.matchAll(new RegExp(source, `${flags.replace('u', '')}gu`))]
    .filter(([whole]) => whole !== '')
    .map((match) => `${match.index}-${match.index + match[0].length}`);

/** A piece of a pattern, and whether it can match the empty string. */
interface Piece {
  readonly source: string;
  readonly empty: boolean;
}

const characters = [
  'a',
  'b',
  'c',
  'A',
  'k',
  'ſ',
  ' ',
  '-',
  '\\n',
  '\\u{1F600}',
  'é',
  '\\.',
  'Σ',
  '7',
  '\\x41',
];
const classes = [
  '.',
  '\\d',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '[a-c]',
  '[^a]',
  '[\\s\\d\\-]',
  '\\p{L}',
  '\\P{Lu}',
  '[ab\\u{1F600}]',
];
const edges = ['^', '$', '\\b', '\\B'];
const atLeastOnce = ['', '', '', '+', '{2}', '{1,3}', '{2,}', '+?', '{1,2}?'];
const perhaps = ['*', '?', '{0,2}', '*?', '??', '{0,3}?'];

const quantified = (piece: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
  fc
    .tuple(piece, fc.constantFrom(...atLeastOnce, ...perhaps))
    // Repeating something empty may have another meaning here; see `compilePattern`.
    .map(([{ source, empty }, times]) =>
      empty ? { source, empty } : { source: source + times, empty: perhaps.includes(times) },
    );

const { choice } = fc.letrec<{ choice: Piece; one: Piece }>((tie) => ({
  choice: fc.array(fc.array(tie('one'), { maxLength: 4 }), { minLength: 1, maxLength: 3 }).map((options) => ({
    source: options.map((parts) => parts.map(({ source }) => source).join('')).join('|'),
    empty: options.some((parts) => parts.every(({ empty }) => empty)),
  })),
  one: fc.oneof(
    { maxDepth: 2 },
    quantified(fc.constantFrom(...characters, ...classes).map((source) => ({ source, empty: false }))),
    fc.constantFrom(...edges).map((source) => ({ source, empty: true })),
    quantified(
      fc
        .tuple(fc.constantFrom('(', '(?:'), tie('choice'))
        .map(([open, { source, empty }]) => ({ source: `${open}${source})`, empty })),
    ),
  ),
}));
const flags = fc.subarray(['i', 'm', 's', 'u']).map((list) => list.join(''));
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'a',
      'b',
      'c',
      'A',
      'B',
      'K',
      '\u212a',
      's',
      ' ',
      '-',
      '\n',
      '\u2028',
      '😀',
      'é',
      '.',
      'σ',
      'ς',
      '7',
      '\ud83d',
      '\ude00',
    ),
    { maxLength: 40 },
  )
  .map((list) => list.join(''));

function fits(source: string): boolean {
  try {
    compilePattern(source, '');
    return true;
  } catch {
    return false;
  }
}

test("patterns find what JavaScript's engine finds", () => {
  fc.assert(
    fc.property(choice, flags, text, ({ source }, some, where) => {
      fc.pre(fits(source));
      limited(() => {
        expect(hitsOf(source, some, where)).toEqual(expected(source, some, where));
        expect(hitsNearLiterals(source, some, where)).toEqual(expected(source, some, where));
      });
    }),
    { numRuns: 500 },
  );
});

/** Patterns whose hits cross block boundaries, but for which trying every offset stays fast. */
const longPatterns = [
  'a[^b]*b',
  'a.{400,}?b',
  '[^x]+',
  '\\b\\w+\\b',
  '(?:ab|a)+',
  '^.*$',
  '.$',
  '\\B.',
  '😀+b|a{1,3}?',
  'b[^]{1,300}a',
  'xé?ab',
  '(?:as|xs).{0,400}?(?:ab|\\b)',
  'x{1,40}a\\b|ab{2,400}',
  '\\bsx|ax\\B',
];
const longText = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'ab', 'b', ' ', '😀', '\n', 'é', 'x', 'ſ', 'sx', '\ud83d', 'aaaa'), {
      minLength: 1,
      maxLength: 60,
    }),
    fc.integer({ min: 900, max: 3_500 }),
  )
  .map(([parts, units]) => parts.join('').repeat(units).slice(0, units));

test('patterns find the same in texts of many blocks', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...longPatterns),
      fc.constantFrom('', 'm', 's', 'is'),
      longText,
      (source, some, where) => {
        expect(hitsOf(source, some, where)).toEqual(expected(source, some, where));
        expect(hitsNearLiterals(source, some, where)).toEqual(expected(source, some, where));
      },
    ),
    { numRuns: 300 },
  );
});
