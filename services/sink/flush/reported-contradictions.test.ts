import { expect, test } from '#jest';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { FoldRefused } from '../fold/fold-refused.ts';
import { createSink } from '../pipeline.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import { customerIn, decodeLedgerEntry, draftOf, openDetail, storedRecord } from '../testing/sample-log.ts';
import { undisturbed } from '../testing/undisturbed.ts';

/** Logs of a sink about records that repeat an entry with different content. */

const CUSTOMER = customerIn(3);
const incident = (n: number, number: number, offset: number): StoredRecord =>
  storedRecord(draftOf(CUSTOMER, 'INCIDENT_EVENT', n, { number }), offset);

function setUp() {
  const logged: unknown[] = [];
  const counted: number[] = [];
  const sink = undisturbed(
    createSink({
      log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
      store: createMemoryStore(),
      publish: async () => undefined,
      admission: { removePendingMarks: async () => undefined },
      decodeLedgerEntry,
      openDetail,
      epoch: 1,
      now: Date.now,
      logger: {
        warn: () => undefined,
        error: (fields) => logged.push((fields as { offset: number }).offset),
      },
      limits: { minRecords: 1 },
      onContradictions: () => counted.push(logged.length),
    }),
  );
  const takeOver = () =>
    sink.onAssigned({ ...incident(0, 0, 0), start: 0, end: 9, committed: null }).then(() => undefined);
  return { sink, logged, counted, takeOver };
}
const batchOf = (records: readonly StoredRecord[]): Batch => {
  const { topic, partition } = records[0]!;
  const end = records.at(-1)!.offset + 1;
  return { topic, partition, records, nextOffset: end, end };
};

test('retries of a stopped partition do not log its contradictions again; its next owner logs them once', async () => {
  const { sink, logged, counted, takeOver } = setUp();
  const broken = storedRecord({ ...draftOf(CUSTOMER, 'INCIDENT_EVENT', 2, { number: 1 }), v: 2 }, 3);
  const stopped = batchOf([incident(1, 1, 0), incident(1, 2, 1), incident(1, 3, 2), broken]);
  await takeOver();
  for (let retry = 0; retry < 3; retry += 1)
    await expect(sink.process(stopped)).rejects.toBeInstanceOf(FoldRefused);
  expect([logged, counted]).toEqual([[1, 2], [2]]);
  // Once fixed, the partition continues, and later contradictions are logged.
  await sink.process(batchOf([...stopped.records.slice(0, 3), incident(2, 1, 3), incident(1, 4, 4)]));
  expect([logged, counted]).toEqual([
    [1, 2, 4],
    [2, 3],
  ]);
  await takeOver();
  await expect(sink.process(stopped)).rejects.toBeInstanceOf(FoldRefused);
  expect(logged).toEqual([1, 2, 4, 1, 2]);
});
