import { expect, test } from '#jest';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { isBehind } from './taken-under.ts';

const behind = (read: number, waiting: number): boolean => {
  const records = Array.from({ length: read }, () => ({}) as StoredRecord);
  return isBehind({ topic: 't', partition: 0, records, nextOffset: read, end: read + waiting } as Batch);
};

test('a partition is behind when as much waits as was read, not when a few records came meanwhile', () => {
  expect([behind(80, 0), behind(80, 5), behind(80, 79)]).toEqual([false, false, false]);
  expect([behind(80, 80), behind(3, 400)]).toEqual([true, true]);
});
