import { afterEach, describe, expect, test } from '@jest/globals';
import type { LogRecord } from '../../platform/event-log/port.ts';
import { wholeBatch } from '../../platform/stream/outcome.ts';
import { runStream, type Stream } from '../../platform/stream/run-stream.ts';
import { type MemoryLog, memoryLog } from '../../platform/stream/testing/memory-log.ts';
import { QUIET } from '../../platform/stream/testing/stream-harness.ts';
import { until } from '../../platform/stream/testing/until.ts';
import { LEDGER, PARTITIONS } from '../../schemas/topics.ts';
import { createSink, SINK_GROUP } from './pipeline.ts';
import { createMemoryStore, type MemoryStore } from './testing/memory-store.ts';
import { customerIn, decodeLedgerEntry, draftOf, openDetail, storedRecord } from './testing/sample-log.ts';

const [BAD, GOOD] = [customerIn(3), customerIn(8)];
const signal = (customerId: string, n: number): LogRecord =>
  storedRecord(draftOf(customerId, 'SIGNAL', n), 0);
/** A record that no release can read. */
const broken = (customerId: string): LogRecord => ({ ...signal(customerId, 900), headers: {} });

const streams: Stream[] = [];
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.stop()));
});

async function startSinkOn(log: MemoryLog, store: MemoryStore): Promise<Stream> {
  const sink = createSink({
    log,
    store,
    admission: { removePendingMarks: async () => undefined },
    decodeLedgerEntry,
    openDetail,
    epoch: 1,
    now: Date.now,
    logger: { warn: () => undefined },
    limits: { minRecords: 1 },
  });
  const stream = await runStream({
    log,
    group: SINK_GROUP,
    topics: [LEDGER.name],
    process: wholeBatch(sink.process),
    onAssigned: sink.onAssigned,
    rest: async () => undefined,
    logger: QUIET,
  });
  streams.push(stream);
  return stream;
}
const indexesOf = (store: MemoryStore, customerId: string): number[] =>
  store
    .final()
    .ledger.filter((row) => row.customerId === customerId)
    .map(({ index }) => index);

describe('a record that cannot be folded', () => {
  test('stops its partition: the sink stays in the group, the other partition goes on, a second sink too', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    const store = createMemoryStore();
    await log.append([signal(BAD, 1), broken(BAD), signal(BAD, 2), signal(GOOD, 1)]);
    const stream = await startSinkOn(log, store);
    await until(() => indexesOf(store, GOOD).length === 1 && indexesOf(store, BAD).length === 1);
    await log.append([signal(GOOD, 2)]);
    await until(() => indexesOf(store, GOOD).length === 2);
    expect(stream.health().stopped).toBeNull();
    await stream.stop();
    const second = await startSinkOn(log, store);
    await log.append([signal(GOOD, 3)]);
    await until(() => indexesOf(store, GOOD).length === 3);
    expect(second.health().stopped).toBeNull();
    expect(indexesOf(store, BAD)).toEqual([0]);
  });
});
