import { describe, expect, test } from '#jest';
import { LogGap, type StoredRecord } from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import { checkStart, decideStart, SinkRefused, type StartFacts, startPosition } from './start-position.ts';

const record: StoredRecord = {
  topic: LEDGER.name,
  partition: 2,
  offset: 41,
  key: 'customer',
  value: Buffer.from('bytes'),
  headers: { a: '1', b: '2' },
  timestamp: 1_000,
};
const assignment = { topic: LEDGER.name, partition: 2, start: 10, end: 60, committed: 42 };
const position = { nextOffset: 42, lastDigest: recordDigest(record) };
const facts: StartFacts = { assignment, epoch: 1, warehouseEpoch: 1, position, before: record };
const decide = (change: Partial<StartFacts>, range: Partial<StartFacts['assignment']> = {}): number =>
  decideStart({ ...facts, ...change, assignment: { ...assignment, ...range } });

describe("the sink starts at the warehouse's position", () => {
  test.each([
    ['whatever the group says: behind', {}, { committed: 12 }],
    ['ahead', {}, { committed: 60 }],
    ['nothing', {}, { committed: null }],
    ['with the record before deleted by retention', { before: null }, { start: 42 }],
    ['at the end of the log', { before: record }, { end: 42 }],
    ['a position of a new epoch has no record before', { position: { nextOffset: 42, lastDigest: '' } }, {}],
  ])('%s', (_name, change, range) => {
    expect(decide(change, range)).toBe(42);
  });
  test('starts at the first record when nothing was stored or read', () => {
    expect(decide({ position: null, before: null }, { start: 0, committed: null })).toBe(0);
    expect(decide({ position: null, before: null }, { start: 0, committed: 0 })).toBe(0);
  });
});

describe('rejects a log and warehouse that contradict each other', () => {
  test.each([
    ['epochs', { warehouseEpoch: 2 }, {}, 'log epoch 1, the warehouse 2'],
    ['no epoch in the warehouse', { warehouseEpoch: null }, {}, 'the warehouse none'],
    ['an emptied warehouse', { position: null, before: null }, { start: 0 }, 'its rows were lost'],
    [
      'nothing stored, and the first records are gone',
      { position: null },
      { committed: null },
      'deleted unread',
    ],
    ['a shorter log', {}, { end: 41 }, 'lost or recreated'],
    ['another value', { before: { ...record, value: Buffer.from('bytez') } }, {}, 'was replaced'],
    ['another header', { before: { ...record, headers: { a: '1', b: '3' } } }, {}, 'was replaced'],
    ['another key', { before: { ...record, key: 'other' } }, {}, 'was replaced'],
  ])('%s', (_name, change, range, text) => {
    const attempt = () => decide(change, range);
    expect(attempt).toThrow(SinkRefused);
    expect(attempt).toThrow(text);
    expect(attempt).toThrow('cas migrate --new-epoch');
  });
});

test('records deleted before they were read are a gap, from the position to the start of the log', () => {
  const attempt = () => decide({}, { start: 43 });
  expect(attempt).toThrow(LogGap);
  expect(attempt).toThrow('deleted unread');
  expect(attempt).toThrow(expect.objectContaining({ offset: 42, untilOffset: 43 }));
});

test('the digest distinguishes adjacent fields, but not the order of headers', () => {
  const digest = (change: Partial<StoredRecord>): string => recordDigest({ ...record, ...change });
  expect(digest({ headers: { b: '2', a: '1' } })).toBe(recordDigest(record));
  expect(digest({ headers: { a: '1b', '': '2' } })).not.toBe(recordDigest(record));
  expect(digest({ key: 'customerb', value: Buffer.from('ytes') })).not.toBe(digest({ key: 'customer' }));
});

test('reads the furthest position, and the record before it from the log', async () => {
  const store = createMemoryStore(1);
  const row = { epoch: 1, topic: LEDGER.name, partition: 2, lastAt: '2026-01-01T00:00:00.000Z' };
  await store.insert('positions', [
    { ...row, nextOffset: 42, lastDigest: recordDigest(record) },
    { ...row, nextOffset: 30, lastDigest: 'older' },
    { ...row, epoch: 2, nextOffset: 50, lastDigest: 'another epoch' },
  ]);
  const asked: number[] = [];
  const log = {
    read: async (_topic: string, _partition: number, offset: number) => {
      asked.push(offset);
      return record;
    },
    bounds: async () => ({ start: assignment.start, end: 45 }),
  };
  expect(await startPosition(assignment, { log, store, epoch: 1 })).toBe(42);
  expect(asked).toEqual([41]);
  // The end in the assignment is outdated when another sink has stored records appended since.
  expect(await startPosition({ ...assignment, end: 40 }, { log, store, epoch: 1 })).toBe(42);
  const short = { ...log, bounds: async () => ({ start: assignment.start, end: 41 }) };
  await expect(
    startPosition({ ...assignment, end: 40 }, { log: short, store, epoch: 1 }),
  ).rejects.toBeInstanceOf(SinkRefused);
});

test('before a start, a partition that contradicts the warehouse affects only itself if another proves the log', async () => {
  const store = createMemoryStore(1);
  const row = { epoch: 1, topic: LEDGER.name, lastAt: '2026-01-01T00:00:00.000Z' };
  const positionOf = (partition: number, lastDigest: string) => ({
    ...row,
    partition,
    nextOffset: 42,
    lastDigest,
  });
  await store.insert('positions', [
    positionOf(2, recordDigest(record)),
    positionOf(3, recordDigest({ ...record, partition: 3 })),
    positionOf(4, 'gone'),
  ]);
  const log = {
    read: async (_topic: string, partition: number) => ({ ...record, partition }),
    bounds: async () => ({ start: 10, end: 60 }),
  };
  const dependencies = { log, store, epoch: 1 };
  const [same, cut, gap] = [
    { ...assignment, partition: 2 },
    { ...assignment, partition: 3, end: 41 },
    { ...assignment, partition: 4, start: 43 },
  ];
  const shorter = { ...dependencies, log: { ...log, bounds: async () => ({ start: 10, end: 41 }) } };
  await expect(checkStart([cut], shorter)).rejects.toBeInstanceOf(SinkRefused);
  await expect(checkStart([cut, same], shorter)).resolves.toBeUndefined();
  // A log in one file is not lost in part.
  await expect(checkStart([cut, same], shorter, { isOneFile: true })).rejects.toBeInstanceOf(SinkRefused);
  // A single topic may have been recreated.
  await store.insert('positions', [{ ...positionOf(2, recordDigest(record)), topic: TRIPLETS.name }]);
  await expect(checkStart([cut, { ...same, topic: TRIPLETS.name }], shorter)).rejects.toBeInstanceOf(
    SinkRefused,
  );
  // The record before a gap is gone, so a gap proves nothing, but does not prevent a start either.
  const later = { ...dependencies, log: { ...log, bounds: async () => ({ start: 43, end: 60 }) } };
  await expect(checkStart([gap], later)).resolves.toBeUndefined();
  await expect(checkStart([gap, { ...cut, start: 43 }], shorter)).rejects.toBeInstanceOf(SinkRefused);
});
