import { createVerifier } from '#core/evidence/verify/verify.ts';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { LogRecord } from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import { flushOutbox } from '#platform/outbox/flush.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import { type NotedStop, notedStops } from '#platform/stream/partition/stop-notes.ts';
import { runStream, type Stream } from '#platform/stream/run-stream.ts';
import { type MemoryLog, memoryLog } from '#platform/stream/testing/memory-log.ts';
import { type MemoryState, memoryState } from '#platform/stream/testing/memory-state.ts';
import { QUIET } from '#platform/stream/testing/stream-harness.ts';
import { until } from '#platform/stream/testing/until.ts';
import { WarehouseUnavailable } from '#platform/warehouse/port.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { acceptLoss } from '#records/losses/accepted-losses.ts';
import { partitionStops } from '#records/losses/partition-stops.ts';
import { LEDGER, PARTITIONS } from '#schemas/topics.ts';
import { createSink, type SinkOptions } from './pipeline.ts';
import { SINK_GROUP } from './start/sink-topics.ts';
import { createMemoryStore, type MemoryStore } from './testing/memory-store.ts';
import {
  customerIn,
  decodeLedgerEntry,
  draftOf,
  openDetail,
  storedRecord,
  timeAt,
} from './testing/sample-log.ts';
import { undisturbed } from './testing/undisturbed.ts';

const EPOCH = 1;
const PARTITION = 3;
const [BAD, NEIGHBOUR, GOOD] = [customerIn(PARTITION), customerIn(PARTITION, 1), customerIn(8)];
const signal = (customerId: string, n: number): LogRecord =>
  storedRecord(draftOf(customerId, 'SIGNAL', n), 0);
/** A record that cannot be folded: its headers do not describe an audit. */
const broken = (customerId: string, n = 900): LogRecord => ({ ...signal(customerId, n), headers: {} });

/** A record that a later release would fold, but no older one. */
const ofLaterVersion = (customerId: string, n: number): LogRecord =>
  storedRecord({ ...draftOf(customerId, 'SIGNAL', n), v: 99 }, 0);
const decodeAnyVersion: SinkOptions['decodeLedgerEntry'] = (value) => ({ ...decodeLedgerEntry(value), v: 1 });

let log: MemoryLog;
let store: MemoryStore;
let state: MemoryState;
const streams: Stream[] = [];
beforeEach(() => {
  log = memoryLog({ partitions: PARTITIONS });
  store = createMemoryStore(EPOCH);
  state = memoryState();
});
const stopAll = async (): Promise<void> => {
  await Promise.all(streams.splice(0).map((stream) => stream.stop()));
};
afterEach(stopAll);

async function startSink(change: Partial<SinkOptions> = {}, retryMs = 60_000): Promise<Stream> {
  const stops = partitionStops(state, SINK_GROUP, async () => EPOCH);
  const sink = createSink({
    log,
    store,
    acceptedLoss: stops.acceptedLoss,
    publish: async () => undefined,
    admission: { removePendingMarks: async () => undefined },
    decodeLedgerEntry,
    openDetail,
    epoch: EPOCH,
    now: Date.now,
    logger: QUIET,
    limits: { minRecords: 1 },
    ...change,
  });
  const stream = await runStream({
    log,
    group: SINK_GROUP,
    topics: [LEDGER.name],
    process: wholeBatch(sink.process),
    onAssigned: sink.onAssigned,
    skipGap: sink.skipGap,
    stops,
    linger: async () => undefined,
    limits: { lookAgainMs: retryMs, decisionMs: 1 },
    logger: QUIET,
  });
  streams.push(stream);
  return stream;
}
const noted = async (): Promise<NotedStop[]> =>
  notedStops(state.expiring, [{ group: SINK_GROUP, topic: LEDGER.name, partition: PARTITION }]);
const isStopped = (stream: Stream) => () => stream.health().stoppedPartitions.length === 1;
const resumed = (stream: Stream) => () => stream.health().stoppedPartitions.length === 0;
const indexesOf = (customerId: string): number[] =>
  store
    .final()
    .ledger.filter((row) => row.customerId === customerId)
    .map(({ index }) => index);
const entryIdsOf = (customerId: string): string[] =>
  store
    .final()
    .ledger.filter((row) => row.customerId === customerId)
    .map(({ entryId }) => entryId);

const makeEntry: EntryMaker = async ({ kind, customerId, core, id }) => {
  const { topic, key, value, headers } = storedRecord({ ...draftOf(customerId, kind, 700, core), id }, 0);
  return { entryId: `${kind}:${id}`, topic, key, headers, valueBase64: value.toString('base64') };
};

interface Acceptance {
  readonly untilOffset?: number;
  readonly digest?: string;
  /** Whose ledger gets the entry. */
  readonly owner?: null;
}

/** Accepts the loss of the record at an offset, like the command does. */
async function accept(offset: number, { owner, ...change }: Acceptance = {}): Promise<void> {
  const record = log.stored(LEDGER.name).find((one) => one.partition === PARTITION && one.offset === offset)!;
  const flushed: Promise<unknown>[] = [];
  const loss = {
    epoch: EPOCH,
    topic: LEDGER.name,
    partition: PARTITION,
    offset,
    untilOffset: offset + 1,
    digest: recordDigest(record),
    cause: 'HEADERS',
    reason: 'tests',
    acceptedAt: timeAt(1),
    acceptedBy: 'tests',
    ...change,
  };
  const dependencies = {
    documents: state.documents,
    makeEntry,
    announce: (ref: Parameters<typeof flushOutbox>[1]) => {
      flushed.push(flushOutbox({ documents: state.documents, log }, ref));
    },
  };
  await acceptLoss(dependencies, loss, owner === null || change.digest === '' ? null : record.key);
  await Promise.all(flushed);
}

/** All stored rows of the chains. */
function rowsOfChain(): object {
  const { positions: _positions, skips: _skips, audits: _audits, ...rows } = store.final();
  return rows;
}

/** Folds the whole log again on top of the stored rows, up to an offset, with a separate sink. */
async function foldAgain(change: Partial<SinkOptions>, nextOffset: number): Promise<void> {
  await stopAll();
  store.rows.positions.length = 0;
  const again = memoryLog({ partitions: PARTITIONS });
  await again.append(log.stored(LEDGER.name));
  log = again;
  await startSink(change);
  await until(() => store.rows.positions.some((row) => row.nextOffset === nextOffset));
}

function expectValid(customerId: string): void {
  const of = <Row extends { customerId: string; index: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => row.customerId === customerId).sort((a, b) => a.index - b.index);
  const { ledger, entries, signals } = store.final();
  const verifier = createVerifier({ customerId });
  verifier.erasures(of(ledger), of(entries));
  verifier.chunk({ ledger: of(ledger), signals: of(signals), entries: of(entries) });
  expect(verifier.finish()).toMatchObject({ valid: true, errors: [] });
}

describe('a record that cannot be folded', () => {
  test('stops only its partition: the sink stays in the group, and the other partition and a second sink continue', async () => {
    await log.append([signal(BAD, 1), broken(BAD), signal(BAD, 2), signal(GOOD, 1)]);
    const stream = await startSink();
    await until(() => indexesOf(GOOD).length === 1 && indexesOf(BAD).length === 1);
    await log.append([signal(GOOD, 2)]);
    await until(() => indexesOf(GOOD).length === 2);
    expect(stream.health().stopped).toBeNull();
    await until(isStopped(stream));
    expect(stream.health().stoppedPartitions).toMatchObject([
      { topic: LEDGER.name, partition: PARTITION, kind: 'RECORD_REFUSED', reason: 'HEADERS', offset: 1 },
    ]);
    await stream.stop();
    const second = await startSink();
    await log.append([signal(GOOD, 3)]);
    await until(() => indexesOf(GOOD).length === 3);
    expect(second.health().stopped).toBeNull();
    expect(indexesOf(BAD)).toEqual([0]);
    expect(log.committed(LEDGER.name, PARTITION)).toBeNull();
  });

  test('is noted for operators while it stops the partition, under any owner, with the time of its first failure', async () => {
    await log.append([broken(BAD)]);
    const first = await startSink();
    await until(isStopped(first));
    await until(() => state.values.size === 1);
    const [note] = await noted();
    expect(note).toMatchObject({ group: SINK_GROUP, reason: 'HEADERS', offset: 0 });
    await stopAll();
    expect(await noted()).toEqual([]);
    // The state that a dying process leaves.
    await state.expiring.set(
      `stopped:${SINK_GROUP}:${LEDGER.name}:${PARTITION}`,
      JSON.stringify({ ...note, since: 17 }),
      1,
    );
    const second = await startSink();
    await until(isStopped(second));
    await stopAll();
    expect(state.values.size).toBe(0);
  });

  test('stores no words of the operator in the table of skips', async () => {
    await log.append([broken(BAD)]);
    const stream = await startSink();
    await until(isStopped(stream));
    await accept(0);
    await until(resumed(stream));
    const digest = recordDigest(log.stored(LEDGER.name)[0]!);
    const key = { epoch: EPOCH, topic: LEDGER.name, partition: PARTITION, offset: 0, untilOffset: 1 };
    expect(store.rows.skips).toEqual([{ ...key, digest, acceptedAt: timeAt(1) }]);
  });

  test('is skipped once its loss is accepted; the chains verify, and the customer’s ledger records it', async () => {
    await log.append([signal(BAD, 1), broken(BAD), signal(BAD, 2), signal(NEIGHBOUR, 1)]);
    const stream = await startSink();
    await until(isStopped(stream));
    expect([indexesOf(BAD), indexesOf(NEIGHBOUR)]).toEqual([[0], []]);
    await accept(1);
    await until(() => indexesOf(BAD).length === 3 && indexesOf(NEIGHBOUR).length === 1);
    await until(resumed(stream));
    expect(entryIdsOf(BAD).at(-1)).toBe(`EVIDENCE_EVENT:loss:1:${LEDGER.name}:3:1`);
    expect(JSON.parse(store.final().entries[0]?.core ?? '')).toMatchObject({
      type: 'LOSS_ACCEPTED',
      partition: PARTITION,
      offset: 1,
      untilOffset: 2,
      cause: 'HEADERS',
    });
    expect(store.final().skips).toMatchObject([{ epoch: EPOCH, partition: PARTITION, offset: 1 }]);
    await until(() => log.committed(LEDGER.name, PARTITION) === 5);
    expect(await noted()).toEqual([]);
    for (const customerId of [BAD, NEIGHBOUR]) expectValid(customerId);
  });

  test('is skipped again after its accepted loss, even from an older position and by a release that could fold it', async () => {
    await log.append([signal(BAD, 1), ofLaterVersion(BAD, 2), signal(BAD, 3)]);
    const stream = await startSink();
    await until(isStopped(stream));
    await accept(1);
    await until(() => indexesOf(BAD).length === 3);
    const folded = rowsOfChain();
    await foldAgain({ decodeLedgerEntry: decodeAnyVersion }, 4);
    expect(rowsOfChain()).toEqual(folded);
    store.rows.skips.length = 0;
    await foldAgain({ decodeLedgerEntry: decodeAnyVersion }, 4);
    // Without the row the chain does fork, which the in-memory store detects.
    expect(rowsOfChain).toThrow('two rows differ');
  });

  test('is not skipped when a different digest was accepted for its offset', async () => {
    await log.append([broken(BAD), signal(BAD, 2)]);
    const stream = await startSink();
    await until(isStopped(stream));
    await accept(0, { digest: 'ab'.repeat(32) });
    await stopAll();
    const again = await startSink();
    await until(isStopped(again));
    expect(store.final().skips).toEqual([]);
    expect(indexesOf(BAD)).toEqual([]);
  });

  test('leaves nothing open when skipped at the end of a partition, and needs no customer', async () => {
    await log.append([signal(BAD, 1), broken(BAD)]);
    const stream = await startSink();
    await until(isStopped(stream));
    await accept(1, { owner: null });
    await until(() => log.committed(LEDGER.name, PARTITION) === 2);
    expect(store.final().positions).toMatchObject([{ partition: PARTITION, nextOffset: 2 }]);
    expect(store.final().entries).toEqual([]);
    await stopAll();
    const again = await startSink();
    await log.append([signal(BAD, 2)]);
    await until(() => indexesOf(BAD).length === 2);
    expect(again.health().stoppedPartitions).toEqual([]);
  });
});

test('a sink that read the skips before a loss was accepted reads them again when it gets the partition', async () => {
  // The second sink is a newer release, which could fold what the first one refuses.
  await log.append([signal(BAD, 1), ofLaterVersion(BAD, 2), signal(BAD, 3)]);
  const older = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry }));
  const newer = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry: decodeAnyVersion }));
  const records = log.stored(LEDGER.name).filter(({ partition }) => partition === PARTITION);
  const batch = { topic: LEDGER.name, partition: PARTITION, records, nextOffset: 3, end: 3 };
  await log.append([signal(GOOD, 1)]);
  const neighbours = log.stored(LEDGER.name).filter(({ partition }) => partition === 8);
  // It has now read that nothing is skipped.
  await newer.process({ ...batch, partition: 8, records: neighbours, nextOffset: 1, end: 1 });
  await expect(older.process(batch)).rejects.toMatchObject({ reason: 'UNKNOWN_VERSION', offset: 1 });
  await accept(1);
  await older.process(batch);
  const folded = rowsOfChain();
  await newer.onAssigned({ topic: LEDGER.name, partition: PARTITION, start: 0, end: 4, committed: null });
  await newer.process(batch);
  expect(rowsOfChain()).toEqual(folded);
  expect(entryIdsOf(BAD)).toHaveLength(2);
});

test('a loss accepted after the skips were read makes a sink restart its flush', async () => {
  await log.append([signal(BAD, 1), ofLaterVersion(BAD, 2), signal(BAD, 3)]);
  const older = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry }));
  const newer = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry: decodeAnyVersion }));
  const records = log.stored(LEDGER.name).filter(({ partition }) => partition === PARTITION);
  const batch = { topic: LEDGER.name, partition: PARTITION, records, nextOffset: 3, end: 3 };
  // It has read that nothing is skipped, and is not notified of the change.
  await newer.process({ ...batch, records: records.slice(0, 1), nextOffset: 1 });
  await expect(older.process(batch)).rejects.toMatchObject({ reason: 'UNKNOWN_VERSION', offset: 1 });
  await accept(1);
  await older.process(batch);
  const folded = rowsOfChain();
  await expect(newer.process(batch)).rejects.toBeInstanceOf(WarehouseUnavailable);
  await newer.process(batch);
  expect(rowsOfChain()).toEqual(folded);
});

const sinkDependencies = (): Omit<SinkOptions, 'decodeLedgerEntry'> => ({
  log,
  store,
  acceptedLoss: partitionStops(state, SINK_GROUP, async () => EPOCH).acceptedLoss,
  publish: async () => undefined,
  admission: { removePendingMarks: async () => undefined },
  openDetail,
  epoch: EPOCH,
  now: Date.now,
  logger: { warn: () => undefined, error: () => undefined },
  limits: { minRecords: 1 },
});

describe('a gap in the log', () => {
  const withGap = async (): Promise<void> => {
    await log.append([1, 2, 3, 4].map((n) => signal(BAD, n)));
    await startSink();
    await until(() => indexesOf(BAD).length === 4);
    await stopAll();
    await log.append([5, 6, 7].map((n) => signal(BAD, n)));
    log.lose(LEDGER.name, PARTITION, 6);
  };

  test('stops only the partition that starts with it, and every owner passes it once its loss is accepted', async () => {
    await withGap();
    const stream = await startSink();
    await until(isStopped(stream));
    await log.append([signal(GOOD, 1)]);
    await until(() => indexesOf(GOOD).length === 1);
    expect((await noted())[0]).toMatchObject({ kind: 'LOG_HOLE', offset: 4, untilOffset: 6 });
    expect(indexesOf(BAD)).toHaveLength(4);
    await accept(4, { untilOffset: 6, digest: '' });
    await until(() => indexesOf(BAD).length === 5);
    expectValid(BAD);
    await stopAll();
    const second = await startSink();
    await log.append([signal(BAD, 8)]);
    await until(() => indexesOf(BAD).length === 6);
    expect(second.health().stoppedPartitions).toEqual([]);
    expectValid(BAD);
  });

  test('stays a gap once accepted, whatever fills it later', async () => {
    await withGap();
    const stream = await startSink();
    await until(isStopped(stream));
    await accept(4, { untilOffset: 6, digest: '' });
    await until(() => indexesOf(BAD).length === 5);
    const folded = rowsOfChain();
    log.lose(LEDGER.name, PARTITION, 0);
    await foldAgain({}, 7);
    expect(rowsOfChain()).toEqual(folded);
  });
});

test('a refused start stops only its partition, which resumes when the log is restored', async () => {
  await log.append([signal(BAD, 1), signal(GOOD, 1)]);
  const position = { epoch: EPOCH, topic: LEDGER.name, partition: PARTITION, lastAt: timeAt(1) };
  await store.insert('positions', [{ ...position, nextOffset: 9, lastDigest: '' }]);
  const stream = await startSink({}, 1);
  await until(isStopped(stream));
  await until(() => indexesOf(GOOD).length === 1);
  expect(stream.health()).toMatchObject({
    stopped: null,
    stoppedPartitions: [{ kind: 'START_REFUSED', offset: null }],
  });
  expect(indexesOf(BAD)).toEqual([]);
  await log.append(Array.from({ length: 9 }, (_, n) => signal(BAD, n + 2)));
  await until(() => indexesOf(BAD).length === 1);
  expect(stream.health().stoppedPartitions).toEqual([]);
});
