import { describe, expect, test } from '#jest';
import { Undecodable } from '#platform/codec/port.ts';
import { type Batch, LogUnavailable, type StoredRecord } from '#platform/event-log/port.ts';
import { KeyAbsent, MasterKeyMismatch } from '#platform/sealing/port.ts';
import { StateUnavailable } from '#platform/state/port.ts';
import { WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { inErasureChunks } from './flush/chunks.ts';
import { FoldRefused } from './fold/fold-refused.ts';
import { createSink, type SinkOptions } from './pipeline.ts';
import { SinkRefused } from './start/start-position.ts';
import { createMemoryStore, type MemoryStore } from './testing/memory-store.ts';
import {
  auditIdOf,
  customerIn,
  decodeLedgerEntry,
  draftOf,
  erasureCore,
  headersOf,
  openDetail,
  opened,
  signalCore,
  storedRecord,
} from './testing/sample-log.ts';
import { undisturbed } from './testing/undisturbed.ts';

const CUSTOMER = customerIn(3);

const signals = (numbers: readonly number[], customerId = CUSTOMER): StoredRecord[] =>
  numbers.map((n) => storedRecord(draftOf(customerId, 'SIGNAL', n), n));
const triplets = (numbers: readonly number[]): StoredRecord[] =>
  numbers.map((n) => ({
    ...storedRecord(draftOf(CUSTOMER, 'SIGNAL', n), n),
    topic: TRIPLETS.name,
    partition: 0,
    key: auditIdOf(n),
    value: Buffer.from('sealed'),
  }));
const batchOf = (records: readonly StoredRecord[]): Batch => {
  const { topic, partition } = records[0]!;
  const end = records.at(-1)!.offset + 1;
  return { topic, partition, records, nextOffset: end + 3, end: end + 3 };
};

function setUp(change: Partial<SinkOptions> = {}) {
  const store = createMemoryStore();
  const marks: string[][] = [];
  const counted: [string, number][] = [];
  const options: SinkOptions = {
    log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
    store,
    publish: async () => undefined,
    admission: {
      removePendingMarks: async (removed) => {
        marks.push(removed.map(({ auditId }) => auditId));
      },
    },
    decodeLedgerEntry,
    openDetail,
    epoch: 1,
    now: Date.now,
    logger: { warn() {}, error() {} },
    metrics: { unreadable: (topic, records) => counted.push([topic, records]) },
    limits: { minRecords: 1 },
    ...change,
  };
  return { store, marks, counted, options, sink: undisturbed(createSink(options)) };
}

describe('a flush', () => {
  test('inserts content and ids, chain, tombstones and list, publishes its entries and stores positions, in this order', async () => {
    const points: string[] = [];
    const inserts: string[] = [];
    const published: (readonly [string, number, string | null])[] = [];
    const { store, sink } = setUp({
      probe: (point) => points.push(point),
      publish: async (entries) => {
        inserts.push('publish');
        published.push(...entries.map(({ kind, index, core }) => [kind, index, core] as const));
      },
    });
    const { insert } = store;
    Object.assign(store, {
      insert: async (table: 'ledger', rows: object[]) => {
        inserts.push(table);
        await insert(table, rows);
      },
    });
    const erasure = storedRecord(draftOf(CUSTOMER, 'ERASURE', 2, erasureCore({ ranges: [[0, 0]] })), 2);
    await sink.process(batchOf([...signals([1]), erasure]));
    expect(inserts).toEqual([
      'signals',
      'entries',
      'ledger_ids',
      'ledger',
      'signals',
      'audits',
      'publish',
      'positions',
    ]);
    expect(published).toEqual([
      ['SIGNAL', 0, expect.stringContaining('"auditId"')],
      ['ERASURE', 1, expect.stringContaining('"ranges"')],
    ]);
    const steps = ['content', 'ledger', 'tombstones', 'audits', 'publish', 'positions'];
    expect(points).toEqual(steps.flatMap((step) => [`sink.before-${step}`, `sink.after-${step}`]));
  });

  test('combines the waiting partitions', async () => {
    const { store, sink } = setUp({ limits: { minRecords: 4 } });
    const other = customerIn(8);
    await Promise.all([
      sink.process(batchOf(signals([1, 2]))),
      sink.process(batchOf(signals([5], other))),
      sink.process(batchOf(triplets([1]))),
    ]);
    const final = store.final();
    expect(final.positions.map(({ topic, partition, nextOffset }) => [topic, partition, nextOffset])).toEqual(
      [
        [LEDGER.name, 3, 3],
        [LEDGER.name, 8, 6],
        [TRIPLETS.name, 0, 2],
      ],
    );
    expect(final.audits.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    expect(final.ledger.map(({ customerId, index }) => [customerId, index])).toEqual(
      [
        [CUSTOMER, 0],
        [CUSTOMER, 1],
        [other, 0],
      ].sort(),
    );
  });

  test('stores no position when its entries cannot be published, and is retried', async () => {
    let isDown = true;
    const published: number[] = [];
    const { store, sink } = setUp({
      publish: async (entries) => {
        if (isDown) throw new LogUnavailable('down');
        published.push(...entries.map(({ index }) => index));
      },
    });
    await expect(sink.process(batchOf(signals([1, 2])))).rejects.toBeInstanceOf(LogUnavailable);
    expect([store.rows.ledger.length, store.rows.positions]).toEqual([2, []]);
    isDown = false;
    await sink.process(batchOf(signals([1, 2])));
    expect([published, store.final().ledger.length, store.rows.positions.length]).toEqual([[0, 1], 2, 1]);
  });

  test('an outage at any insert is passed on, and the retried batch results in the same rows', async () => {
    const reference = setUp();
    await reference.sink.process(batchOf(signals([1, 2, 3])));
    for (let failing = 0; failing < 5; failing += 1) {
      const { store, sink } = setUp();
      const { insert } = store;
      let call = 0;
      Object.assign(store, {
        insert: async (table: 'ledger', rows: object[]) => {
          if (call++ === failing) throw new WarehouseUnavailable('down', null);
          await insert(table, rows);
        },
      });
      await expect(sink.process(batchOf(signals([1, 2, 3])))).rejects.toBeInstanceOf(WarehouseUnavailable);
      expect(store.rows.positions).toEqual([]);
      await sink.process(batchOf(signals([1, 2, 3])));
      expect(store.final()).toEqual(reference.store.final());
    }
  });

  test('reads heads once per customer while batches are contiguous', async () => {
    const { store, sink } = setUp();
    const asked: string[][] = [];
    const { heads } = store;
    Object.assign(store, {
      heads: async (...args: Parameters<MemoryStore['heads']>) => {
        asked.push(args[1].map(({ customerId }) => customerId));
        return heads(...args);
      },
    });
    const assigned = { topic: LEDGER.name, partition: 3, start: 0, end: 9, committed: null };
    await sink.onAssigned({ ...assigned });
    await sink.process(batchOf(signals([1])));
    await sink.process(batchOf(signals([2])));
    await sink.onAssigned({ ...assigned });
    await sink.process(batchOf(signals([3])));
    expect(asked).toEqual([[CUSTOMER], [], [CUSTOMER]]);
    expect(store.final().ledger.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe('a record that stops its partition', () => {
  test('the records before it are stored, and the position ends there', async () => {
    const { store, sink } = setUp();
    const bad = { ...signals([3])[0]!, key: customerIn(3, 1) };
    await expect(sink.process(batchOf([...signals([1, 2]), bad, ...signals([4])]))).rejects.toMatchObject({
      name: 'FoldRefused',
      reason: 'KEY_MISMATCH',
      offset: 3,
    });
    expect(store.final().ledger).toHaveLength(2);
    expect(store.final().positions).toMatchObject([{ nextOffset: 3 }]);
  });
  test('nothing is stored if it is the first of its batch', async () => {
    const { store, sink } = setUp();
    const bad = { ...signals([3])[0]!, key: customerIn(3, 1) };
    await expect(sink.process(batchOf([bad]))).rejects.toBeInstanceOf(FoldRefused);
    expect(Object.values(store.rows).flat()).toEqual([]);
  });
  test('other partitions of the flush are stored, with their own bounds', async () => {
    const { store, sink } = setUp();
    await sink.process(batchOf(signals([10, 11])));
    // A new sink, which has to query the heads; the stray record names the same customer at a lower offset.
    const { sink: next } = setUp({ store, limits: { minRecords: 3 } });
    const stray = { ...signals([99])[0]!, partition: 5, offset: 1 };
    const outcomes = await Promise.allSettled([
      next.process(batchOf(signals([12, 13]))),
      next.process(batchOf([stray])),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { reason: 'WRONG_PARTITION' } },
    ]);
    expect(store.final().ledger.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });
  test.each([
    ['UNDECODABLE', { decodeLedgerEntry: () => fail(new Undecodable('x', 'cut short')) }],
    ['SEALED', { openDetail: async () => fail(new KeyAbsent()) }],
    ['SEALED', { openDetail: async () => fail(new MasterKeyMismatch()) }],
  ] as const)('%s', async (reason, change) => {
    const { sink } = setUp(change);
    await expect(sink.process(batchOf(signals([1])))).rejects.toMatchObject({ reason, offset: 1 });
  });
  test('an unresponsive key store is an outage, not a fault of the record', async () => {
    const { sink } = setUp({ openDetail: async () => fail(new StateUnavailable('down')) });
    await expect(sink.process(batchOf(signals([1])))).rejects.toBeInstanceOf(StateUnavailable);
  });
});

describe('several sinks', () => {
  test('entries folded by another sink are seen, even without notice that the partition had moved', async () => {
    const { store, sink } = setUp();
    const { sink: other } = setUp({ store });
    await sink.process(batchOf(signals([1, 2])));
    await other.process(batchOf(signals([3, 4])));
    await sink.process(batchOf(signals([5, 6])));
    expect(store.final().ledger.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  });
  test('a sink that wakes up late and stores its chunk again leaves the same rows', async () => {
    const { store, sink } = setUp();
    const { sink: late } = setUp({ store });
    await late.process(batchOf(signals([1, 2])));
    await sink.process(batchOf(signals([3, 4, 5])));
    await sink.process(batchOf(signals([6])));
    await late.process(batchOf(signals([3, 4])));
    expect(store.final().ledger.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(store.final().positions).toMatchObject([{ nextOffset: 7 }]);
  });
});

describe('the audit list', () => {
  test('records with unreadable headers are counted, and the partition continues', async () => {
    const { store, counted, sink } = setUp();
    const [first, second] = triplets([1, 2]);
    await sink.process(batchOf([{ ...first!, headers: {} }, second!]));
    expect(counted).toEqual([[TRIPLETS.name, 1]]);
    expect(store.final().audits.map(({ auditId }) => auditId)).toEqual([auditIdOf(2)]);
    expect(store.final().positions).toMatchObject([{ nextOffset: 3 }]);
    await sink.process(batchOf([{ ...first!, topic: DEAD_LETTERS.name, offset: 9, headers: {} }]));
    expect(store.final().positions).toHaveLength(2);
  });
  test('the mark of an audit is removed once its acceptance or its signal lists it', async () => {
    const { marks, sink } = setUp();
    await sink.process(batchOf(triplets([1])));
    await sink.process(batchOf(signals([1])));
    const internal = draftOf(CUSTOMER, 'SIGNAL', 2, signalCore(2, { source: 'INTERNAL' }));
    await sink.process(batchOf([storedRecord(internal, 2)]));
    expect(headersOf(internal).source).toBe('INTERNAL');
    expect(marks).toEqual([[auditIdOf(1)], [auditIdOf(2)]]);
  });
  test('marks wait while the state is down, but rows do not', async () => {
    const removed: string[][] = [];
    let down = true;
    const { store, sink } = setUp({
      publish: async () => undefined,
      admission: {
        removePendingMarks: async (marks) => {
          if (down) throw new StateUnavailable('down');
          removed.push(marks.map(({ auditId }) => auditId));
        },
      },
    });
    await sink.process(batchOf(triplets([1])));
    expect(store.final().audits).toHaveLength(1);
    down = false;
    await sink.process(batchOf(triplets([2])));
    expect(removed).toEqual([[auditIdOf(1), auditIdOf(2)]]);
  });
});

test('a sink whose warehouse lost its rows refuses its partitions', async () => {
  const { sink } = setUp();
  const assignment = { topic: LEDGER.name, partition: 3, start: 0, end: 9, committed: 5 };
  await expect(sink.onAssigned(assignment)).rejects.toBeInstanceOf(SinkRefused);
});

test('a batch is split so that its erasures read no more than one ERASURE may', async () => {
  const wide = (n: number): object => erasureCore({ ranges: [[0, n - 1]] });
  const drafts = [
    draftOf(CUSTOMER, 'SIGNAL', 0),
    draftOf(CUSTOMER, 'ERASURE', 1, wide(3_000)),
    draftOf(CUSTOMER, 'ERASURE', 2, wide(2_000)),
    draftOf(CUSTOMER, 'SIGNAL', 3),
    draftOf(CUSTOMER, 'ERASURE', 4, wide(1)),
    draftOf(CUSTOMER, 'SIGNAL', 5),
  ];
  const records = await Promise.all(
    drafts.map(async (draft, i) => ({ record: await opened(storedRecord(draft, i)) })),
  );
  expect(inErasureChunks(records).map((chunk) => chunk.map(({ record }) => record.offset))).toEqual([
    [0, 1, 2, 3],
    [4, 5],
  ]);
});

function fail(error: Error): never {
  throw error;
}
