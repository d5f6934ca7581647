import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createFlushQueue, FLUSH_LIMITS } from './flush-queue.ts';

interface Unit {
  readonly name: string;
  readonly size: number;
}

describe('the flush queue', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const setUp = () => {
    const flushes: string[][] = [];
    const running: { end: () => void; fail: (error: Error) => void }[] = [];
    const queue = createFlushQueue<Unit, string>({
      limits: FLUSH_LIMITS,
      now: Date.now,
      flush: (units) => {
        flushes.push(units.map((unit) => unit.name));
        return new Promise((resolve, reject) => {
          running.push({ end: () => resolve(units.map((unit) => `${unit.name} done`)), fail: reject });
        });
      },
    });
    return { flushes, running, queue };
  };

  test('after a pause waits shortly, under work longer, so that parts stay few', async () => {
    const { flushes, running, queue } = setUp();
    const first = queue.add({ name: 'a', size: 1 });
    await jest.advanceTimersByTimeAsync(FLUSH_LIMITS.idleLingerMs - 1);
    expect(flushes).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a']]);
    running[0]!.end();
    expect(await first).toBe('a done');
    void queue.add({ name: 'b', size: 1 });
    await jest.advanceTimersByTimeAsync(FLUSH_LIMITS.lingerMs - 1);
    expect(flushes).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a'], ['b']]);
  });

  test('flushes at once when enough waits, and never two at a time', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add({ name: 'a', size: FLUSH_LIMITS.minRecords });
    expect(flushes).toEqual([['a']]);
    void queue.add({ name: 'b', size: 4_000 });
    void queue.add({ name: 'c', size: 900 });
    void queue.add({ name: 'd', size: 4_000 });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(flushes).toHaveLength(1);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(flushes).toEqual([['a'], ['b', 'c']]);
    running[1]!.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(flushes).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  test('a failed flush fails its units only', async () => {
    const { running, queue } = setUp();
    const first = expect(queue.add({ name: 'a', size: FLUSH_LIMITS.minRecords })).rejects.toThrow('down');
    const second = queue.add({ name: 'b', size: FLUSH_LIMITS.minRecords });
    running[0]!.fail(new Error('down'));
    await first;
    await jest.advanceTimersByTimeAsync(0);
    running[1]!.end();
    expect(await second).toBe('b done');
  });
});
