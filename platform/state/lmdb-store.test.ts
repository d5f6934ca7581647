import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keyOf, openStore, prefixOf, type Store } from './lmdb-store.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'state-store-'));
  store = openStore(path.join(folder, 'state.mdb'));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

test('a decision sees the writes under way before it', async () => {
  const numbers = store.table<number>('numbers');
  const add = () => store.write(() => numbers.put('n', (numbers.get('n') ?? 0) + 1));
  const rounds = Array.from({ length: 40 }, async () => {
    // Awaiting between the writes lets commits fall between decisions in every order.
    for (let n = 0; n < 50; n += 1) await add();
  });
  await Promise.all(rounds);
  expect(numbers.get('n')).toBe(2_000);
});

test('reads of rows and of ranges agree while commits go on', async () => {
  const rows = store.table<number>('rows');
  const model = new Map<string, number>();
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const waiting: Promise<unknown>[] = [];
  for (let step = 0; step < 3_000; step += 1) {
    const key = keyOf('p', `k${random(40)}`);
    const removes = random(3) === 0;
    if (removes) model.delete(key);
    else model.set(key, step);
    waiting.push(store.write(() => (removes ? rows.remove(key) : rows.put(key, step))));
    if (random(20) === 0) await waiting.at(-1);
    expect(rows.get(key)).toBe(model.get(key));
    if (step % 10 === 0)
      expect(rows.entries(prefixOf('p'))).toEqual(
        [...model].map(([k, value]) => ({ key: k, value })).sort((a, b) => (a.key < b.key ? -1 : 1)),
      );
  }
  await Promise.all(waiting);
  for (let n = 0; n < 40; n += 1) expect(rows.get(keyOf('p', `k${n}`))).toBe(model.get(keyOf('p', `k${n}`)));
});

test('a change that throws, or a key that cannot be stored, writes nothing at all', async () => {
  const rows = store.table<number>('rows');
  const broken = store.write(() => {
    rows.put('first', 1);
    throw new Error('changed its mind');
  });
  await expect(broken).rejects.toThrow('changed its mind');
  for (const key of ['x'.repeat(3_000), 'nul\u0000']) {
    const refused = store.write(() => {
      rows.put('first', 1);
      rows.put(key, 2);
    });
    await expect(refused).rejects.toThrow('too long or holds a NUL');
    expect(rows.get(key)).toBeUndefined();
  }
  expect(rows.entries('')).toEqual([]);
  expect(() => rows.put('outside', 1)).toThrow('inside write');
});
