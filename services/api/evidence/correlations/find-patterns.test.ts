import { DAY_MS, DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { expect, test } from '#jest';
import { type Warehouse, WarehouseLimitExceeded } from '#platform/warehouse/port.ts';
import { emptyWarehouse } from '../../testing/harness.ts';
import { searchHere } from './find-patterns.ts';

const TASK = {
  ...DEFAULT_SETTINGS,
  customerId: 'c',
  from: 40 * DAY_MS,
  to: 50 * DAY_MS,
  sandboxSlug: null,
};
const WATCH = { gone: new AbortController().signal, onProgress: () => undefined };
const tooMuch = new WarehouseLimitExceeded('too many groups', 158);

/** Records the start and end of statements for hours, shapes and signals. The named one fails with its first rows. */
function noting(failing: string): { readonly noted: string[]; readonly warehouse: Warehouse } {
  const noted: string[] = [];
  async function* rows(name: string): AsyncGenerator<never[]> {
    noted.push(`${name} begins`);
    try {
      if (name === failing) throw tooMuch;
      yield [];
      yield [];
    } finally {
      noted.push(`${name} ends`);
    }
  }
  const warehouse: Warehouse = {
    ...emptyWarehouse(),
    stream: (sql) => rows(sql.includes('groupArray') ? 'hours' : 'shapes'),
    streamTuples: () => rows('signals'),
  };
  return { noted, warehouse };
}

test('a search that fails to read its hours reads nothing more', async () => {
  const { noted, warehouse } = noting('hours');
  await expect(searchHere(warehouse).run(TASK, WATCH)).rejects.toBe(tooMuch);
  expect(noted).toEqual(['hours begins', 'hours ends']);
});

test('signals are requested while hours are counted, and no statement is left running', async () => {
  const { noted, warehouse } = noting('shapes');
  await expect(searchHere(warehouse).run(TASK, WATCH)).rejects.toBe(tooMuch);
  expect(noted.indexOf('signals begins')).toBeLessThan(noted.indexOf('hours ends'));
  expect(noted.filter((one) => one.endsWith('ends')).sort()).toEqual([
    'hours ends',
    'shapes ends',
    'signals ends',
  ]);
});

test('without a past nothing is read before the signals', async () => {
  const { noted, warehouse } = noting('');
  await searchHere(warehouse).run({ ...TASK, from: 0 }, WATCH);
  expect(noted).toEqual(['signals begins', 'signals ends']);
});
