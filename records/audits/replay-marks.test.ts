import { expect, test } from '#jest';
import type { Expiring } from '#platform/state/port.ts';
import { replayMarks } from './replay-marks.ts';

test('a replay mark lives for an hour after its claim, and again after its append', async () => {
  const lives: number[] = [];
  const note = async (_key: string, _value: string, ttlMs: number): Promise<boolean> => lives.push(ttlMs) > 0;
  const expiring = { setIfAbsent: note, set: note } as unknown as Expiring;
  const marks = replayMarks(expiring, () => 0);
  const run = { customerId: 'c', auditId: 'a', generation: 0 };
  const replayer = { by: 'r', at: '2026-11-23T00:00:00.000Z' };
  await marks.claim(run, replayer);
  await marks.appended(run, replayer);
  expect(lives).toEqual([3_600_000, 3_600_000]);
});
