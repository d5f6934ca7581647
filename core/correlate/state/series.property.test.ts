import fc from 'fast-check';
import { expect, test } from '#jest';
import { addEach, addTo, countOf, emptySeries, hasAny, hourOf, indexOf, prune, sumOf } from './series.ts';

const HOURS = 60;
const added = fc.array(fc.tuple(fc.nat(HOURS - 1), fc.integer({ min: 1, max: 5 })), { maxLength: 120 });

test('a series keeps the counts added per hour, in any order of arrival', () => {
  fc.assert(
    fc.property(added, fc.nat(HOURS), fc.nat(HOURS), (counts, from, end) => {
      const series = emptySeries();
      const byHour = new Map<number, number>();
      for (const [hour, count] of counts) {
        addTo(series, hour, count);
        byHour.set(hour, (byHour.get(hour) ?? 0) + count);
      }
      const known = [...byHour].sort(([one], [other]) => one - other);
      expect(series.map((one) => [hourOf(one), countOf(one)])).toEqual(known);
      const within = known.filter(([hour]) => hour >= from && hour < end);
      expect(sumOf(series, from, end)).toBe(within.reduce((sum, [, count]) => sum + count, 0));
      expect(hasAny(series, from, end)).toBe(within.length > 0);
      expect(indexOf(series, from)).toBe(known.filter(([hour]) => hour < from).length);
      prune(series, from);
      expect(series.map(hourOf)).toEqual(known.map(([hour]) => hour).filter((hour) => hour >= from));
    }),
  );
});

/** Ascending hours with their counts. */
const ascending = fc
  .uniqueArray(fc.nat(HOURS - 1), { maxLength: 20 })
  .chain((hours) =>
    fc.tuple(
      fc.constant(hours.toSorted((a, b) => a - b)),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: hours.length, maxLength: hours.length }),
    ),
  );

test('adding counts of ascending hours at once equals adding them one by one, up to the given length', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ascending, fc.nat(20)), { maxLength: 8 }), (lists) => {
      const [together, single] = [emptySeries(), emptySeries()];
      for (const [[hours, counts], most] of lists) {
        const length = Math.min(most, hours.length);
        addEach(together, hours, counts, length);
        for (let at = 0; at < length; at += 1) addTo(single, hours[at]!, counts[at]!);
      }
      expect(together).toEqual(single);
    }),
  );
  expect(() => addEach(emptySeries(), [2, 2], [1, 1], 2)).toThrow(RangeError);
});
