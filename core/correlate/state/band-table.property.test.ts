import fc from 'fast-check';
import { expect, test } from '#jest';
import { addItem, emptyTable, MAX_ITEMS, removeItem, visitSharing } from './band-table.ts';

interface Item {
  readonly bands: readonly number[];
  index: number;
}

/** Few different bands, so that items share them and probe sequences get long. */
const bandsOf = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 });
const steps = fc.array(
  fc.oneof(fc.record({ add: bandsOf }), fc.record({ remove: fc.nat(1_000) }), fc.record({ ask: bandsOf })),
  { maxLength: 300 },
);

test('items that share a band are found, each once, after any additions and removals', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const table = emptyTable<Item>();
      const items: Item[] = [];
      for (const step of taken) {
        if ('add' in step) {
          const item = { bands: step.add, index: 0 };
          item.index = addItem(table, item, item.bands);
          items.push(item);
        } else if ('remove' in step) {
          const [item] = items.splice(step.remove % Math.max(1, items.length), 1);
          if (item !== undefined) removeItem(table, item.index, item.bands);
        } else {
          const found: Item[] = [];
          visitSharing(table, step.ask, (item) => found.push(item));
          const sharing = items.filter(({ bands }) => bands.some((band) => step.ask.includes(band)));
          expect(new Set(found)).toEqual(new Set(sharing));
          expect(found).toHaveLength(sharing.length);
        }
      }
      expect(table.used).toBe(items.reduce((sum, { bands }) => sum + bands.length, 0));
    }),
    { numRuns: 200 },
  );
});

test('the table holds as many items as it has indexes, stays at most half full, and rejects more', () => {
  const table = emptyTable<number>();
  const bands = (item: number): number[] => Array.from({ length: 21 }, (_, band) => band * 4_096 + item);
  for (let item = 0; item < MAX_ITEMS; item += 1) addItem(table, item, bands(item));
  expect(2 * table.used).toBeLessThanOrEqual(table.slots.length);
  expect(() => addItem(table, 0, [0])).toThrow(RangeError);
  for (let item = 0; item < MAX_ITEMS; item += 1) removeItem(table, item, bands(item));
  expect([table.used, table.slots.every((slot) => slot === 0)]).toEqual([0, true]);
  expect(() => addItem(table, 0, [2 ** 20])).toThrow(RangeError);
});
