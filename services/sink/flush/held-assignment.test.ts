import { expect, test } from '#jest';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { isLagging } from './held-assignment.ts';

const lags = (read: number, waiting: number): boolean => {
  const records = Array.from({ length: read }, () => ({}) as StoredRecord);
  return isLagging({ topic: 't', partition: 0, records, nextOffset: read, end: read + waiting } as Batch);
};

test('a partition lags when as many records wait as were read, not when only a few arrived meanwhile', () => {
  expect([lags(80, 0), lags(80, 5), lags(80, 79)]).toEqual([false, false, false]);
  expect([lags(80, 80), lags(3, 400)]).toEqual([true, true]);
});
