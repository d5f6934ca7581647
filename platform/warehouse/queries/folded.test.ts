import { expect, test } from '#jest';
import type { Warehouse } from '../port.ts';
import { foldedEntries, foldedIndex } from './folded.ts';

const warehouseOf = (ids: object[], positions: object[]): Warehouse =>
  ({
    query: async (sql: string) => (sql.includes('FROM ledger_ids') ? ids : positions),
  }) as unknown as Warehouse;
const entry = { index: 9, epoch: 2, partition: 4, offset: 70 };
const position = { topic: 'audit.ledger', epoch: 2, partition: 4, nextOffset: 71 };

test.each([
  ['nothing of it is stored', [], [position], null],
  [
    'its flush is under way: the position still lies before it',
    [entry],
    [{ ...position, nextOffset: 70 }],
    null,
  ],
  ['only other partitions are that far', [entry], [{ ...position, partition: 5 }], null],
  ['everything of it is stored', [entry], [position], 9],
  ['it is of an epoch that is over', [entry], [{ ...position, epoch: 3, nextOffset: 0 }], 9],
])('an entry of which %s', async (_name, ids, positions, index) => {
  expect(await foldedIndex(warehouseOf(ids, positions), 'c', 'ERASURE:x')).toBe(index);
});

test('of several entries those count of which everything is stored', async () => {
  const ids = [
    { ...entry, entryId: 'P:1' },
    { ...entry, entryId: 'P:2', offset: 71 },
  ];
  const found = await foldedEntries(warehouseOf(ids, [position]), 'c', ['P:1', 'P:2', 'P:3']);
  expect([...found]).toEqual(['P:1']);
  expect([...(await foldedEntries(warehouseOf(ids, [position]), 'c', []))]).toEqual([]);
});
