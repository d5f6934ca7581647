import { sampleFinding } from '#core/correlate/testing/sample-finding.ts';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { type Codec, RegistryUnavailable } from '#platform/codec/port.ts';
import type { LogRecord } from '#platform/event-log/port.ts';
import { type MemoryLog, memoryLog } from '#platform/stream/testing/memory-log.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { QUIET } from '#platform/stream/testing/stream-harness.ts';
import { until } from '#platform/stream/testing/until.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { type CorrelationFinding, SCHEMA_NAMES } from '#schemas/events/events.ts';
import { CORRELATIONS, PARTITIONS } from '#schemas/topics.ts';
import type { SinkStore } from '../flush/store.ts';
import { createMemoryStore, type MemoryStore } from '../testing/memory-store.ts';
import { customerIn, draftOf, erasureCore } from '../testing/sample-log.ts';
import { FINDINGS_GROUP, runFindings } from './run-findings.ts';

/** Findings of correlators become table rows. */

const PARTITION = 3;
const [CUSTOMER, OTHER] = [customerIn(PARTITION), customerIn(PARTITION, 1)];
const codec = bundledCodec();

let log: MemoryLog;
let store: MemoryStore;
let counted: [string, number][];
let stops: (() => Promise<void>)[];
beforeEach(() => {
  log = memoryLog({ partitions: PARTITIONS });
  store = createMemoryStore();
  counted = [];
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

const idOf = (n: number): string => `0190abcd-0000-8000-8000-${n.toString(16).padStart(12, '0')}`;
const finding = (n: number, change: Partial<Parameters<typeof sampleFinding>[0]> = {}): CorrelationFinding =>
  sampleFinding({ customerId: CUSTOMER, id: idOf(n), ...change });
const record = (published: CorrelationFinding, key = published.customerId): LogRecord => ({
  topic: CORRELATIONS.name,
  key,
  headers: { schema: SCHEMA_NAMES.finding },
  value: codec.encodeFinding(published),
});

interface Changed {
  readonly store?: Partial<SinkStore>;
  readonly codec?: Partial<Codec>;
  readonly inserts?: { readonly everyMs: number; readonly gatherMs: number };
}

async function start(change: Changed = {}) {
  const stream = await runFindings({
    log,
    state: memoryState(),
    store: { ...store, ...change.store },
    codec: { ...codec, ...change.codec },
    epoch: 1,
    now: Date.now,
    logger: { ...createLogger('silent'), ...QUIET } as never,
    unreadable: (topic, records) => counted.push([topic, records]),
    inserts: change.inserts ?? { everyMs: 0, gatherMs: 0 },
    limits: { gatherMs: 1, commitEveryMs: 1, backoff: { firstMs: 1, maxMs: 2, random: () => 0.5 } },
  });
  stops.push(stream.stop);
  return stream;
}
const committed =
  (next: number, partition = PARTITION) =>
  () =>
    log.committed(CORRELATIONS.name, partition) === next;
const shown = (): (readonly [string, number])[] =>
  store.final().correlations.map(({ id, version }) => [id, version] as const);

test('every change is stored as a row, and the highest version of a finding wins', async () => {
  const published = [finding(1), finding(2), finding(1, { version: 12, status: 'CLOSED' })];
  await log.append(published.map((one) => record(one)));
  await start();
  await until(committed(3));
  expect(store.rows.correlations).toEqual(published);
  // A correlator that woke up late publishes the same findings again.
  await log.append([record(finding(1)), record(finding(2))]);
  await until(committed(5));
  expect(shown()).toEqual([
    [idOf(1), 12],
    [idOf(2), 9],
  ]);
  expect(counted).toEqual([]);
});

test('a batch takes one insert and one query for closed customers', async () => {
  const asked: string[][] = [];
  const inserted: number[] = [];
  await log.append([
    record(finding(1)),
    record(finding(2, { customerId: OTHER })),
    record(finding(3)),
    record(finding(4, { customerId: OTHER })),
  ]);
  await start({
    store: {
      closings: async (customerIds) => {
        asked.push([...customerIds].sort());
        return [];
      },
      insert: async (_table, rows) => void inserted.push(rows.length),
    },
  });
  await until(committed(4));
  expect([asked, inserted]).toEqual([[[CUSTOMER, OTHER].sort()], [4]]);
});

test('a limited number is stored at once, the rest afterwards', async () => {
  const inserted: number[] = [];
  await log.append(Array.from({ length: 450 }, (_, n) => record(finding(n))));
  await start({ store: { insert: async (_table, rows) => void inserted.push(rows.length) } });
  await until(committed(450));
  expect(inserted).toEqual([200, 200, 50]);
});

describe('inserts of several partitions', () => {
  const PARTITION_IDS = [PARTITION, 5, 7];
  const OWNERS = PARTITION_IDS.map((partition) => customerIn(partition));
  const each = (n: number) => OWNERS.map((customerId) => record(finding(n, { customerId })));
  const all = (next: number) => () => PARTITION_IDS.every((partition) => committed(next, partition)());
  const ownersOf = (rows: readonly unknown[]) =>
    (rows as readonly CorrelationFinding[]).map(({ customerId }) => customerId);

  test('partitions share an insert, and the next one keeps its distance', async () => {
    const inserted: { readonly at: number; readonly owners: readonly string[] }[] = [];
    await log.append(each(1));
    await start({
      inserts: { everyMs: 500, gatherMs: 100 },
      store: {
        insert: async (_table, rows) =>
          void inserted.push({ at: performance.now(), owners: ownersOf(rows).toSorted() }),
      },
    });
    await until(all(1));
    const first = inserted.length;
    await log.append(each(2));
    await until(all(2));
    expect(
      inserted
        .slice(0, first)
        .flatMap(({ owners }) => owners)
        .toSorted(),
    ).toEqual(OWNERS.toSorted());
    expect(inserted.slice(first).map(({ owners }) => owners)).toEqual([OWNERS.toSorted()]);
    expect(inserted[first]!.at - inserted[first - 1]!.at).toBeGreaterThan(495);
  });

  test('partitions that find something shortly after the first join its insert', async () => {
    const inserted: (readonly string[])[] = [];
    let decoded = 0;
    await start({
      inserts: { everyMs: 0, gatherMs: 1_000 },
      codec: {
        decodeFinding: (value) => {
          decoded += 1;
          return codec.decodeFinding(value);
        },
      },
      store: { insert: async (_table, rows) => void inserted.push(ownersOf(rows).toSorted()) },
    });
    const [first, ...others] = each(1);
    await log.append([first!]);
    await until(() => decoded === 1);
    await log.append(others);
    await until(all(1));
    expect(inserted).toEqual([OWNERS.toSorted()]);
  });

  test('partitions wait together while the warehouse is down, and all are stored when it is back', async () => {
    await log.append(each(1));
    let attempts = 0;
    await start({
      store: {
        insert: async (table, rows) => {
          attempts += 1;
          if (attempts <= 3) throw new WarehouseUnavailable('down', null);
          await store.insert(table, rows);
        },
      },
    });
    await until(all(1));
    expect(ownersOf(store.final().correlations).toSorted()).toEqual(OWNERS.toSorted());
    expect(attempts).toBeGreaterThan(3);
  });
});

test('findings of an erased customer are dropped', async () => {
  const { kind, id, v, at, core } = draftOf(CUSTOMER, 'ERASURE', 1, erasureCore({ closing: true }));
  await store.insert('entries', [{ customerId: CUSTOMER, index: 4, revision: 0, kind, id, v, at, core }]);
  await log.append([record(finding(1)), record(finding(2, { customerId: OTHER }))]);
  await start();
  await until(committed(2));
  expect(store.rows.correlations.map(({ customerId }) => customerId)).toEqual([OTHER]);
  expect(counted).toEqual([]);
});

describe('a record that holds no finding of its customer', () => {
  const good = finding(1);
  const bytes = record(good).value;
  const unknownSchema = Buffer.from(bytes);
  unknownSchema.writeUInt32BE(4_711, 1);
  test.each<[string, Partial<LogRecord>]>([
    ['no bytes of the codec', { value: Buffer.from('{}') }],
    ['a schema that nobody knows', { value: unknownSchema }],
    ['a cut end', { value: bytes.subarray(0, -9) }],
    [
      'an event of another kind',
      { value: codec.encodeFoldedEntries({ customerId: CUSTOMER, epoch: 1, entries: [] }) },
    ],
    ['a time that is none', { value: codec.encodeFinding({ ...good, foundAt: 'yesterday' }) }],
    [
      'a day that there is not',
      { value: codec.encodeFinding({ ...good, changedAt: '2026-02-30T00:00:00.000Z' }) },
    ],
    ['a version below 0', { value: codec.encodeFinding({ ...good, version: -1 }) }],
    ['a score that is no number', { value: codec.encodeFinding({ ...good, score: Number.NaN }) }],
    ['a pattern that is no JSON', { value: codec.encodeFinding({ ...good, pattern: '{"finding":' }) }],
    ['settings that are no JSON', { value: codec.encodeFinding({ ...good, settings: '' }) }],
    ['another customer for a key', { key: OTHER }],
  ])('%s: the record is counted and skipped, the others are stored', async (_what, change) => {
    await log.append([record(finding(2)), { ...record(good), ...change }, record(finding(3))]);
    await start();
    await until(committed(3));
    expect(shown().map(([id]) => id)).toEqual([idOf(2), idOf(3)]);
    expect(counted).toEqual([[CORRELATIONS.name, 1]]);
  });
});

describe('outages', () => {
  test('a warehouse outage makes the batch wait, and nothing is committed before its rows are stored', async () => {
    let attempts = 0;
    await log.append([record(finding(1))]);
    const stream = await start({
      store: {
        insert: async (table, rows) => {
          attempts += 1;
          expect(log.committed(CORRELATIONS.name, PARTITION)).toBeNull();
          if (attempts < 4) throw new WarehouseUnavailable('down', null);
          await store.insert(table, rows);
        },
      },
    });
    await until(committed(1));
    expect([attempts, shown().length, stream.health().ready]).toEqual([4, 1, true]);
  });

  test('an outage of the schema registry skips no record', async () => {
    let attempts = 0;
    await log.append([record(finding(1))]);
    await start({
      codec: {
        decodeFinding: (value) => {
          attempts += 1;
          if (attempts < 3) throw new RegistryUnavailable('down');
          return codec.decodeFinding(value);
        },
      },
    });
    await until(committed(1));
    expect([shown(), counted]).toEqual([[[idOf(1), 9]], []]);
  });
});

test("a group that was away for longer than the log's retention resumes at the start of the log", async () => {
  await log.append([1, 2, 3].map((n) => record(finding(n))));
  const first = await start();
  await until(committed(3));
  await first.stop();
  await log.append([4, 5, 6].map((n) => record(finding(n))));
  log.lose(CORRELATIONS.name, PARTITION, 5);
  const stream = await start();
  await until(committed(6));
  expect(shown().map(([id]) => id)).toEqual([1, 2, 3, 6].map(idOf));
  expect(stream.health().stoppedPartitions).toEqual([]);
});

test("the group is the topic's declared one", () => {
  expect(CORRELATIONS.readBy).toEqual([FINDINGS_GROUP]);
});
