import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import { createBatchLoop } from './batch-loop.ts';

/** Processes items in batches, each of which takes `takesMs`. */
function collecting(options: {
  readonly takesMs: number;
  readonly everyMs?: number;
  readonly begins?: 'turn' | 'now';
  readonly concurrency?: number;
}) {
  const { takesMs, everyMs = 0 } = options;
  const batches: { readonly at: number; readonly items: readonly number[] }[] = [];
  let waiting: number[] = [];
  let lastStartedAt = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let most = 0;
  const wake = createBatchLoop({
    ...options,
    dueInMs: () => (waiting.length === 0 ? null : lastStartedAt + everyMs - performance.now()),
    run: async () => {
      lastStartedAt = performance.now();
      batches.push({ at: lastStartedAt, items: waiting });
      waiting = [];
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      inFlight -= 1;
    },
  });
  const add = (item: number): void => {
    waiting.push(item);
    wake();
  };
  return { add, wake, batches, most: () => most };
}

describe('a batch loop', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('calls of one turn share a batch; those made while it is in progress share the next', async () => {
    const { add, batches } = collecting({ takesMs: 10 });
    add(1);
    add(2);
    expect(batches).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    add(3);
    await jest.advanceTimersByTimeAsync(5);
    add(4);
    expect(batches.map(({ items }) => items)).toEqual([[1, 2]]);
    await jest.advanceTimersByTimeAsync(20);
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('a batch that starts immediately does so within the call', () => {
    const { add, batches } = collecting({ takesMs: 10, begins: 'now' });
    add(1);
    add(2);
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
  });

  test('a batch that is not due waits, and starts earlier if it becomes due', async () => {
    let dueInMs: number | null = 50;
    let runs = 0;
    const run = async (): Promise<void> => {
      runs += 1;
      dueInMs = null;
    };
    const wake = createBatchLoop({ dueInMs: () => dueInMs, run });
    wake();
    await jest.advanceTimersByTimeAsync(49);
    expect(runs).toBe(0);
    dueInMs = 0;
    wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(runs).toBe(1);
    await jest.advanceTimersByTimeAsync(100);
    expect(runs).toBe(1);
  });

  test('calls that no longer wait start no batch', async () => {
    let dueInMs: number | null = 50;
    let runs = 0;
    const wake = createBatchLoop({
      dueInMs: () => dueInMs,
      run: async () => {
        runs += 1;
      },
    });
    wake();
    dueInMs = null;
    wake();
    await jest.advanceTimersByTimeAsync(100);
    expect(runs).toBe(0);
  });

  test('in any order of events, no call is lost, duplicated or reordered, and no batch exceeds the concurrency or starts early', async () => {
    const cases = fc.record({
      takesMs: fc.integer({ min: 0, max: 30 }),
      everyMs: fc.integer({ min: 0, max: 30 }),
      begins: fc.constantFrom('turn' as const, 'now' as const),
      concurrency: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
      pausesMs: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ pausesMs, ...options }) => {
        const { add, batches, most } = collecting(options);
        for (const [item, pauseMs] of pausesMs.entries()) {
          add(item);
          if (pauseMs > 0) await jest.advanceTimersByTimeAsync(pauseMs);
        }
        await jest.advanceTimersByTimeAsync(5_000);
        expect(batches.flatMap(({ items }) => items)).toEqual(pausesMs.map((_, item) => item));
        expect(most()).toBeLessThanOrEqual(options.concurrency);
        for (const [n, { at }] of batches.entries())
          if (n > 0) expect(at - batches[n - 1]!.at).toBeGreaterThanOrEqual(options.everyMs);
      }),
      { numRuns: 60 },
    );
  });
});
