import fc from 'fast-check';
import { expect, test } from '#jest';
import { createTermFinder } from './term-finder.ts';

function spansBySearch(terms: readonly string[], text: string): string[] {
  const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return terms
    .flatMap((term, index) =>
      Array.from({ length: text.length }, (_, start) => start)
        .filter((start) => lower.startsWith(term, start))
        .map((start) => `${index}:${start}-${start + term.length}`),
    )
    .toSorted();
}

test('the term finder finds exactly what a search per term finds', () => {
  const letter = fc.constantFrom('a', 'b', 'c', 'A', 'B', ' ', 'é', '😀');
  const term = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    .map((list) => list.join(''));
  fc.assert(
    fc.property(fc.uniqueArray(term, { minLength: 1, maxLength: 8 }), fc.array(letter), (terms, letters) => {
      const text = letters.join('');
      const found: string[] = [];
      const find = createTermFinder(terms);
      const visit = (index: number, start: number, end: number) => found.push(`${index}:${start}-${end}`);
      find(text, visit);
      expect(found.toSorted()).toEqual(spansBySearch(terms, text));
    }),
  );
});

test('the term finder rejects terms that it could not find', () => {
  expect(() => createTermFinder([''])).toThrow('not empty');
  expect(() => createTermFinder(['Upper'])).toThrow('lower-case');
  expect(() => createTermFinder(['niño'])).toThrow('ASCII');
});
