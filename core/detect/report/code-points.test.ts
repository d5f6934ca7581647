import fc from 'fast-check';
import { expect, test } from '#jest';
import { codePointsBefore } from './code-points.ts';

/** Slices by code points, as Python does. */
const sliceByCodePoints = (text: string, start: number, end: number): string =>
  Array.from(text).slice(start, end).join('');

const piece = fc.oneof(
  fc.constantFrom('a', 'é', 'e\u0301', '😀', '👩‍👩‍👧', '🇩🇪', '𝒜', '\ud83d', '\ude00', '\ud800', '漢', '\0'),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

test('offsets in code points delimit the same values as offsets in UTF-16 units', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(), fc.nat(), (pieces, first, count) => {
      const text = pieces.join('');
      // Values start and end between characters.
      const characters = Array.from(text);
      const from = characters.length === 0 ? 0 : first % characters.length;
      const until = Math.min(characters.length, from + (count % 20));
      const start = characters.slice(0, from).join('').length;
      const end = characters.slice(0, until).join('').length;
      const at = codePointsBefore(text);
      expect([at(start), at(end)]).toEqual([from, until]);
      expect(sliceByCodePoints(text, at(start), at(end))).toBe(text.slice(start, end));
    }),
    { numRuns: 500 },
  );
});

test('a lone surrogate is one code point', () => {
  expect(codePointsBefore('\ud83dx\ude00y')(3)).toBe(3);
  expect(codePointsBefore('\ude00\ud83d\ude00y')(3)).toBe(2);
});

test('every offset works in a text whose length is a multiple of the step', () => {
  const text = '😀'.repeat(64);
  const at = codePointsBefore(text);
  expect([at(0), at(64), at(126), at(128)]).toEqual([0, 32, 63, 64]);
});
