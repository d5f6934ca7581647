import { describe, expect, test } from '#jest';
import type { ReplayOutcome } from '#schemas/api/dead-letters.ts';
import { beginning, lookedAt, type ReplayPlace, replayFrom } from './replay-run.ts';

const FILTER = { reason: 'CRASHED' };

const outcome = (replayed: number, nextCursor: string | null, refused = 0): ReplayOutcome => ({
  matched: 5,
  replayed,
  skipped: Array.from({ length: refused }, (_, place) => ({
    auditId: String(place),
    reason: 'RECORD_GONE' as const,
  })),
  nextCursor,
});

function start(answers: readonly (ReplayOutcome | Error)[]) {
  const [left, sent, places] = [[...answers], [] as unknown[], [] as ReplayPlace[]];
  const stop = new AbortController();
  let keys = 0;
  const calls = {
    post: async (body: unknown, key: string | undefined) => {
      sent.push([body, key]);
      const answer = left.shift()!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    newKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
    onPlace: (place: ReplayPlace) => void places.push(place),
    signal: stop.signal,
  };
  return { calls, sent, places, stop };
}

describe('a replay', () => {
  test('goes on behind each answer with a key of its own, and counts what was skipped', async () => {
    const { calls, sent } = start([outcome(2, 'c1', 1), outcome(1, null, 1)]);
    const { isDone, progress } = await replayFrom(FILTER, beginning(5, 'key-0'), calls);
    expect(isDone).toBe(true);
    expect(progress).toEqual({ matched: 5, replayed: 3, skipped: { RECORD_GONE: 2 } });
    expect(lookedAt(progress)).toBe(5);
    expect(sent).toEqual([
      [{ filter: FILTER, dryRun: false }, 'key-0'],
      [{ filter: FILTER, dryRun: false, cursor: 'c1' }, 'key-1'],
    ]);
  });

  test('whose call fails goes on with the same call', async () => {
    const { calls, sent, places } = start([outcome(2, 'c1'), new Error('gone'), outcome(1, null)]);
    await expect(replayFrom(FILTER, beginning(5, 'key-0'), calls)).rejects.toThrow('gone');
    const { progress } = await replayFrom(FILTER, places.at(-1)!, calls);
    expect(sent[2]).toEqual(sent[1]);
    expect(progress.replayed).toBe(3);
  });

  test('that is stopped begins no further call', async () => {
    const { calls, sent, stop } = start([outcome(2, 'c1'), outcome(1, null)]);
    const post = calls.post;
    calls.post = (...args) => {
      stop.abort();
      return post(...args);
    };
    expect(await replayFrom(FILTER, beginning(5, 'key-0'), calls)).toMatchObject({ isDone: false });
    expect(sent).toHaveLength(1);
  });

  test('ends where the place does not move', async () => {
    const { calls, sent } = start([outcome(0, 'c1'), outcome(0, 'c1'), outcome(0, 'c1')]);
    expect(await replayFrom(FILTER, beginning(5, 'key-0'), calls)).toMatchObject({ isDone: true });
    expect(sent).toHaveLength(2);
  });
});
