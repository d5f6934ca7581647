import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { Semaphore } from './semaphore.ts';

const KEYS = ['a', 'b', 'c'];

/** What happens next: a caller asks, a waiting caller leaves, or the n-th holder of a permit releases it. */
const event = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), key: fc.constantFrom(...KEYS) }),
  fc.record({ kind: fc.constant('leave' as const), index: fc.nat(5) }),
  fc.record({ kind: fc.constant('release' as const), index: fc.nat(5) }),
);

interface Asker {
  readonly key: string;
  readonly number: number;
  readonly leaving: AbortController;
  release: (() => void) | null;
}

test('never grants too many permits, keeps the order within a key, and lets no caller wait for a free permit', async () => {
  const cases = fc.record({
    permits: fc.integer({ min: 1, max: 4 }),
    permitsPerKey: fc.integer({ min: 1, max: 3 }),
    events: fc.array(event, { maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ permits, permitsPerKey, events }) => {
      const semaphore = new Semaphore({ permits, permitsPerKey });
      let waiting: Asker[] = [];
      const holding: Asker[] = [];
      const served = new Map<string, number>();
      let asked = 0;
      const ask = (key: string): void => {
        const asker: Asker = { key, number: asked++, leaving: new AbortController(), release: null };
        waiting.push(asker);
        const permit = semaphore.acquire({ key, signal: asker.leaving.signal });
        permit.then(
          (release) => {
            // First come, first served within the key.
            expect(asker.number).toBeGreaterThan(served.get(key) ?? -1);
            served.set(key, asker.number);
            asker.release = release;
            holding.push(asker);
          },
          () => undefined,
        );
      };
      const holdOf = (key: string): number => holding.filter((one) => one.key === key).length;
      for (const next of events) {
        if (next.kind === 'ask') ask(next.key);
        if (next.kind === 'leave') waiting[next.index]?.leaving.abort(new Error('left'));
        if (next.kind === 'release') {
          const [done] = holding.splice(next.index % Math.max(1, holding.length), 1);
          done?.release?.();
          done?.release?.();
        }
        await turn();
        waiting = waiting.filter((one) => one.release === null && !one.leaving.signal.aborted);
        expect(holding.length).toBeLessThanOrEqual(permits);
        for (const key of KEYS) expect(holdOf(key)).toBeLessThanOrEqual(permitsPerKey);
        // A caller waits only if all permits, or all of its key's, are held.
        for (const { key } of waiting)
          expect(holding.length === permits || holdOf(key) === permitsPerKey).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('a busy key lets another one wait only for permits already held', async () => {
  const semaphore = new Semaphore({ permits: 1 });
  const order: string[] = [];
  const first = await semaphore.acquire({ key: 'a' });
  const held: (() => void)[] = [first!];
  for (const key of ['a', 'a', 'a', 'b']) {
    void semaphore.acquire({ key }).then((release) => {
      order.push(key);
      held.push(release!);
    });
  }
  for (let n = 0; n < 4; n++) {
    held.shift()?.();
    await turn();
  }
  expect(order).toEqual(['a', 'b', 'a', 'a']);
});

test('a key that holds no permit goes before keys that hold some, however long those have waited', async () => {
  const semaphore = new Semaphore({ permits: 4, permitsPerKey: 3 });
  const releases = ['a', 'a', 'b', 'b'].map((key) => semaphore.tryAcquire(key));
  const order: string[] = [];
  for (const key of ['a', 'b', 'a', 'b', 'c', 'c'])
    void semaphore.acquire({ key }).then(() => order.push(key));
  releases[0]!();
  await turn();
  expect(order).toEqual(['c']);
  // Now a and c hold one each, and a has waited longer.
  releases[2]!();
  await turn();
  expect(order).toEqual(['c', 'a']);
});

test('a free permit does not bypass waiting callers', async () => {
  const semaphore = new Semaphore({ permits: 2, permitsPerKey: 1 });
  const held = semaphore.tryAcquire('a');
  void semaphore.acquire({ key: 'a' });
  expect(semaphore.tryAcquire('a')).toBeNull();
  expect(semaphore.tryAcquire('b')).not.toBeNull();
  held?.();
});

test('a caller that may not wait learns why, and how many are waiting', async () => {
  const seen: object[] = [];
  const semaphore = new Semaphore({
    permits: 1,
    mayWait: (waiting) => {
      seen.push(waiting);
      if (waiting.all >= 1) throw new Error('too many wait');
    },
  });
  semaphore.tryAcquire('a');
  void semaphore.acquire({ key: 'a' });
  await expect(semaphore.acquire({ key: 'b' })).rejects.toThrow('too many wait');
  expect(seen).toEqual([
    { ofKey: 0, all: 0 },
    { ofKey: 0, all: 1 },
  ]);
});

test('without room, the newest waiter of the longest queue is rejected, or else the caller', async () => {
  const semaphore = new Semaphore({ permits: 1, room: { waiting: 4, refusal: () => new Error('no room') } });
  const held = semaphore.tryAcquire('a');
  const started: string[] = [];
  const wait = (name: string): Promise<unknown> =>
    semaphore.acquire({ key: name[0]! }).then((release) => {
      started.push(name);
      release?.();
    });
  const greedy = ['b1', 'b2', 'b3', 'b4'].map(wait);
  const [c1, d1, b5] = ['c1', 'd1', 'b5'].map(wait);
  await expect(greedy[3]).rejects.toThrow('no room');
  await expect(greedy[2]).rejects.toThrow('no room');
  await expect(b5).rejects.toThrow('no room');
  const e1 = wait('e1');
  await expect(greedy[1]).rejects.toThrow('no room');
  await expect(wait('f1')).rejects.toThrow('no room');
  held?.();
  await Promise.all([greedy[0], c1, d1, e1]);
  expect(started).toEqual(['b1', 'c1', 'd1', 'e1']);
});

test('a semaphore without permits is refused', () => {
  expect(() => new Semaphore({ permits: 0 })).toThrow(RangeError);
});
