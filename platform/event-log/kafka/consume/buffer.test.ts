import { beforeEach, describe, expect, test } from '#jest';
import type { StoredRecord } from '../../port.ts';
import { PartitionBuffer } from './buffer.ts';

const stored = (offset: number, bytes = 10): StoredRecord => ({
  topic: 't',
  partition: 0,
  offset,
  timestamp: 0,
  key: 'k',
  value: Buffer.alloc(bytes),
  headers: {},
});
const range = (from: number, to: number, bytes?: number): StoredRecord[] =>
  Array.from({ length: to - from }, (_, index) => stored(from + index, bytes));

describe('partition buffer', () => {
  let buffer: PartitionBuffer;
  let changes: number;

  beforeEach(() => {
    changes = 0;
    buffer = new PartitionBuffer({
      topic: 't',
      partition: 0,
      maxRecords: 10,
      begin: () => Promise.reject(new Error('not used')),
      onWanted: () => undefined,
    });
    buffer.onChange(() => {
      changes += 1;
    });
  });

  const fill = (from: number, to: number, bytes?: number): void => {
    const wanted = buffer.wanted();
    expect(wanted).toMatchObject({ offset: from });
    buffer.take(wanted!, range(from, to, bytes), to, 100);
  };
  const offsets = (position: number): number[] | null =>
    buffer.next(position)?.records.map(({ offset }) => offset) ?? null;

  test('wants nothing before it is asked where to start', () => {
    expect(buffer.wanted()).toBeNull();
    expect(buffer.next(5)).toBeNull();
    expect(buffer.wanted()).toMatchObject({ offset: 5 });
  });

  test('returns batches of at most the requested number of records, with the end of the partition', () => {
    buffer.next(0);
    fill(0, 9);
    fill(9, 25);
    expect(changes).toBe(2);
    expect(buffer.next(0)).toMatchObject({ nextOffset: 10, end: 100 });
    expect(offsets(10)).toHaveLength(10);
    expect(offsets(20)).toEqual([20, 21, 22, 23, 24]);
    expect(offsets(25)).toBeNull();
  });

  test('stops fetching while enough is buffered, by count and by bytes, and continues after delivery', () => {
    buffer.next(0);
    expect(buffer.full).toBe(false);
    fill(0, 10);
    expect(buffer.wanted()).toBeNull();
    expect(buffer.full).toBe(true);
    buffer.next(0);
    expect(buffer.wanted()).toMatchObject({ offset: 10 });
    fill(10, 11, 1_100_000);
    expect(buffer.wanted()).toBeNull();
  });

  test('a batch ends before it grows beyond 4 MiB, but holds at least one record', () => {
    buffer.next(0);
    buffer.take(buffer.wanted()!, [stored(0, 3_000_000), stored(1, 3_000_000), stored(2, 5_000_000)], 3, 3);
    expect(offsets(0)).toEqual([0]);
    expect(offsets(1)).toEqual([1]);
    expect(offsets(2)).toEqual([2]);
  });

  test('delivered records can be read again without a fetch', () => {
    buffer.next(0);
    fill(0, 8);
    buffer.next(0);
    expect(offsets(3)).toEqual([3, 4, 5, 6, 7]);
    expect(buffer.wanted()).toMatchObject({ offset: 8 });
  });

  test('an offset outside the buffer restarts it, and the answer to the previous request is ignored', () => {
    buffer.next(0);
    fill(0, 5);
    buffer.next(0);
    const old = buffer.wanted()!;
    expect(buffer.next(50)).toBeNull();
    buffer.take(old, range(5, 9), 9, 100);
    expect(offsets(50)).toBeNull();
    expect(buffer.wanted()).toMatchObject({ offset: 50 });
    expect(buffer.next(2)).toBeNull();
    expect(buffer.wanted()).toMatchObject({ offset: 2 });
  });

  test('gaps are skipped, also at the end of a fetch', () => {
    buffer.next(0);
    buffer.take(buffer.wanted()!, [stored(4), stored(6)], 9, 100);
    expect(buffer.next(0)).toMatchObject({ nextOffset: 7 });
    expect(offsets(7)).toBeNull();
    expect(buffer.wanted()).toMatchObject({ offset: 9 });
  });

  test('a failure follows the records fetched before it, and ends when another offset is requested', () => {
    buffer.next(0);
    fill(0, 3);
    buffer.fail(buffer.wanted()!, new Error('gap'));
    expect(buffer.wanted()).toBeNull();
    expect(offsets(0)).toEqual([0, 1, 2]);
    expect(() => buffer.next(3)).toThrow('gap');
    expect(buffer.wanted()).toBeNull();
    expect(buffer.next(40)).toBeNull();
    expect(buffer.wanted()).toMatchObject({ offset: 40 });
  });

  test('a second request at the offset of a reported failure reads the log again', () => {
    buffer.next(0);
    buffer.fail(buffer.wanted()!, new Error('gap'));
    expect(() => buffer.next(0)).toThrow('gap');
    expect(buffer.wanted()).toBeNull();
    expect(buffer.next(0)).toBeNull();
    buffer.fail(buffer.wanted()!, new Error('still a gap'));
    expect(() => buffer.next(0)).toThrow('still a gap');
    expect(buffer.next(0)).toBeNull();
    fill(0, 2);
    expect(offsets(0)).toEqual([0, 1]);
  });

  test('does not fetch while paused', () => {
    buffer.next(0);
    buffer.pause();
    expect(buffer.wanted()).toBeNull();
    expect(buffer.full).toBe(false);
    buffer.resume();
    expect(buffer.wanted()).toMatchObject({ offset: 0 });
  });
});
