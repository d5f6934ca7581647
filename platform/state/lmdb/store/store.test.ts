import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { keyOf, openStore, prefixOf, type Store } from './store.ts';

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

test('a decision sees earlier writes in flight', async () => {
  const numbers = store.table<number>('numbers');
  const add = () => store.write(() => numbers.put('n', (numbers.get('n') ?? 0) + 1));
  const rounds = Array.from({ length: 40 }, async () => {
    // Awaiting between writes lets commits interleave with decisions in every order.
    for (let n = 0; n < 50; n += 1) await add();
  });
  await Promise.all(rounds);
  expect(numbers.get('n')).toBe(2_000);
});

test('a viewed number follows every write and removal, before and after they are committed', async () => {
  const numbers = store.table<number>('numbers');
  expect(numbers.view('n')).toBeUndefined();
  const first = store.write(() => numbers.put('n', 1));
  expect([numbers.view('n'), numbers.get('n')]).toEqual([1, 1]);
  const second = store.write(() => numbers.put('n', 2));
  expect([numbers.view('n'), numbers.get('n')]).toEqual([2, 2]);
  await Promise.all([first, second]);
  expect([numbers.view('n'), numbers.get('n')]).toEqual([2, 2]);
  const removed = store.write(() => numbers.remove('n'));
  expect([numbers.view('n'), numbers.get('n')]).toEqual([undefined, undefined]);
  await removed;
  await store.write(() => numbers.put('n', 3));
  expect([numbers.view('n'), numbers.get('n')]).toEqual([3, 3]);
});

test('reads of rows and of ranges agree while commits continue', async () => {
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

test('keys are read in steps, including earlier uncommitted writes and removals', async () => {
  const rows = store.table<number>('rows');
  const name = (number: number): string => keyOf('p', `k${String(number).padStart(4, '0')}`);
  await store.write(() => {
    for (let number = 0; number < 2_000; number += 2) rows.put(name(number), number);
  });
  // Some of each kind are committed only after a step has passed their position.
  const waiting: Promise<unknown>[] = [];
  const model = new Set(Array.from({ length: 1_000 }, (_, index) => name(2 * index)));
  for (let number = 1; number < 2_000; number += 100) {
    waiting.push(store.write(() => rows.put(name(number), number)));
    model.add(name(number));
    waiting.push(store.write(() => rows.remove(name(number + 1))));
    model.delete(name(number + 1));
  }
  const keys = rows.keys(prefixOf('p'));
  let steps = 0;
  let step = keys.next();
  for (; !step.done; step = keys.next()) {
    steps += 1;
    await waiting.shift();
  }
  expect(step.value).toEqual([...model].sort());
  expect(steps).toBeGreaterThan(1);
  await Promise.all(waiting);
});

test('a view is one frozen value until its key is written, then the new value at once', async () => {
  const rows = store.table<{ n: number; tags: string[] }>('rows');
  expect(rows.view('k')).toBeUndefined();
  const first = store.write(() => rows.put('k', { n: 1, tags: ['a'] }));
  expect(rows.view('k')).toEqual({ n: 1, tags: ['a'] });
  await first;
  const seen = rows.view('k');
  expect(rows.view('k')).toBe(seen);
  expect(() => seen?.tags.push('b')).toThrow(TypeError);
  rows.get('k')?.tags.push('only in my copy');
  const second = store.write(() => rows.put('k', { n: 2, tags: [] }));
  expect(rows.view('k')).toEqual({ n: 2, tags: [] });
  await second;
  const third = store.write(() => rows.remove('k'));
  expect(rows.view('k')).toBeUndefined();
  await third;
  expect(rows.view('k')).toBeUndefined();
});

test('writes of many turns share a commit, in which the last one of a key counts', async () => {
  const rows = store.table<number>('rows');
  const done: Promise<void>[] = [];
  for (let n = 0; n < 200; n += 1) {
    done.push(store.write(() => (n % 7 === 6 ? rows.remove('k') : rows.put('k', n))));
    if (n % 3 === 0) await new Promise(setImmediate);
  }
  await Promise.all(done);
  await store.close();
  store = openStore(path.join(folder, 'state.mdb'));
  expect(store.table<number>('rows').get('k')).toBe(199);
});

test('a close waits for decided writes', async () => {
  const rows = store.table<number>('rows');
  await store.write(() => rows.put('k', 1));
  const late = store.write(() => rows.put('k', 2));
  await store.close();
  await late;
  store = openStore(path.join(folder, 'state.mdb'));
  expect(store.table<number>('rows').get('k')).toBe(2);
});

test('a change that throws, or an invalid key, writes nothing at all', async () => {
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
    await expect(refused).rejects.toThrow('too long or contains a NUL');
    expect(rows.get(key)).toBeUndefined();
  }
  expect(rows.entries('')).toEqual([]);
  expect(() => rows.put('outside', 1)).toThrow('inside write');
});

describe('a rewritten file', () => {
  const file = () => path.join(folder, 'state.mdb');
  const isOnDisk = async (text: string): Promise<boolean> => {
    const names = await readdir(folder);
    const found = await Promise.all(names.map(async (name) => readFile(path.join(folder, name))));
    return found.some((bytes) => bytes.includes(text));
  };

  test('a rewritten file contains no replaced or removed data, and everything else', async () => {
    const rows = store.table<string>('rows');
    const others = store.table<number>('others');
    const long = 'x'.repeat(9_000);
    for (let n = 0; n < 300; n += 1)
      await store.write(() => rows.put(`k${n}`, `kept ${n} ${long.slice(n * 25)}`));
    await store.write(() => {
      others.put('o', 7);
      for (const key of ['k7', 'k150', 'new']) rows.put(key, `SECRET of ${key}`);
      rows.put('large', `SECRET of large ${long}`);
    });
    await store.write(() => {
      rows.remove('k7');
      rows.remove('large');
      rows.put('k150', 'replaced');
    });
    // The last change on its page: a gap in a live page still contains the old bytes.
    await store.write(() => rows.remove('new'));
    expect(await isOnDisk('SECRET')).toBe(true);
    await store.rewrite();
    expect(await isOnDisk('SECRET')).toBe(false);
    expect(await readdir(folder)).toEqual(['state.mdb', 'state.mdb-lock']);
    for (const again of [false, true]) {
      if (again) {
        await store.close();
        store = openStore(file());
      }
      const table = again ? store.table<string>('rows') : rows;
      expect(table.entries('')).toHaveLength(299);
      expect([table.get('k7'), table.get('k150'), table.get('k8')]).toEqual([
        undefined,
        'replaced',
        `kept 8 ${long.slice(200)}`,
      ]);
      expect((again ? store.table<number>('others') : others).get('o')).toBe(7);
    }
  });

  test('a rewritten file lacks no write made meanwhile, in the order in which they were decided', async () => {
    const rows = store.table<number>('rows');
    const model = new Map<string, number>();
    // Large enough that a copy takes many turns.
    const ballast = store.table<string>('ballast');
    await store.write(() => {
      for (let n = 0; n < 200; n += 1) ballast.put(`b${n}`, 'x'.repeat(100_000));
    });
    let step = 0;
    let rewrites = 0;
    const rewriting = (async () => {
      for (; rewrites < 6; rewrites += 1) await store.rewrite();
    })();
    const done: Promise<unknown>[] = [];
    while (rewrites < 6) {
      for (let n = 0; n < 20; n += 1) {
        step += 1;
        // Some keys are written repeatedly, others once.
        const key = step % 2 === 0 ? `k${(step * 7919) % 50}` : `once-${step}`;
        const value = step;
        const removes = step % 5 === 0;
        if (removes) model.delete(key);
        else model.set(key, value);
        done.push(store.write(() => (removes ? rows.remove(key) : rows.put(key, value))));
        expect(rows.get(key)).toBe(model.get(key));
      }
      await (step % 3 === 0 ? done.at(-1) : new Promise((resolve) => setImmediate(resolve)));
    }
    await Promise.all([...done, rewriting]);
    const content = () =>
      new Map(
        store
          .table<number>('rows')
          .entries('')
          .map(({ key, value }) => [key, value]),
      );
    expect(new Map(rows.entries('').map(({ key, value }) => [key, value]))).toEqual(model);
    await store.close();
    store = openStore(file());
    expect(content()).toEqual(model);
  });

  test('a close gives up a rewrite, and the next start removes what a crash left of one', async () => {
    const rows = store.table<number>('rows');
    await store.write(() => rows.put('k', 1));
    const rewriting = store.rewrite();
    const [ended] = await Promise.allSettled([rewriting, store.close()]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { name: 'StateUnavailable' } });
    await expect(store.rewrite()).rejects.toMatchObject({ name: 'StateUnavailable' });
    await writeFile(path.join(folder, 'state.mdb.rewrite-1-1'), 'half');
    store = openStore(file());
    expect(store.table<number>('rows').get('k')).toBe(1);
    expect(await readdir(folder)).toEqual(['state.mdb', 'state.mdb-lock']);
  });
});

test('a limited number of read values is cached per table, and the oldest is read again', async () => {
  const rows = store.table<{ readonly n: number }>('rows');
  await store.write(() => {
    for (let n = 0; n <= 10_000; n += 1) rows.put(`k${n}`, { n });
  });
  const first = rows.view('k0');
  expect(rows.view('k0')).toBe(first);
  const last = Array.from({ length: 10_000 }, (_, n) => rows.view(`k${n + 1}`)).at(-1);
  expect(rows.view('k10000')).toBe(last);
  expect(rows.view('k0')).toEqual({ n: 0 });
  expect(rows.view('k0')).not.toBe(first);
});
