import { expect, test } from '#jest';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { createSink } from '../pipeline.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import {
  auditIdOf,
  customerIn,
  decodeLedgerEntry,
  draftOf,
  openDetail,
  storedRecord,
} from '../testing/sample-log.ts';
import { undisturbed } from '../testing/undisturbed.ts';
import { EpochMovedOn } from './start-position.ts';

/** An operator starts a new epoch while a sink is running. */

const CUSTOMER = customerIn(3);
const signals = (numbers: readonly number[]): StoredRecord[] =>
  numbers.map((n) => storedRecord(draftOf(CUSTOMER, 'SIGNAL', n), n));
const batchOf = (records: readonly StoredRecord[]): Batch => {
  const end = records.at(-1)!.offset + 1;
  return { ...records[0]!, records, nextOffset: end, end };
};

function setUp() {
  const store = createMemoryStore();
  let current = 1;
  const shared = { ...store, epoch: async () => current };
  const sinkOf = (epoch: number) =>
    undisturbed(
      createSink({
        log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
        store: shared,
        publish: async () => undefined,
        admission: { removePendingMarks: async () => {} },
        decodeLedgerEntry,
        openDetail,
        epoch,
        now: Date.now,
        logger: { warn() {}, error() {} },
        limits: { minRecords: 1 },
      }),
    );
  return {
    store,
    sinkOf,
    moveOn: (epoch: number) => {
      current = epoch;
    },
  };
}

test('a running sink stores no more rows after a new epoch, neither of the ledger nor of the list', async () => {
  const { store, sinkOf, moveOn } = setUp();
  const old = sinkOf(1);
  await old.process(batchOf(signals([0, 1])));
  moveOn(2);
  const young = sinkOf(2);
  await young.process(batchOf(signals([0, 1, 2, 3])));
  await expect(old.process(batchOf(signals([2, 3])))).rejects.toBeInstanceOf(EpochMovedOn);
  const triplet = { ...signals([4])[0]!, topic: TRIPLETS.name, partition: 0, key: auditIdOf(4) };
  await expect(old.process(batchOf([triplet]))).rejects.toThrow('cas migrate --new-epoch');
  // Throws when two rows with one key differ, even only in their epoch.
  const { ledger, audits } = store.final();
  expect(ledger.map(({ index, epoch }) => [index, epoch])).toEqual([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
  ]);
  expect(audits.map(({ auditId }) => auditId)).not.toContain(auditIdOf(4));
});

test('a running sink stores no position of skipped records after a new epoch', async () => {
  const { store, sinkOf, moveOn } = setUp();
  const { topic, partition } = signals([0])[0]!;
  const loss = {
    topic,
    partition,
    offset: 1,
    untilOffset: 4,
    digest: '',
    acceptedAt: '2026-11-01T00:00:00.000Z',
  };
  store.rows.skips.push({ epoch: 1, ...loss });
  const old = sinkOf(1);
  await old.process(batchOf(signals([0, 1])));
  expect(store.rows.positions.map(({ nextOffset }) => nextOffset)).toEqual([1, 2]);
  moveOn(2);
  await expect(old.process(batchOf(signals([2, 3])))).rejects.toBeInstanceOf(EpochMovedOn);
  expect(store.rows.positions).toHaveLength(2);
});

test('a sink that joins with the old epoch cannot start its first partition', async () => {
  const { sinkOf, moveOn } = setUp();
  const late = sinkOf(1);
  moveOn(2);
  const assignment = { topic: LEDGER.name, partition: 3, start: 0, end: 4, committed: null };
  await expect(late.onAssigned(assignment)).rejects.toThrow('the state says log epoch 1, the warehouse 2');
});
