import { expect, jest, test } from '@jest/globals';

/** Patterns are compiled on first use: what must hold of each is tried here, before anybody uses one. */

const compile = await import('./compile.ts');
const prefilter = await import('./prefilter.ts');
type Loosened = ReturnType<ReturnType<typeof compile.loosenedReader>>;
const readers = new Map<string, () => Loosened>();
const prefiltered = new Set<string>();

test('every pattern of a detector can have a reader, and a limit where matches are read to their end', async () => {
  jest.unstable_mockModule('./compile.ts', () => ({
    ...compile,
    loosenedReader: (pattern: RegExp, anywhere: boolean) => {
      const read = compile.loosenedReader(pattern, anywhere);
      readers.set(`${pattern} ${anywhere}`, read);
      return read;
    },
  }));
  jest.unstable_mockModule('./prefilter.ts', () => ({
    ...prefilter,
    prefilteredAt: (pattern: RegExp) => {
      prefiltered.add(`${pattern}`);
      readers.set(`${pattern} false`, compile.loosenedReader(pattern, false));
      return prefilter.prefilteredAt(pattern);
    },
  }));
  await import('../../detectors.ts');
  expect(readers.size).toBeGreaterThan(100);
  expect(prefiltered.size).toBeGreaterThan(50);
  for (const [pattern, read] of readers) expect([pattern, typeof read()]).toEqual([pattern, 'object']);
  for (const pattern of prefiltered) {
    const { longest } = readers.get(`${pattern} false`)!();
    expect([pattern, Number.isFinite(longest)]).toEqual([pattern, true]);
  }
});

test('a pattern with a back-reference can have none', () => {
  expect(compile.loosenedReader(/(a)\1/, true)).toThrow('references to groups');
});
