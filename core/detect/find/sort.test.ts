import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../steps.ts';
import { sortInSteps } from './sort.ts';

interface Entry {
  readonly key: number;
  readonly place: number;
}
const byKey = (a: Entry, b: Entry): number => a.key - b.key;
const entriesOf = (keys: readonly number[]): Entry[] => keys.map((key, place) => ({ key, place }));

/** Some thousand keys: random ones, ordered ones, in reverse order, or consecutive sorted runs. */
const keys = fc
  .tuple(
    fc.integer({ min: 0, max: 5_000 }),
    fc.integer({ min: 1, max: 3_000 }),
    fc.constantFrom(1, -1, 7_919),
  )
  .map(([length, modulo, step]) =>
    Array.from({ length }, (_, at) => (((at * step) % modulo) + modulo) % modulo),
  );

test('the order is that of the engine, and what compares as equal keeps its order', () => {
  fc.assert(
    fc.property(keys, (list) => {
      expect(finish(sortInSteps(entriesOf(list), byKey))).toEqual(entriesOf(list).sort(byKey));
    }),
  );
});

test('a long list is sorted in steps', () => {
  const steps = sortInSteps(entriesOf(Array.from({ length: 20_000 }, (_, at) => -at)), byKey);
  let yields = 0;
  while (!steps.next().done) yields++;
  expect(yields).toBeGreaterThan(20 * 4);
});
