import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { LEDGER, type LedgerRow, POSITIONS } from '#schemas/tables/tables.ts';
import { openWarehouse } from '../client/clickhouse.ts';
import { migrate } from '../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../embedded/process.ts';
import type { Warehouse } from '../port.ts';
import { foldedTip, ledgerLeaves } from './trees.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'trees-'));
const logger = createLogger('silent');
const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const OTHER = '0190aaaa-0000-7000-8000-0000000000c2';
const TOPIC = 'ledger';
const PARTITION = 3;
/** Two entries of the first epoch and two of the second, each at the offset equal to its index. */
const ENTRIES = storedRows([0, 1, 2, 3].map((index) => sampleDraft(index, 'SIGNAL'))).ledger.map(
  (row): LedgerRow => ({
    ...row,
    customerId: CUSTOMER,
    epoch: row.index < 2 ? 1 : 2,
    partition: PARTITION,
    offset: row.index,
  }),
);

let engine: EmbeddedWarehouse;
let warehouse: Warehouse;
beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  await warehouse.insert(LEDGER.name, columnNames(LEDGER), ENTRIES);
  // A restart writes rows again.
  await warehouse.insert(LEDGER.name, columnNames(LEDGER), ENTRIES);
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

const stored = (epoch: number, partition: number, nextOffset: number, topic = TOPIC): Promise<void> =>
  warehouse.insert(POSITIONS.name, columnNames(POSITIONS), [
    { topic, epoch, partition, nextOffset, lastDigest: '', lastAt: new Date(0).toISOString() },
  ]);
const tipIndex = async (customerId = CUSTOMER): Promise<number | null> =>
  (await foldedTip(warehouse, customerId, { topic: TOPIC, partition: PARTITION }))?.index ?? null;

describe('the last entry below the stored position', () => {
  test('is from the newest epoch up to its position, or from any older epoch', async () => {
    expect(await tipIndex()).toBeNull();
    await stored(1, PARTITION, 1);
    expect(await tipIndex()).toBe(0);
    // Positions of other topics or partitions do not count.
    await stored(1, PARTITION, 4, 'triplets');
    await stored(1, PARTITION + 1, 4);
    expect(await tipIndex()).toBe(0);
    await stored(1, PARTITION, 2);
    expect(await tipIndex()).toBe(1);
    // Nothing of the partition is stored in the new epoch yet.
    await stored(2, PARTITION + 1, 4);
    expect(await tipIndex()).toBeNull();
    await stored(2, PARTITION, 3);
    await stored(2, PARTITION, 1);
    expect(await tipIndex()).toBe(2);
    const { index, leafHash, previousHash, hash } = ENTRIES[2]!;
    const tip = await foldedTip(warehouse, CUSTOMER, { topic: TOPIC, partition: PARTITION });
    expect(tip).toEqual({ index, leafHash, previousHash, hash });
    expect(await tipIndex(OTHER)).toBeNull();
  });
});

test('leaves of a range are ordered and distinct', async () => {
  const leaves = await ledgerLeaves(warehouse, { customerId: CUSTOMER, from: 1, to: 3 });
  expect(leaves).toEqual(ENTRIES.slice(1, 3).map(({ index, leafHash }) => ({ index, leafHash })));
  expect(await ledgerLeaves(warehouse, { customerId: OTHER, from: 0, to: 4 })).toEqual([]);
});
