import { describe, expect, test } from '#jest';
import { Semaphore } from './semaphore.ts';

describe('permits', () => {
  const never = new AbortController().signal;

  test('are held up to their number, and granted in order of request', async () => {
    const semaphore = new Semaphore({ permits: 2, clock: () => 0 });
    const [first, second] = await Promise.all([
      semaphore.acquire({ until: 60_000, signal: never }),
      semaphore.acquire({ until: 60_000, signal: never }),
    ]);
    const order: string[] = [];
    const next = async (name: string): Promise<(() => void) | null> => {
      const end = await semaphore.acquire({ until: 60_000, signal: never });
      order.push(name);
      return end;
    };
    const third = next('third');
    const fourth = next('fourth');
    second!();
    second!();
    (await third)!();
    (await fourth)!();
    first!();
    expect(order).toEqual(['third', 'fourth']);
    expect(await semaphore.acquire({ until: 60_000, signal: never })).not.toBeNull();
  });

  test('are not granted after the deadline', async () => {
    const semaphore = new Semaphore({ permits: 1, clock: () => 0 });
    const end = await semaphore.acquire({ until: 1, signal: never });
    expect(await semaphore.acquire({ until: 0, signal: never })).toBeNull();
    expect(await semaphore.acquire({ until: 5, signal: never })).toBeNull();
    end!();
    expect(await semaphore.acquire({ until: 5, signal: never })).not.toBeNull();
  });

  test('are not granted to callers that stopped waiting', async () => {
    const semaphore = new Semaphore({ permits: 1, clock: () => 0 });
    const end = await semaphore.acquire({ until: 60_000, signal: never });
    const lost = new AbortController();
    const waiting = semaphore.acquire({ until: 60_000, signal: lost.signal });
    lost.abort(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
    await expect(semaphore.acquire({ until: 60_000, signal: lost.signal })).rejects.toThrow('lost');
    end!();
    expect(await semaphore.acquire({ until: 60_000, signal: never })).not.toBeNull();
  });
});
