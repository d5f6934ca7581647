import { describe, expect, test } from '#jest';
import type { ReplayOutcome } from '#schemas/api/dead-letters.ts';
import { processed, type ReplayPoint, replayFrom, startPoint } from './replay-run.ts';

const FILTER = { reason: 'CRASHED' };

const outcome = (replayed: number, nextCursor: string | null, refused = 0): ReplayOutcome => ({
  matched: 5,
  replayed,
  skipped: Array.from({ length: refused }, (_, point) => ({
    auditId: String(point),
    reason: 'RECORD_GONE' as const,
  })),
  nextCursor,
});

function start(answers: readonly (ReplayOutcome | Error)[]) {
  const [left, sent, points] = [[...answers], [] as unknown[], [] as ReplayPoint[]];
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
    onPoint: (point: ReplayPoint) => void points.push(point),
    signal: stop.signal,
  };
  return { calls, sent, points, stop };
}

describe('a replay', () => {
  test('continues after each response with a new key, and counts skipped audits', async () => {
    const { calls, sent } = start([outcome(2, 'c1', 1), outcome(1, null, 1)]);
    const { isDone, progress } = await replayFrom(FILTER, startPoint(5, 'key-0'), calls);
    expect(isDone).toBe(true);
    expect(progress).toEqual({ matched: 5, replayed: 3, skipped: { RECORD_GONE: 2 } });
    expect(processed(progress)).toBe(5);
    expect(sent).toEqual([
      [{ filter: FILTER, dryRun: false }, 'key-0'],
      [{ filter: FILTER, dryRun: false, cursor: 'c1' }, 'key-1'],
    ]);
  });

  test('repeats a failed call when it resumes', async () => {
    const { calls, sent, points } = start([outcome(2, 'c1'), new Error('gone'), outcome(1, null)]);
    await expect(replayFrom(FILTER, startPoint(5, 'key-0'), calls)).rejects.toThrow('gone');
    const { progress } = await replayFrom(FILTER, points.at(-1)!, calls);
    expect(sent[2]).toEqual(sent[1]);
    expect(progress.replayed).toBe(3);
  });

  test('makes no further call once stopped', async () => {
    const { calls, sent, stop } = start([outcome(2, 'c1'), outcome(1, null)]);
    const post = calls.post;
    calls.post = (...args) => {
      stop.abort();
      return post(...args);
    };
    expect(await replayFrom(FILTER, startPoint(5, 'key-0'), calls)).toMatchObject({ isDone: false });
    expect(sent).toHaveLength(1);
  });

  test('ends if the cursor does not move', async () => {
    const { calls, sent } = start([outcome(0, 'c1'), outcome(0, 'c1'), outcome(0, 'c1')]);
    expect(await replayFrom(FILTER, startPoint(5, 'key-0'), calls)).toMatchObject({ isDone: true });
    expect(sent).toHaveLength(2);
  });
});
