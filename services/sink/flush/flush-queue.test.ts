import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import { createFlushQueue, FLUSH_LIMITS } from './flush-queue.ts';

interface Unit {
  readonly name: string;
  readonly topicPartition: string;
  readonly size: number;
  readonly isLagging: boolean;
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

  const unit = (name: string, size = 1, isLagging = false): Unit => ({
    name,
    topicPartition: name,
    size,
    isLagging,
  });
  const kept = new AbortController().signal;
  const { everyMs, fewEveryMs, restMs, manyRecords, settleMs, lingerMs, idleLingerMs, minRecords } =
    FLUSH_LIMITS;

  test('waits briefly after a pause, and until the next flush is due after a flush', async () => {
    const { flushes, running, queue } = setUp();
    const first = queue.add(unit('a'), kept);
    await jest.advanceTimersByTimeAsync(idleLingerMs - 1);
    expect(flushes).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a']]);
    running[0]!.end();
    expect(await first).toBe('a done');
    void queue.add(unit('b', manyRecords), kept);
    await jest.advanceTimersByTimeAsync(fewEveryMs + settleMs - 1);
    expect(flushes).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a'], ['b']]);
    running[1]!.end();
    await jest.advanceTimersByTimeAsync(0);
    void queue.add(unit('c'), kept);
    await jest.advanceTimersByTimeAsync(everyMs + settleMs - 1);
    expect(flushes).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(flushes).toEqual([['a'], ['b'], ['c']]);
  });

  test('the next flush waits after a slow one, and partitions linger until then', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('a', manyRecords), kept);
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    void queue.add(unit('b', manyRecords), kept);
    let rested = false;
    void queue.due().then(() => {
      rested = true;
    });
    await jest.advanceTimersByTimeAsync(3 * everyMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(restMs - 1);
    expect([flushes.length, rested]).toEqual([1, false]);
    await jest.advanceTimersByTimeAsync(1 + settleMs);
    expect([flushes, rested]).toEqual([[['a'], ['b']], true]);
  });

  test('partitions that linger until a flush is due join it with everything that arrived', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('first', manyRecords), kept);
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    for (const [n, name] of ['a', 'b', 'c'].entries()) {
      void queue.due().then(async () => {
        // Reading and opening takes a while for each record.
        await new Promise((resolve) => setTimeout(resolve, n * (settleMs - 1)));
        void queue.add(unit(name, manyRecords), kept);
      });
    }
    await jest.advanceTimersByTimeAsync(everyMs - 1);
    expect(flushes).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(lingerMs);
    expect(flushes).toEqual([['first'], ['a', 'b', 'c']]);
  });

  test('a unit that waits until a flush is due does not exclude lingering partitions', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('first', manyRecords), kept);
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    void queue.add(unit('early', manyRecords), kept);
    void queue.due().then(async () => {
      await new Promise((resolve) => setTimeout(resolve, settleMs - 1));
      void queue.add(unit('rested', manyRecords), kept);
    });
    await jest.advanceTimersByTimeAsync(everyMs + lingerMs);
    expect(flushes).toEqual([['first'], ['early', 'rested']]);
  });

  test('a steady stream of units does not delay a flush forever', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('first'), kept);
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(fewEveryMs);
    for (let waitedMs = 0; waitedMs < lingerMs; waitedMs += settleMs - 1) {
      expect(flushes).toHaveLength(1);
      void queue.add(unit(`after ${waitedMs} ms`), new AbortController().signal);
      await jest.advanceTimersByTimeAsync(settleMs - 1);
    }
    expect(flushes).toHaveLength(2);
  });

  test('a lagging partition does not wait', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('a', manyRecords, true), kept);
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    void queue.add(unit('b', manyRecords), kept);
    void queue.add(unit('c', manyRecords, true), kept);
    await jest.advanceTimersByTimeAsync(settleMs);
    expect(flushes).toEqual([['a'], ['b', 'c']]);
  });

  test('flushes at once when enough records wait, one flush at a time, within its size limit', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('a', minRecords), kept);
    expect(flushes).toEqual([['a']]);
    void queue.add(unit('b', minRecords), kept);
    void queue.add(unit('c', FLUSH_LIMITS.maxRecords - minRecords), kept);
    void queue.add(unit('d', minRecords), kept);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(flushes).toHaveLength(1);
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(flushes).toEqual([['a'], ['b', 'c']]);
    running[1]!.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(flushes).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  test('a failed flush fails only its own units', async () => {
    const { running, queue } = setUp();
    const first = expect(queue.add(unit('a', minRecords), kept)).rejects.toThrow('down');
    const second = queue.add(unit('b', minRecords), kept);
    running[0]!.fail(new Error('down'));
    await first;
    await jest.advanceTimersByTimeAsync(0);
    running[1]!.end();
    expect(await second).toBe('b done');
  });

  test('a unit whose assignment is lost while it waits is withdrawn and never flushed', async () => {
    const { flushes, running, queue } = setUp();
    void queue.add(unit('a', minRecords), kept);
    const lost = new AbortController();
    const withdrawn = expect(queue.add(unit('b', minRecords), lost.signal)).rejects.toThrow('lost');
    void queue.add(unit('c', minRecords), kept);
    lost.abort(new Error('lost'));
    await withdrawn;
    running[0]!.end();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(flushes).toEqual([['a'], ['c']]);
    // Another assignment may add a unit of this partition again; an assignment that is already lost adds nothing.
    void queue.add(unit('b', minRecords), kept);
    await expect(queue.add(unit('d'), lost.signal)).rejects.toThrow('lost');
    running[1]!.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(flushes).toEqual([['a'], ['c'], ['b']]);
  });

  test('a unit in a running flush is awaited even if its assignment is lost', async () => {
    const { running, queue } = setUp();
    const lost = new AbortController();
    let settled = false;
    const flushed = queue.add(unit('a', minRecords), lost.signal).finally(() => {
      settled = true;
    });
    lost.abort(new Error('lost'));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(settled).toBe(false);
    running[0]!.end();
    expect(await flushed).toBe('a done');
  });

  test('rejects a second unit of a partition while the first waits or is being flushed', async () => {
    const { running, queue } = setUp();
    const first = queue.add(unit('a'), kept);
    await expect(queue.add(unit('a'), kept)).rejects.toThrow('two concurrent units for a');
    await jest.advanceTimersByTimeAsync(idleLingerMs);
    await expect(queue.add(unit('a'), kept)).rejects.toThrow('two concurrent units for a');
    running[0]!.end();
    expect(await first).toBe('a done');
    void queue.add(unit('a'), kept);
  });
});
