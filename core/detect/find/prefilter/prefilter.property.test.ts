import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { limited } from '../../testing/limited.ts';
import { sentencesOf } from '../assertion-context.ts';
import { literalsOf } from '../patterns/literals.ts';
import { parsePattern } from '../patterns/syntax.ts';
import { markerOf } from './marks.ts';
import { prefiltered, prefilteredAt } from './prefilter.ts';

/** Patterns like those of the detectors: words, gaps, counted repetitions, look-around. */
const atoms = ['a', 'b', 'c', ' ', 'ab', 'cab', '[ab]', '[^a]', '\\s', '\\w', '.', '\\.', 'é', '\\p{L}'];
const times = ['', '', '', '?', '{0,2}', '{1,3}', '{0,9}', '{2,5}', '{1,20}', '{0,40}?'];
const edges = ['\\b', '^', '$', '(?=a)', '(?! b)', '(?<=b)', '(?<!a )', '(?=\\s{0,2}(?:c|$))'];

const { pattern } = fc.letrec<{ pattern: string; one: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('one'), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((options) => options.map((parts) => parts.join('')).join('|')),
  one: fc.oneof(
    { maxDepth: 2 },
    fc
      .tuple(fc.constantFrom(...atoms), fc.constantFrom(...times))
      .map(([atom, count]) => `(?:${atom})${count}`),
    fc.constantFrom(...edges),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), fc.constantFrom(...times))
      .map(([open, source, count]) => `${open}${source})${count}`),
  ),
}));
const flags = fc.constantFrom('u', 'iu');
const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', 'ab', 'cab', ' ', ' ', '.', 'A', 'é', '\n', '\u{1F600}', '- '), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(''));

describe('a prefiltered pattern finds what the pattern finds', () => {
  test('at an offset', () => {
    fc.assert(
      fc.property(pattern, flags, texts, (source, flag, text) =>
        limited(() => {
          const expected = new RegExp(source, `${flag}y`);
          const matchAt = prefilteredAt(new RegExp(source, `${flag}y`));
          const marksOf = sentencesOf(text).marksOf;
          for (let offset = 0; offset <= text.length; offset++) {
            // V8 moves an offset inside a surrogate pair back to its start.
            if (/^[\udc00-\udfff]/.test(text.slice(offset))) continue;
            expected.lastIndex = offset;
            const match = expected.exec(text);
            expect(matchAt(text, offset, marksOf)).toEqual(match);
            expect(matchAt(text, offset)).toEqual(match);
          }
        }),
      ),
      { numRuns: 400 },
    );
  });

  test('anywhere', () => {
    fc.assert(
      fc.property(pattern, flags, texts, (source, flag, text) =>
        limited(() =>
          expect(prefiltered(new RegExp(source, flag))(text)).toBe(new RegExp(source, flag).test(text)),
        ),
      ),
    );
  });

  test('a matching text contains one literal of each group', () => {
    fc.assert(
      fc.property(pattern, flags, texts, (source, flag, text) => {
        limited(() => fc.pre(new RegExp(source, flag).test(text)));
        const lower = text.toLowerCase();
        for (const group of literalsOf(parsePattern(source, flag, 'AHEAD'))) {
          expect(group.some((literal) => lower.includes(literal))).toBe(true);
        }
      }),
    );
  });
});

test('a pattern with matches of unbounded length is rejected', () => {
  expect(() => prefilteredAt(/a\s+b/y)('a b', 0)).toThrow('unbounded repetition');
});

describe('marks', () => {
  const words = fc.array(
    fc.constantFrom('law', 'laws', 'lawn', 'the', 'enforcement', 'x', '\u{1F600}', 'Law'),
    {
      maxLength: 400,
    },
  );
  const endsOf = (text: string): number[] =>
    [...text.matchAll(/\blaws?\b(?! enforcement)/gi)].map(({ index, 0: word }) => index + word.length);

  test('are the ends of the matches, whatever is queried', () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (list, one, other) => {
        const text = list.join(' ');
        const marks = sentencesOf(text).marksOf(markerOf(/\blaws?\b/i, / enforcement/iy));
        const [from, until] = [one % (text.length + 1), other % (text.length + 1)].toSorted((a, b) => a - b);
        const inside = endsOf(text).filter((end) => end > from! && end <= until!);
        expect(marks.first(from!, until!)).toBe(inside[0] ?? -1);
        expect(marks.last(from!, until!)).toBe(inside.at(-1) ?? -1);
      }),
    );
  });

  test('terminate for a pattern that can match the empty string', () => {
    const marks = sentencesOf('axx').marksOf(markerOf(/x{0,2}/));
    expect(marks.last(0, 3)).toBe(3);
  });
});
