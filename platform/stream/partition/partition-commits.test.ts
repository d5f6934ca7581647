import { expect, test } from '#jest';
import { StalePartition } from '#platform/event-log/port.ts';
import { partitionCommits } from './partition-commits.ts';

const { signal } = new AbortController();

function setUp() {
  const committed: number[] = [];
  let refuse: Error | null = null;
  let open: (() => void) | null = null;
  const commits = partitionCommits({
    topic: 't',
    partition: 0,
    queue: {
      commit: async (_topic, _partition, nextOffset) => {
        const offset = nextOffset();
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        if (refuse !== null) throw refuse;
        committed.push(offset);
        return offset;
      },
      hurry: () => undefined,
    },
    retrying: { retry: async (_signal, work) => work(), reachable: () => true },
  });
  const refuseWith = (error: Error): void => {
    refuse = error;
  };
  return { commits, committed, refuseWith, answer: () => open?.() };
}

/** Lets all promises that can settle do so. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each([0, 1, 2, 3, 4, 5, 6, 8, 10])(
  'work done %i steps after the answer to the previous commit is committed too',
  async (steps) => {
    const { commits, committed, answer } = setUp();
    await commits.done(1, signal);
    answer();
    for (let step = 0; step < steps; step++) await undefined;
    await commits.done(2, signal);
    for (let turns = 0; turns < 3; turns++) {
      await turn();
      answer();
    }
    await commits.settled(signal);
    expect(committed).toEqual([1, 2]);
  },
);

test('a lost partition rejects its waiters, and continues once it is owned again', async () => {
  const { commits, committed, refuseWith, answer } = setUp();
  refuseWith(new StalePartition('t', 0));
  await commits.done(1, signal);
  const settled = expect(commits.settled(signal)).rejects.toBeInstanceOf(StalePartition);
  answer();
  await settled;
  expect(committed).toEqual([]);
  await commits.done(2, signal);
});

test('a commit that fails for another reason is a bug', async () => {
  const { commits, refuseWith, answer } = setUp();
  refuseWith(new RangeError('no offset'));
  await commits.done(1, signal);
  answer();
  await turn();
  await expect(commits.done(2, signal)).rejects.toBeInstanceOf(RangeError);
});

test('waiting for a commit ends with the signal', async () => {
  const { commits } = setUp();
  const lost = new AbortController();
  await commits.done(1, signal);
  const settled = expect(commits.settled(lost.signal)).rejects.toThrow('lost');
  lost.abort(new Error('lost'));
  await settled;
});
