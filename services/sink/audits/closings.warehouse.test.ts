import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { EntryRow } from '#schemas/tables/tables.ts';
import { closedWithAudits, warehouseStore } from '../flush/queries.ts';
import { customerIn, erasureCore, timeAt } from '../testing/sample-log.ts';

/** Finding out whether a customer was closed does not read the rest of its chain. */

const ENTRIES = 1_000_000;
/** A customer with many AUDITOR_ACCESS entries; each test adds its own customers. */
const BUSY = customerIn(7, 0);
const FEW_ROWS = 100;
const logger = { info() {}, warn() {}, error() {} };

let root: string;
let embedded: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'closings-'));
  embedded = await startEmbeddedWarehouse({ path: root, logger });
  warehouse = openWarehouse({ ...embedded, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas/tables/migrations'));
  await warehouse.command(
    `INSERT INTO entries (customerId, \`index\`, kind, id, v, at, core, epoch, \`partition\`, \`offset\`)
     SELECT '${BUSY}', number + 100, 'AUDITOR_ACCESS', toString(number), 1, toDateTime64(1790000000, 3, 'UTC'),
       '{"auditor":"someone","route":"/evidence"}', 1, 7, number + 100 FROM numbers(${ENTRIES})`,
  );
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await embedded.stop();
  await rm(root, { recursive: true });
});

const erasure = (customerId: string, index: number, closing: boolean): EntryRow => ({
  customerId,
  index,
  revision: 0,
  erased: '',
  kind: 'ERASURE',
  id: `erasure-${index}`,
  v: 1,
  at: timeAt(index),
  core: canonicalJson(erasureCore({ closing })),
  coreSalt: '',
  detail: null,
  detailSalt: '',
  previousHash: '',
  hash: '',
  epoch: 1,
  partition: 7,
  offset: index,
});

/** Number of rows that the engine reads for the queries of `ask`. */
async function rowsRead(ask: (explaining: Warehouse) => Promise<unknown>): Promise<number> {
  let read = 0;
  let asked = 0;
  const explaining: Warehouse = {
    ...warehouse,
    query: async <Row>(sql: string, params?: Readonly<Record<string, unknown>>) => {
      asked += 1;
      const parts = await warehouse.query<{ rows: number }>(`EXPLAIN ESTIMATE ${sql}`, params);
      for (const { rows } of parts) read += rows;
      return [] as Row[];
    },
  };
  await ask(explaining);
  expect(asked).toBeGreaterThan(0);
  return read;
}

test('closings are found among all other entries and erasures', async () => {
  const closed = customerIn(7, 1);
  const store = warehouseStore(warehouse);
  await store.insert('entries', [
    erasure(BUSY, 3, false),
    erasure(closed, 2, false),
    erasure(closed, 5, true),
    // Written again by a retrying sink and blanked by a later erasure: its core stays.
    erasure(closed, 5, true),
    { ...erasure(closed, 5, true), revision: 9, erased: 'DETAIL' },
  ]);
  const found = await store.closings([BUSY, closed]);
  expect(found.length).toBeGreaterThan(0);
  for (const closing of found) expect(closing).toEqual({ customerId: closed, index: 5 });
  expect(await store.closings([BUSY])).toEqual([]);
});

test('a query for closings does not read the million entries left by auditors', async () => {
  const closed = customerIn(7, 2);
  await warehouseStore(warehouse).insert('entries', [erasure(closed, 5, true)]);
  const counted = await rowsRead((explaining) => explaining.query('SELECT sum(epoch) FROM entries'));
  expect(counted).toBeGreaterThanOrEqual(ENTRIES);
  const read = await rowsRead((explaining) => warehouseStore(explaining).closings([BUSY, closed]));
  expect(read).toBeLessThanOrEqual(FEW_ROWS);
});

test('the daily query for closed customers does not read them either', async () => {
  const closed = customerIn(7, 3);
  await warehouseStore(warehouse).insert('entries', [erasure(closed, 5, true)]);
  // None of its audits are in the list.
  expect(await closedWithAudits(warehouse)).toEqual([]);
  expect(await rowsRead(closedWithAudits)).toBeLessThanOrEqual(FEW_ROWS);
});
