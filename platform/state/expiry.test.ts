import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createExpiry, type ExpiringTable, type Expiry } from './expiry.ts';
import { openStore, type Store } from './lmdb-store.ts';

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

/** Rows that are really in the file, whether they are past their end or not. */
const stored = () => store.table('values').entries('').length + store.table('expiry').entries('').length;

test('sweeps what is past its end, in steps, and leaves the rest', async () => {
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

test('rows that were renewed or removed leave nothing behind', async () => {
  await store.write(() => values.put('renewed', 'one', 2_000));
  await store.write(() => values.put('renewed', 'two', 5_000));
  await store.write(() => values.put('removed', 'x', 2_000));
  await store.write(() => values.remove('removed'));
  expect(stored()).toBe(2);
  at = 2_000;
  expect(await expiry.sweep(10)).toBe(0);
  expect(values.get('renewed')).toBe('two');
});

test('a renewal under way while its row is swept is kept', async () => {
  await store.write(() => values.put('a', 'one', 2_000));
  at = 2_000;
  const renewed = store.write(() => values.put('a', 'two', 5_000));
  await Promise.all([renewed, expiry.sweep(10)]);
  expect(values.get('a')).toBe('two');
  expect(stored()).toBe(2);
});
