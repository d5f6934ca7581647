import { expect, test } from '#jest';
import { createMemoryStore } from '#services/sink/testing/memory-store.ts';
import type { Failures, Manner, Network, SimulatedProcess } from '../process.ts';
import { storeOfProcess } from './warehouse.ts';

const torn = {
  call: (
    _process: unknown,
    _part: string,
    _what: string,
    _failures: Failures,
    effect: (manner: Manner) => unknown,
  ) => effect('torn'),
} as unknown as Network;

test.each([
  ['audits', 'acceptedAt'],
  ['signals', 'createdAt'],
] as const)('a torn insert into %s stores only some months, by %s, each complete', async (table, column) => {
  const store = createMemoryStore();
  const rows = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'].map((day) => ({
    [column]: `${day}T00:00:00.000Z`,
  }));
  const insert = storeOfProcess(store, torn, {} as SimulatedProcess).insert;
  await expect(insert(table, rows)).rejects.toMatchObject({ name: 'WarehouseUnavailable' });
  expect(store.rows[table]).toEqual(rows.slice(0, 2));
});

test('a torn insert into a table without months stores nothing', async () => {
  const store = createMemoryStore();
  const insert = storeOfProcess(store, torn, {} as SimulatedProcess).insert;
  const rows = ['2026-10-31', '2026-11-01'].map((day) => ({ at: day, createdAt: day }));
  await expect(insert('positions', rows)).rejects.toMatchObject({ name: 'WarehouseUnavailable' });
  expect(store.rows.positions).toEqual([]);
});
