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
const [BAD, BESIDE, GOOD] = [customerIn(PARTITION), customerIn(PARTITION, 1), customerIn(8)];
const signal = (customerId: string, n: number): LogRecord =>
  storedRecord(draftOf(customerId, 'SIGNAL', n), 0);
/** A record that cannot be folded: its headers do not describe an audit. */
const broken = (customerId: string, n = 900): LogRecord => ({ ...signal(customerId, n), headers: {} });

/** A record that a later release would fold, and no older one. */
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

async function startSink(change: Partial<SinkOptions> = {}, lookAgainMs = 60_000): Promise<Stream> {
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
    passHole: sink.passHole,
    stops,
    linger: async () => undefined,
    limits: { lookAgainMs, decisionMs: 1 },
    logger: QUIET,
  });
  streams.push(stream);
  return stream;
}
const noted = async (): Promise<NotedStop[]> =>
  notedStops(state.expiring, [{ group: SINK_GROUP, topic: LEDGER.name, partition: PARTITION }]);
const isStopped = (stream: Stream) => () => stream.health().stoppedPartitions.length === 1;
const goesOn = (stream: Stream) => () => stream.health().stoppedPartitions.length === 0;
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

/** Accepts the loss of the record at an offset, as the command does. */
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

/** Folds the whole log again on top of what is stored, up to an offset, with a sink of its own. */
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
  test('stops its partition: the sink stays in the group, the other partition goes on, a second sink too', async () => {
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

  test('is noted for operators while it stops the partition, by whoever owns it, since the first time', async () => {
    await log.append([broken(BAD)]);
    const first = await startSink();
    await until(isStopped(first));
    await until(() => state.values.size === 1);
    const [note] = await noted();
    expect(note).toMatchObject({ group: SINK_GROUP, reason: 'HEADERS', offset: 0 });
    await stopAll();
    expect(await noted()).toEqual([]);
    // As a dying process leaves it.
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

  test('leaves no word of the operator in the table of what is skipped', async () => {
    await log.append([broken(BAD)]);
    const stream = await startSink();
    await until(isStopped(stream));
    await accept(0);
    await until(goesOn(stream));
    const digest = recordDigest(log.stored(LEDGER.name)[0]!);
    const place = { epoch: EPOCH, topic: LEDGER.name, partition: PARTITION, offset: 0, untilOffset: 1 };
    expect(store.rows.skips).toEqual([{ ...place, digest, acceptedAt: timeAt(1) }]);
  });

  test('whose loss is accepted is skipped at once; the chains verify, and the customer’s ledger tells of it', async () => {
    await log.append([signal(BAD, 1), broken(BAD), signal(BAD, 2), signal(BESIDE, 1)]);
    const stream = await startSink();
    await until(isStopped(stream));
    expect([indexesOf(BAD), indexesOf(BESIDE)]).toEqual([[0], []]);
    await accept(1);
    await until(() => indexesOf(BAD).length === 3 && indexesOf(BESIDE).length === 1);
    await until(goesOn(stream));
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
    for (const customerId of [BAD, BESIDE]) expectValid(customerId);
  });

  test('whose loss was accepted is skipped again when it is folded from an older position, by a release that could fold it', async () => {
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
    // It could indeed: without the row the chain forks, which the in-memory store detects.
    expect(rowsOfChain).toThrow('two rows differ');
  });

  test('is not skipped when another digest was accepted for its offset', async () => {
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

  test('at the end of a partition leaves nothing open once it is skipped, and needs no customer', async () => {
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

test('a sink that read the rows before a loss was accepted reads them again when it gets the partition', async () => {
  // The second sink could fold what the first one refuses: a newer release.
  await log.append([signal(BAD, 1), ofLaterVersion(BAD, 2), signal(BAD, 3)]);
  const older = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry }));
  const newer = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry: decodeAnyVersion }));
  const records = log.stored(LEDGER.name).filter(({ partition }) => partition === PARTITION);
  const batch = { topic: LEDGER.name, partition: PARTITION, records, nextOffset: 3, end: 3 };
  await log.append([signal(GOOD, 1)]);
  const beside = log.stored(LEDGER.name).filter(({ partition }) => partition === 8);
  // It has now read that nothing is skipped.
  await newer.process({ ...batch, partition: 8, records: beside, nextOffset: 1, end: 1 });
  await expect(older.process(batch)).rejects.toMatchObject({ reason: 'UNKNOWN_VERSION', offset: 1 });
  await accept(1);
  await older.process(batch);
  const folded = rowsOfChain();
  await newer.onAssigned({ topic: LEDGER.name, partition: PARTITION, start: 0, end: 4, committed: null });
  await newer.process(batch);
  expect(rowsOfChain()).toEqual(folded);
  expect(entryIdsOf(BAD)).toHaveLength(2);
});

test('a loss that was accepted after the rows were read makes a sink begin its flush anew', async () => {
  await log.append([signal(BAD, 1), ofLaterVersion(BAD, 2), signal(BAD, 3)]);
  const older = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry }));
  const newer = undisturbed(createSink({ ...sinkDependencies(), decodeLedgerEntry: decodeAnyVersion }));
  const records = log.stored(LEDGER.name).filter(({ partition }) => partition === PARTITION);
  const batch = { topic: LEDGER.name, partition: PARTITION, records, nextOffset: 3, end: 3 };
  // It has read that nothing is skipped, and is not told that this has changed.
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

describe('a hole in the log', () => {
  const withHole = async (): Promise<void> => {
    await log.append([1, 2, 3, 4].map((n) => signal(BAD, n)));
    await startSink();
    await until(() => indexesOf(BAD).length === 4);
    await stopAll();
    await log.append([5, 6, 7].map((n) => signal(BAD, n)));
    log.lose(LEDGER.name, PARTITION, 6);
  };

  test('that a partition begins with stops it alone, and its accepted loss is gone over by every owner', async () => {
    await withHole();
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

  test('that was accepted stays one, whatever fills it later', async () => {
    await withHole();
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

test('a start that is refused stops its partition alone, and goes on when the log is as it was', async () => {
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
