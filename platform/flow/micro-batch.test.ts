import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import { microBatch } from './micro-batch.ts';

describe('batches that start at the end of the turn', () => {
  test('share one call for a turn’s items, and give each its own result', async () => {
    const calls: (readonly number[])[] = [];
    const ask = microBatch(async (questions: readonly number[]) => {
      calls.push(questions);
      return questions.map((each) => each * 10);
    });
    expect(await Promise.all([ask(1), ask(2), ask(1)])).toEqual([10, 20, 10]);
    expect(await ask(3)).toBe(30);
    expect(calls).toEqual([[1, 2, 1], [3]]);
  });

  test('fail for all callers, and the next turn calls again', async () => {
    let fails = true;
    const ask = microBatch(async (questions: readonly string[]) => {
      if (fails) throw new Error('away');
      return questions;
    });
    const outcomes = await Promise.allSettled([ask('a'), ask('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await ask('c')).toBe('c');
  });
});

describe('batches that start immediately', () => {
  /** Lookups whose results the test returns one by one. */
  function manualLookups() {
    const lookups: { readonly keys: readonly number[]; answer(): void; fail(): void }[] = [];
    const ask = microBatch<number, string>(
      (keys) =>
        new Promise((resolve, reject) => {
          lookups.push({
            keys,
            answer: () => resolve(keys.map((key) => `found ${key}`)),
            fail: () => reject(new Error(`look for ${keys.join(', ')}`)),
          });
        }),
      { begins: 'now' },
    );
    return { lookups, ask };
  }

  test('run a single lookup immediately', async () => {
    const { lookups, ask } = manualLookups();
    const found = ask(7);
    expect(lookups.map(({ keys }) => keys)).toEqual([[7]]);
    lookups[0]!.answer();
    expect(await found).toBe('found 7');
  });

  test('collect lookups made during another one, start afterwards, and give each its own result', async () => {
    const { lookups, ask } = manualLookups();
    const first = ask(0);
    const others = Array.from({ length: 59 }, (_, n) => ask(n + 1));
    expect(lookups).toHaveLength(1);
    lookups[0]!.answer();
    await first;
    await turn();
    expect(lookups.map(({ keys }) => keys.length)).toEqual([1, 59]);
    const late = ask(60);
    lookups[1]!.answer();
    expect(await Promise.all(others)).toEqual(others.map((_, n) => `found ${n + 1}`));
    await turn();
    expect(lookups.at(-1)!.keys).toEqual([60]);
    lookups[2]!.answer();
    expect(await late).toBe('found 60');
  });

  test('reject all callers that share a failed lookup, and run the next one anyway', async () => {
    const { lookups, ask } = manualLookups();
    const first = ask(1);
    const others = [ask(2), ask(3)];
    lookups[0]!.fail();
    await expect(first).rejects.toThrow('look for 1');
    const settled = Promise.allSettled(others);
    await turn();
    lookups[1]!.fail();
    for (const one of await settled) expect(String((one as PromiseRejectedResult).reason)).toContain('2, 3');
    const next = ask(4);
    lookups[2]!.answer();
    expect(await next).toBe('found 4');
  });
});

test('one item may fail on its own', async () => {
  const ask = microBatch(async (items: readonly number[]) =>
    items.map((item) => (item < 0 ? Promise.reject(new Error(`${item}`)) : item)),
  );
  const outcomes = await Promise.allSettled([ask(1), ask(-1), ask(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a batch with too few results fails, and no caller gets another’s result', async () => {
  const ask = microBatch(async (items: readonly number[]) => items.slice(1));
  const outcomes = await Promise.allSettled([ask(1), ask(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

describe('spaced batches', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 0 }));
  afterEach(() => void jest.useRealTimers());

  /** Makes calls at these times, ms, and returns when each batch started, to 10 ms, and its items. */
  async function batchesOf(asked: readonly number[], pace: { everyMs: number; gatherMs?: number }) {
    const batches: [number, readonly number[]][] = [];
    const ask = microBatch(async (items: readonly number[]) => {
      batches.push([Math.round(performance.now() / 10) * 10, items]);
      return items;
    }, pace);
    const answers = asked.map(async (at) => {
      await new Promise((resolve) => setTimeout(resolve, at));
      return ask(at);
    });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(answers)).toEqual(asked);
    return batches;
  }

  test('start the first immediately, the next after the interval, and one after a pause immediately again', async () => {
    expect(await batchesOf([0, 100, 400, 2_000], { everyMs: 500 })).toEqual([
      [0, [0]],
      [500, [100, 400]],
      [2_000, [2_000]],
    ]);
  });

  test('let the first call wait for others, but no longer if the batch starts later anyway', async () => {
    expect(await batchesOf([0, 60, 300, 590, 2_000, 2_150], { everyMs: 500, gatherMs: 100 })).toEqual([
      [100, [0, 60]],
      [600, [300, 590]],
      [2_100, [2_000]],
      [2_600, [2_150]],
    ]);
  });
});
