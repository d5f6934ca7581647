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
  ['nothing is stored', [], [position], null],
  [
    'the flush is in progress, with the position still before it',
    [entry],
    [{ ...position, nextOffset: 70 }],
    null,
  ],
  ['only other partitions have passed its offset', [entry], [{ ...position, partition: 5 }], null],
  ['everything is stored', [entry], [position], 9],
  ['the epoch is an earlier one', [entry], [{ ...position, epoch: 3, nextOffset: 0 }], 9],
])('index of an entry: %s', async (_name, ids, positions, index) => {
  expect(await foldedIndex(warehouseOf(ids, positions), 'c', 'ERASURE:x')).toBe(index);
});

test('only completely stored entries are returned', async () => {
  const ids = [
    { ...entry, entryId: 'P:1' },
    { ...entry, entryId: 'P:2', offset: 71 },
  ];
  const found = await foldedEntries(warehouseOf(ids, [position]), 'c', ['P:1', 'P:2', 'P:3']);
  expect([...found]).toEqual(['P:1']);
  expect([...(await foldedEntries(warehouseOf(ids, [position]), 'c', []))]).toEqual([]);
});
