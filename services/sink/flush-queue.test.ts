import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createFlushQueue, FLUSH_LIMITS } from './flush-queue.ts';

interface Unit {
  readonly name: string;
  readonly size: number;
  readonly behind: boolean;
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
      now: () => performance.now(),
      flush: (units) => {
        flushes.push(units.map((unit) => unit.name));
        return new Promise((resolve, reject) => {
          running.push({ end: () => resolve(units.map((unit) => `${unit.name} done`)), fail: reject });
        });
      },
    });
    return { flushes, running, queue };
  };

  const unit = (name: string, size = 1, behind = false): Unit => ({ name, size, behind });
  const { everyMs, fewEveryMs, manyRecords, settleMs, lingerMs, idleLingerMs, minRecords } = FLUSH_LIMITS;

  test('after a pause waits shortly, after a flush until the next one is due', async () => {
    const { flushes, running, queue } = setUp();
    const first = queue.add(unit('a'));
    await jest.advanceTimersByTimeAsync(idleLingerMs - 1);
    expect(flushes).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a']]);
    running[0]!.end();
    expect(await first).toBe('a done');
    void queue.add(unit('b', manyRecords));
    await jest.advanceTimersByTimeAsync(fewEveryMs + settleMs - 1);
    expect(flushes).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a'], ['b']]);
    running[1]!.end();
    await jest.advanceTimersByTimeAsync(0);
    void queue.add(unit('c'));
    await jest.advanceTimersByTimeAsync(everyMs + settleMs - 1);
    expect(flushes).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a'], ['b'], ['c']]);
  });

  test('partitions that rest until a flush is due join it with all that came until then', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('first', manyRecords));
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    for (const [n, name] of ['a', 'b', 'c'].entries()) {
      void queue.due().then(async () => {
        // Reading and opening takes each of them a while.
        await new Promise((resolve) => setTimeout(resolve, n * (settleMs - 1)));
        void queue.add(unit(name, manyRecords));
      });
    }
    await jest.advanceTimersByTimeAsync(everyMs - 1);
    expect(flushes).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(lingerMs);
    expect(flushes).toEqual([['first'], ['a', 'b', 'c']]);
  });

  test('a unit that waits until a flush is due does not leave behind those that rest until then', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('first', manyRecords));
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    void queue.add(unit('early', manyRecords));
    void queue.due().then(async () => {
      await new Promise((resolve) => setTimeout(resolve, settleMs - 1));
      void queue.add(unit('rested', manyRecords));
    });
    await jest.advanceTimersByTimeAsync(everyMs + lingerMs);
    expect(flushes).toEqual([['first'], ['early', 'rested']]);
  });

  test('units that keep coming do not hold a flush back for ever', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('first'));
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(fewEveryMs);
    for (let waitedMs = 0; waitedMs < lingerMs; waitedMs += settleMs - 1) {
      expect(flushes).toHaveLength(1);
      void queue.add(unit('next'));
      await jest.advanceTimersByTimeAsync(settleMs - 1);
    }
    expect(flushes).toHaveLength(2);
  });

  test('who is behind waits for nobody', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('a', manyRecords, true));
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    void queue.add(unit('b', manyRecords));
    void queue.add(unit('c', manyRecords, true));
    await jest.advanceTimersByTimeAsync(settleMs);
    expect(flushes).toEqual([['a'], ['b', 'c']]);
  });

  test('flushes at once when enough waits, never two at a time, and never much more than it may hold', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('a', minRecords));
    expect(flushes).toEqual([['a']]);
    void queue.add(unit('b', minRecords));
    void queue.add(unit('c', FLUSH_LIMITS.maxRecords - minRecords));
    void queue.add(unit('d', minRecords));
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
    const first = expect(queue.add(unit('a', minRecords))).rejects.toThrow('down');
    const second = queue.add(unit('b', minRecords));
    running[0]!.fail(new Error('down'));
    await first;
    await jest.advanceTimersByTimeAsync(0);
    running[1]!.end();
    expect(await second).toBe('b done');
  });
});
