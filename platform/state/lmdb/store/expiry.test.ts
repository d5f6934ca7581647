import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { createExpiry, type ExpiringTable, type Expiry } from './expiry.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
let store: Store;
let expiry: Expiry;
let values: ExpiringTable<string>;
let at = 1_000;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'state-expiry-'));
  store = openStore(path.join(folder, 'state.mdb'));
  at = 1_000;
  expiry = createExpiry(store, () => at);
  values = expiry.table<string>('values');
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** All rows in the file, including expired ones. */
const stored = () => store.table('values').entries('').length + store.table('expiry').entries('').length;

test('sweeps expired rows in steps, and keeps the rest', async () => {
  await store.write(() => {
    for (let n = 0; n < 5; n += 1) values.put(`due-${n}`, 'x', 2_000 + n);
    values.put('stays', 'x', 9_000);
  });
  expect(await expiry.sweep(10)).toBe(0);
  at = 3_000;
  expect(values.get('due-0')).toBeUndefined();
  expect(stored()).toBe(12);
  expect(await expiry.sweep(3)).toBe(3);
  expect(stored()).toBe(6);
  expect(await expiry.sweep(3)).toBe(2);
  expect(await expiry.sweep(3)).toBe(0);
  expect(values.get('stays')).toBe('x');
  expect(stored()).toBe(2);
});

test('refreshed and removed rows leave nothing behind', async () => {
  await store.write(() => values.put('renewed', 'one', 2_000));
  await store.write(() => values.put('renewed', 'two', 5_000));
  await store.write(() => values.put('removed', 'x', 2_000));
  await store.write(() => values.remove('removed'));
  expect(stored()).toBe(2);
  at = 2_000;
  expect(await expiry.sweep(10)).toBe(0);
  expect(values.get('renewed')).toBe('two');
});

test('a refresh in flight while its row is swept is kept', async () => {
  await store.write(() => values.put('a', 'one', 2_000));
  at = 2_000;
  const refreshed = store.write(() => values.put('a', 'two', 5_000));
  await Promise.all([refreshed, expiry.sweep(10)]);
  expect(values.get('a')).toBe('two');
  expect(stored()).toBe(2);
});

describe('rows without an index', () => {
  let marks: ExpiringTable<string>;
  const rows = () => store.table('marks').entries('').length;
  /** Sweeps until a round removes nothing. */
  const sweepAll = async (limit: number): Promise<void> => {
    while ((await expiry.sweep(limit)) > 0);
  };
  beforeEach(() => {
    marks = expiry.briefTable<string>('marks');
  });

  test.each([1, 3, 100])(
    'expired rows are swept in steps of %d wherever they are, and the rest stays',
    async (limit) => {
      await store.write(() => {
        for (let n = 0; n < 10; n += 1) marks.put(`k${n}`, 'x', n % 3 === 0 ? 2_000 : 9_000);
      });
      expect(stored()).toBe(0);
      at = 3_000;
      expect([marks.get('k0'), marks.get('k1')]).toEqual([undefined, 'x']);
      await sweepAll(limit);
      expect(rows()).toBe(6);
      at = 9_000;
      await sweepAll(limit);
      expect(rows()).toBe(0);
    },
  );

  test('a refresh in flight while its row without an index is swept is kept', async () => {
    await store.write(() => marks.put('a', 'one', 2_000));
    at = 2_000;
    const refreshed = store.write(() => marks.put('a', 'two', 5_000));
    await Promise.all([refreshed, sweepAll(10)]);
    expect(marks.get('a')).toBe('two');
  });

  test('rows that an earlier release indexed are removed with their index', async () => {
    await store.write(() => expiry.table<string>('marks').put('old', 'x', 2_000));
    at = 2_000;
    await sweepAll(10);
    expect(rows() + stored()).toBe(0);
  });
});
