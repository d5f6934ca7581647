import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import { microBatch } from './micro-batch.ts';

describe('at the end of the turn', () => {
  test('questions of one turn share a call, and each gets its own answer', async () => {
    const calls: (readonly number[])[] = [];
    const ask = microBatch(async (questions: readonly number[]) => {
      calls.push(questions);
      return questions.map((each) => each * 10);
    });
    expect(await Promise.all([ask(1), ask(2), ask(1)])).toEqual([10, 20, 10]);
    expect(await ask(3)).toBe(30);
    expect(calls).toEqual([[1, 2, 1], [3]]);
  });

  test('a failure is everyone’s, and the next turn is asked anew', async () => {
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

describe('at once', () => {
  /** Lookups that are answered one by one, by hand. */
  function looksByHand() {
    const looks: { readonly keys: readonly number[]; answer(): void; fail(): void }[] = [];
    const ask = microBatch<number, string>(
      (keys) =>
        new Promise((resolve, reject) => {
          looks.push({
            keys,
            answer: () => resolve(keys.map((key) => `found ${key}`)),
            fail: () => reject(new Error(`look for ${keys.join(', ')}`)),
          });
        }),
      { begins: 'now' },
    );
    return { looks, ask };
  }

  test('a look alone is made at once', async () => {
    const { looks, ask } = looksByHand();
    const found = ask(7);
    expect(looks.map(({ keys }) => keys)).toEqual([[7]]);
    looks[0]!.answer();
    expect(await found).toBe('found 7');
  });

  test('what is asked while a look is under way shares one that begins afterwards, and each gets its own', async () => {
    const { looks, ask } = looksByHand();
    const first = ask(0);
    const others = Array.from({ length: 59 }, (_, n) => ask(n + 1));
    expect(looks).toHaveLength(1);
    looks[0]!.answer();
    await first;
    await turn();
    expect(looks.map(({ keys }) => keys.length)).toEqual([1, 59]);
    const late = ask(60);
    looks[1]!.answer();
    expect(await Promise.all(others)).toEqual(others.map((_, n) => `found ${n + 1}`));
    await turn();
    expect(looks.at(-1)!.keys).toEqual([60]);
    looks[2]!.answer();
    expect(await late).toBe('found 60');
  });

  test('a look that fails is told to those who shared it, and the next is made all the same', async () => {
    const { looks, ask } = looksByHand();
    const first = ask(1);
    const others = [ask(2), ask(3)];
    looks[0]!.fail();
    await expect(first).rejects.toThrow('look for 1');
    const settled = Promise.allSettled(others);
    await turn();
    looks[1]!.fail();
    for (const one of await settled) expect(String((one as PromiseRejectedResult).reason)).toContain('2, 3');
    const next = ask(4);
    looks[2]!.answer();
    expect(await next).toBe('found 4');
  });
});

test('an item may fail by itself', async () => {
  const ask = microBatch(async (items: readonly number[]) =>
    items.map((item) => (item < 0 ? Promise.reject(new Error(`${item}`)) : item)),
  );
  const outcomes = await Promise.allSettled([ask(1), ask(-1), ask(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a batch that answers fewer than asked fails, and nobody gets an answer of another', async () => {
  const ask = microBatch(async (items: readonly number[]) => items.slice(1));
  const outcomes = await Promise.allSettled([ask(1), ask(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

describe('batches apart', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 0 }));
  afterEach(() => void jest.useRealTimers());

  /** Asks at these times, ms, and returns when each batch began, to 10 ms, and with what. */
  async function begun(asked: readonly number[], pace: { everyMs: number; gatherMs?: number }) {
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

  test('the first begins at once, the next so long after it, and one after a pause at once again', async () => {
    expect(await begun([0, 100, 400, 2_000], { everyMs: 500 })).toEqual([
      [0, [0]],
      [500, [100, 400]],
      [2_000, [2_000]],
    ]);
  });

  test('the first of a batch waits for others, but no longer when the batch is later anyway', async () => {
    expect(await begun([0, 60, 300, 590, 2_000, 2_150], { everyMs: 500, gatherMs: 100 })).toEqual([
      [100, [0, 60]],
      [600, [300, 590]],
      [2_100, [2_000]],
      [2_600, [2_150]],
    ]);
  });
});
