import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { LEDGER_IDS, POSITIONS } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import { openWarehouse } from '../client/clickhouse.ts';
import { migrate } from '../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../embedded/process.ts';
import type { Warehouse } from '../port.ts';
import { foldedEntries, foldedIndex, foldedIndexes } from './folded.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'folded-'));
const logger = createLogger('silent');
let engine: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

test('entries are folded if the customer’s ledger has their ids below the position of their partition', async () => {
  const at = { epoch: 1, partition: 3 };
  const id = (customerId: string, index: number) => ({
    ...at,
    customerId,
    entryId: `POLICY_EVENT:sandbox:s:${index}`,
    index,
    offset: 10 + index,
  });
  const ids = [id('c', 1), id('c', 1), id('c', 2), id('c', 3), id('other', 4)];
  await warehouse.insert(LEDGER_IDS.name, columnNames(LEDGER_IDS), ids);
  const position = { ...at, topic: LEDGER.name, nextOffset: 13 };
  await warehouse.insert(POSITIONS.name, columnNames(POSITIONS), [
    { ...position, lastDigest: '', lastAt: '2026-11-01T00:00:00.000Z' },
  ]);
  const asked = [1, 2, 3, 4, 5].map((n) => `POLICY_EVENT:sandbox:s:${n}`);
  expect([...(await foldedEntries(warehouse, 'c', asked))].sort()).toEqual(asked.slice(0, 2));
  expect([...(await foldedIndexes(warehouse, 'c', asked))].sort()).toEqual([
    [asked[0], 1],
    [asked[1], 2],
  ]);
  expect(await foldedIndex(warehouse, 'c', asked[1]!)).toBe(2);
  expect(await foldedIndex(warehouse, 'c', asked[2]!)).toBeNull();
});
