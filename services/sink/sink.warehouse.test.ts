import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { createVerifier } from '#core/evidence/verify/verify.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { countContradictions } from '#platform/warehouse/queries/contradictions.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { columnNames } from '#schemas/tables/table.ts';
import {
  AUDITS,
  CONTRADICTIONS,
  ENTRIES,
  type EntryRow,
  LEDGER,
  LEDGER_IDS,
  type LedgerRow,
  SIGNALS,
  type SignalRow,
} from '#schemas/tables/tables.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { warehouseStore } from './flush/queries.ts';
import type { SinkStore } from './flush/store.ts';
import { markLost } from './jobs/lost.ts';
import { scrubErased } from './jobs/scrub.ts';
import { createSink } from './pipeline.ts';
import { createMemoryStore } from './testing/memory-store.ts';
import {
  auditIdOf,
  customerIn,
  decodeLedgerEntry,
  draftOf,
  erasureCore,
  headersOf,
  openDetail,
  signalCore,
  storedRecord,
  timeAt,
} from './testing/sample-log.ts';
import { undisturbed } from './testing/undisturbed.ts';

/** The sink's statements against the real engine: the same rows as in memory, and jobs that need the real engine. */

const EPOCH = 1;
const logger = { info() {}, warn() {}, error() {} };
const ALICE = customerIn(3, 0);
const BOB = customerIn(3, 1);

let root: string;
let embedded: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'sink-'));
  embedded = await startEmbeddedWarehouse({ path: root, logger });
  warehouse = openWarehouse({ ...embedded, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas/tables/migrations'));
  await storeWarehouseEpoch(warehouse, { epoch: EPOCH, setUp: 'test' }, 0);
  // Merges would collapse rows before FINAL and the scrub do, which the tests are about. (Stopping merges altogether
  // would stop mutations too.)
  for (const table of ['signals', 'entries', 'audits', 'ledger', 'ledger_ids']) {
    await warehouse.command(
      `ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`,
    );
  }
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await embedded.stop();
  await rm(root, { recursive: true });
});

const sinkOver = (store: SinkStore, epoch = EPOCH) =>
  undisturbed(
    createSink({
      log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
      store,
      publish: async () => undefined,
      admission: { removePendingMarks: async () => {} },
      decodeLedgerEntry,
      openDetail,
      epoch,
      now: Date.now,
      logger,
      limits: { minRecords: 1 },
    }),
  );

const batchOf = (records: readonly StoredRecord[]): Batch => ({
  topic: records[0]!.topic,
  partition: records[0]!.partition,
  records,
  nextOffset: records.at(-1)!.offset + 1,
  end: records.at(-1)!.offset + 1,
});

/**
 * Entries of two customers with every kind of erasure, cut into batches; with repeats, one of them with different
 * content.
 */
function ledgerBatches(): Batch[] {
  const drafts = [
    ...[0, 1, 2, 3].map((n) => draftOf(ALICE, 'SIGNAL', n)),
    draftOf(BOB, 'SIGNAL', 4),
    draftOf(ALICE, 'INCIDENT_EVENT', 5),
    draftOf(
      ALICE,
      'SIGNAL',
      6,
      signalCore(6, { confidence: 0.1 + 0.2, durationMs: 1e21, promptTokens: null }),
    ),
    draftOf(
      ALICE,
      'SIGNAL',
      7,
      signalCore(7, { model: 'ünï"\\\n\u0000😀', violations: [], source: 'INTERNAL' }),
    ),
    draftOf(ALICE, 'SIGNAL', 1, undefined, 99),
    draftOf(ALICE, 'ERASURE', 8, erasureCore({ ranges: [[0, 1]] })),
    draftOf(ALICE, 'ERASURE', 9, erasureCore({ ranges: [[1, 2]], scope: 'DETAIL' })),
    draftOf(ALICE, 'ERASURE', 10, erasureCore({ ranges: [[4, 7]], kinds: ['INCIDENT_EVENT', 'ERASURE'] })),
    draftOf(BOB, 'ERASURE', 11, erasureCore({ closing: true })),
    draftOf(BOB, 'SIGNAL', 12),
    draftOf(BOB, 'KEY_EVENT', 13),
    draftOf(ALICE, 'SIGNAL', 14),
    draftOf(ALICE, 'INCIDENT_EVENT', 5, { number: 99 }),
  ];
  const records = drafts.map((draft, i) => storedRecord(draft, i * 3));
  return [batchOf(records.slice(0, 6)), batchOf(records.slice(6, 10)), batchOf(records.slice(10))];
}

const tripletRecord = (n: number, customerId: string, offset: number): StoredRecord => ({
  topic: TRIPLETS.name,
  partition: 0,
  offset,
  key: auditIdOf(n),
  value: Buffer.from('sealed'),
  headers: headersOf(draftOf(customerId, 'SIGNAL', n)),
  timestamp: Date.parse(timeAt(n)),
});

const rawRows = <Row>(table: typeof LEDGER | typeof SIGNALS | typeof ENTRIES, customerId: string) =>
  warehouse.query<Row>(
    `SELECT ${columnNames(table)
      .map((name) => `\`${name}\``)
      .join(', ')} FROM ${table.name} WHERE customerId = {customerId:String} ORDER BY \`index\``,
    { customerId },
  );

async function verified(customerId: string) {
  const verifier = createVerifier({ customerId });
  const ledger = await rawRows<LedgerRow>(LEDGER, customerId);
  const entries = await rawRows<EntryRow>(ENTRIES, customerId);
  verifier.erasures(ledger, entries);
  verifier.chunk({ ledger, signals: await rawRows<SignalRow>(SIGNALS, customerId), entries });
  return verifier.finish();
}

/** Tables order an index as a number, the in-memory store orders keys as text. */
const sorted = (tables: Readonly<Record<string, readonly unknown[]>>): object =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => canonicalJson(row)).sort()]),
  );

async function finalRows() {
  const read = async (table: typeof LEDGER, order: string): Promise<unknown[]> => {
    const columns = columnNames(table).map((name) =>
      name === 'version' ? 'toString(version) AS version' : `\`${name}\``,
    );
    return warehouse.query(`SELECT ${columns.join(', ')} FROM ${table.name} FINAL ORDER BY ${order}`);
  };
  return {
    ledger: await read(LEDGER, 'customerId, `index`'),
    ledger_ids: await read(LEDGER_IDS as never, 'customerId, entryId'),
    signals: await read(SIGNALS as never, 'customerId, createdAt, auditId'),
    entries: await read(ENTRIES as never, 'customerId, `index`'),
    audits: await read(AUDITS as never, 'customerId, acceptedAt, auditId'),
    contradictions: await read(CONTRADICTIONS as never, 'epoch, partition, offset'),
  };
}

test('the engine holds the rows of the in-memory model, and they verify', async () => {
  const memory = createMemoryStore(EPOCH);
  const triplets = batchOf([tripletRecord(0, ALICE, 0), tripletRecord(20, ALICE, 1)]);
  for (const batch of [...ledgerBatches(), triplets]) {
    await sinkOver(memory).process(batch);
    // A new sink per batch: heads and ids come from the tables.
    await sinkOver(warehouseStore(warehouse)).process(batch);
  }
  // The tree job fills the other two, not the sink.
  const { positions: _positions, skips: _skips, ...others } = memory.final();
  const { checkpoints, subtrees, correlations, correlation_snapshots: snapshots, ...expected } = others;
  expect([checkpoints, subtrees, correlations, snapshots]).toEqual([[], [], [], []]);
  expect(expected.contradictions).toMatchObject([{ entryId: 'INCIDENT_EVENT:incident_event-5', offset: 48 }]);
  expect(await countContradictions(warehouse)).toBe(1);
  expect(sorted(await finalRows())).toEqual(sorted(expected));
  expect(await verified(ALICE)).toMatchObject({ valid: true, treeSize: 11, erasedSignals: 3 });
  expect(await verified(BOB)).toMatchObject({ valid: true, treeSize: 4, erasedSignals: 1 });
});

test('batches folded again leave the same rows and position', async () => {
  const before = await finalRows();
  const [first, second] = ledgerBatches();
  const store = warehouseStore(warehouse);
  const position = await store.position(EPOCH, first!.topic, 3);
  expect(position).toMatchObject({ nextOffset: 49 });
  await sinkOver(store).process(first!);
  await sinkOver(store).process(second!);
  expect(await finalRows()).toEqual(before);
  expect(await store.position(EPOCH, first!.topic, 3)).toEqual(position);
  expect(await verified(ALICE)).toMatchObject({ valid: true, treeSize: 11 });
});

test('the scrub deletes only what tombstones hide', async () => {
  const before = await finalRows();
  const deleted = await scrubErased(warehouse);
  expect(deleted.signals).toBeGreaterThanOrEqual(3);
  expect(deleted.audits).toBeGreaterThanOrEqual(2);
  expect(await finalRows()).toEqual(before);
  const left = await warehouse.query<{ auditId: string; revision: number }>(
    'SELECT DISTINCT auditId, revision FROM signals WHERE customerId = {customerId:String} AND auditId = {auditId:String}',
    { customerId: ALICE, auditId: auditIdOf(0) },
  );
  expect(left).toEqual([{ auditId: auditIdOf(0), revision: 7 }]);
  expect(await scrubErased(warehouse)).toEqual({ signals: 0, entries: 0, audits: 0 });
  expect(await verified(ALICE)).toMatchObject({ valid: true, erasedSignals: 3 });
});

test('erasures folded after the scrub find nothing to do', async () => {
  const before = await finalRows();
  await sinkOver(warehouseStore(warehouse)).process(ledgerBatches()[2]!);
  expect(await finalRows()).toEqual(before);
});

test('an unfinished audit is marked as lost once its record is gone from the log', async () => {
  const now = () => Date.parse(timeAt(20)) + TRIPLETS.retentionMs + 1_000;
  const job = { warehouse, now, epoch: EPOCH };
  expect(await markLost({ ...job, logStart: async () => 1 })).toBe(0);
  expect(await markLost({ ...job, logStart: async () => 2 })).toBe(1);
  expect(await markLost({ ...job, logStart: async () => 2 })).toBe(0);
  const rows = await warehouse.query(
    'SELECT status, failureCode FROM audits FINAL WHERE auditId = {auditId:String}',
    { auditId: auditIdOf(20) },
  );
  expect(rows).toEqual([{ status: 'FAILED', failureCode: 'LOST' }]);
  // A late arrival outranks the mark.
  await sinkOver(warehouseStore(warehouse)).process(
    batchOf([storedRecord(draftOf(ALICE, 'SIGNAL', 20), 60)]),
  );
  expect(
    await warehouse.query('SELECT status FROM audits FINAL WHERE auditId = {auditId:String}', {
      auditId: auditIdOf(20),
    }),
  ).toEqual([{ status: 'COMPLETED' }]);
});

test('a head is found without reading the chain', async () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => ({ index }));
  const [head] = await rawRows<LedgerRow>(LEDGER, BOB);
  const customerId = customerIn(3, 2);
  for (let from = 0; from < rows.length; from += 50_000) {
    const chunk = rows
      .slice(from, from + 50_000)
      .map(({ index }) => ({ ...head!, customerId, index, offset: index }));
    await warehouse.insert('ledger', columnNames(LEDGER), chunk);
  }
  const store = warehouseStore(warehouse);
  expect(await store.heads(EPOCH, [{ customerId, belowOffset: 150_000 }])).toEqual([
    { customerId, index: 149_999, hash: head!.hash },
  ]);
  const plan = await warehouse.query<{ explain: string }>(
    `EXPLAIN SELECT customerId, \`index\`, hash FROM ledger WHERE customerId = '${customerId}'
     ORDER BY customerId DESC, \`index\` DESC LIMIT 1`,
  );
  expect(plan.map((row) => row.explain).join('\n')).toMatch(/ReadType: InReverseOrder|reverse/i);
});

test('ids are found by the primary key', async () => {
  const customerId = customerIn(3, 2);
  const [id] = await warehouse.query<object>('SELECT * FROM ledger_ids LIMIT 1');
  const rows = Array.from({ length: 50_000 }, (_, n) => ({
    ...id,
    customerId,
    entryId: `SIGNAL:${auditIdOf(n)}`,
  }));
  await warehouse.insert('ledger_ids', columnNames(LEDGER_IDS), rows);
  const wanted = rows.slice(20_000, 21_500);
  expect(
    await warehouseStore(warehouse).ids([...wanted, { customerId, entryId: 'SIGNAL:none' }]),
  ).toHaveLength(1_500);
  const stored = await idGranules(customerId, wanted[0]!.entryId);
  expect(stored.all).toBeGreaterThan(90);
  expect(stored.byKey).toBeLessThan(10);
  expect(stored.read).toBeGreaterThan(0);
  // An id with a later time than all of them, like nearly every id in a flush: nothing is read.
  expect((await idGranules(customerId, `SIGNAL:${auditIdOf(60_000)}`)).read).toBe(0);
});

/** Granules of `ledger_ids`: all, those selected by the primary key for an id, and those actually read. */
async function idGranules(customerId: string, id: string) {
  const plan = await warehouse.query<{ explain: string }>(
    `EXPLAIN indexes = 1 SELECT * FROM ledger_ids
     WHERE customerId IN {customers:Array(String)} AND entryId IN {ids:Array(String)}`,
    { customers: [customerId], ids: [id] },
  );
  const text = plan.map((row) => row.explain).join('\n');
  const granules = [...text.matchAll(/Granules: (\d+)\/(\d+)/g)].map(([, left, of]) => [
    Number(left),
    Number(of),
  ]);
  return { all: granules[0]![1]!, byKey: granules[0]![0]!, read: granules.at(-1)![0]! };
}

test('a contradiction folded again after a new epoch does not count as a new one', async () => {
  const epoch = EPOCH + 1;
  await storeWarehouseEpoch(warehouse, { epoch, setUp: 'test' }, 1);
  const noted = async () =>
    warehouse.query('SELECT DISTINCT epoch FROM contradictions WHERE customerId = {customerId:String}', {
      customerId: ALICE,
    });
  expect(await noted()).toHaveLength(1);
  for (const batch of ledgerBatches()) await sinkOver(warehouseStore(warehouse), epoch).process(batch);
  expect(await noted()).toHaveLength(2);
  expect(await countContradictions(warehouse)).toBe(1);
  const another = storedRecord(draftOf(ALICE, 'INCIDENT_EVENT', 5, { number: 100 }), 60);
  await sinkOver(warehouseStore(warehouse), epoch).process(batchOf([another]));
  expect(await countContradictions(warehouse)).toBe(2);
});
