import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { warehouseStore } from './flush/queries.ts';
import { createSink } from './pipeline.ts';
import {
  customerIn,
  decodeLedgerEntry,
  draftOf,
  erasureCore,
  openDetail,
  signalCore,
  storedRecord,
} from './testing/sample-log.ts';
import { heldAssignment } from './testing/undisturbed.ts';

/** A customer whose signals span more months than the engine accepts in one insert. */

const EPOCH = 1;
const MONTHS = 150;
const logger = { info() {}, warn() {}, error() {} };
const monthAt = (n: number): string => new Date(Date.UTC(2010, n, 15, 12)).toISOString();

let root: string;
let embedded: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'long-history-'));
  embedded = await startEmbeddedWarehouse({ path: root, logger });
  warehouse = openWarehouse({ ...embedded, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas/tables/migrations'));
  await storeWarehouseEpoch(warehouse, { epoch: EPOCH, setUp: 'test' }, 0);
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await embedded.stop();
  await rm(root, { recursive: true });
});

const fold = (records: readonly StoredRecord[]): Promise<undefined> => {
  const nextOffset = records.at(-1)!.offset + 1;
  const batch: Batch = { ...records[0]!, records, nextOffset, end: nextOffset };
  return createSink({
    log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
    store: warehouseStore(warehouse),
    publish: async () => undefined,
    admission: { removePendingMarks: async () => {} },
    decodeLedgerEntry,
    openDetail,
    epoch: EPOCH,
    now: Date.now,
    logger,
    limits: { minRecords: 1 },
  }).process(batch, heldAssignment(batch));
};

/** A platform signal per month, from this ledger offset on. */
const history = (customerId: string, from: number): StoredRecord[] =>
  Array.from({ length: MONTHS }, (_, n) => {
    const times = { acceptedAt: monthAt(n), createdAt: monthAt(n) };
    const draft = draftOf(
      customerId,
      'SIGNAL',
      from + n,
      signalCore(from + n, { source: 'INTERNAL', ...times }),
    );
    return storedRecord(draft, from + n);
  });

const countIn = (table: 'signals' | 'audits', customerId: string, condition: string) => {
  const time = table === 'signals' ? 'createdAt' : 'acceptedAt';
  return warehouse.query<{ rows: number; months: number }>(
    `SELECT count() AS rows, uniqExact(toYYYYMM(${time})) AS months FROM ${table} FINAL
     WHERE customerId = {customerId:String} AND ${condition}`,
    { customerId },
  );
};
const ONE_A_MONTH = [{ rows: MONTHS, months: MONTHS }];

test('one flush stores signals of 150 months', async () => {
  const customerId = customerIn(5, 0);
  await fold(history(customerId, 0));
  expect(await countIn('signals', customerId, 'true')).toEqual(ONE_A_MONTH);
  expect(await countIn('audits', customerId, 'true')).toEqual(ONE_A_MONTH);
});

test('an ERASURE over 150 months completes', async () => {
  const customerId = customerIn(5, 1);
  const records = history(customerId, MONTHS);
  for (let from = 0; from < MONTHS; from += 50) await fold(records.slice(from, from + 50));
  const core = erasureCore({ ranges: [[0, MONTHS - 1]] });
  await fold([storedRecord(draftOf(customerId, 'ERASURE', MONTHS, core), 2 * MONTHS)]);
  expect(await countIn('signals', customerId, "erased = 'ALL'")).toEqual(ONE_A_MONTH);
  expect(await countIn('audits', customerId, 'erased')).toEqual(ONE_A_MONTH);
});
