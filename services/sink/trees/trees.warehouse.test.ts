import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CHAIN_START, chainHash } from '#core/evidence/hashing.ts';
import { EMPTY_FRONTIER, type Subtree, withLeaf } from '#core/evidence/tree/frontier.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { subtreeRoots } from '#platform/warehouse/queries/trees.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { LEDGER, type LedgerRow, POSITIONS } from '#schemas/tables/tables.ts';
import { BrokenLedger, growTree } from './grow-tree.ts';
import { createTreeJob } from './tree-job.ts';

const EPOCH = 1;
const PARTITION = 3;
const SIZE = 66_000;
const NEVER = new AbortController().signal;
const logged: object[] = [];
const logger = { info() {}, warn() {}, error: (fields: object) => void logged.push(fields) };

let root: string;
let embedded: EmbeddedWarehouse;
let warehouse: Warehouse;
let customers = 0;
let customerId = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'trees-'));
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
beforeEach(() => {
  customers += 1;
  customerId = `0190aaaa-0000-7000-8000-${String(customers).padStart(12, '0')}`;
  logged.length = 0;
});

const leafAt = (index: number): Buffer => hash('sha256', `${customerId} ${index}`, 'buffer');

/** Rows of a chain as the sink stores them; only what a tree is made from is real. */
function chain(size: number): LedgerRow[] {
  let previous = CHAIN_START;
  return Array.from({ length: size }, (_, index) => {
    const leaf = leafAt(index);
    const next = chainHash(previous, leaf);
    const row = {
      customerId,
      index,
      entryId: `SIGNAL:${index}`,
      kind: 'SIGNAL',
      id: String(index),
      v: 1,
      at: new Date(0).toISOString(),
      dataHash: '',
      coreHash: '',
      detailHash: '',
      leafHash: leaf.toString('hex'),
      previousHash: previous.toString('hex'),
      hash: next.toString('hex'),
      epoch: EPOCH,
      partition: PARTITION,
      offset: index,
    };
    previous = next;
    return row;
  });
}

const store = (rows: readonly LedgerRow[]): Promise<void> =>
  warehouse.insert(LEDGER.name, columnNames(LEDGER), rows);

const storePosition = (nextOffset: number): Promise<void> =>
  warehouse.insert(POSITIONS.name, columnNames(POSITIONS), [
    {
      epoch: EPOCH,
      topic: 'audit.ledger',
      partition: PARTITION,
      nextOffset,
      lastDigest: '',
      lastAt: new Date(0).toISOString(),
    },
  ]);

/** The expected table content, from a tree that grows leaf by leaf. */
function expected(size: number): Map<string, string> {
  const roots = new Map<string, string>();
  const note = ({ height, index, hash: of }: Subtree): void => {
    if (height === 8 || height === 16) roots.set(`${height}:${index}`, of.toString('hex'));
  };
  let frontier = EMPTY_FRONTIER;
  for (let index = 0; index < size; index += 1) frontier = withLeaf(frontier, leafAt(index), note);
  return roots;
}

async function stored(): Promise<Map<string, string>> {
  const runs = [8, 16].map((height) => ({ height, from: 0, to: SIZE }));
  const rows = await subtreeRoots(warehouse, customerId, runs);
  return new Map(rows.map(({ height, index, hash: of }) => [`${height}:${index}`, of]));
}

describe('growing a tree', () => {
  test('stores every complete subtree of 256 and of 65,536 leaves', async () => {
    await store(chain(SIZE));
    expect(await growTree(warehouse, customerId, SIZE)).toBe(Math.floor(SIZE / 256));
    expect(await stored()).toEqual(expected(SIZE));
  }, 120_000);

  test('resumes where it stopped, and does nothing twice', async () => {
    const rows = chain(1_000);
    await store(rows.slice(0, 600));
    expect(await growTree(warehouse, customerId, 600)).toBe(2);
    await store(rows.slice(600));
    expect(await growTree(warehouse, customerId, 1_000)).toBe(3);
    expect(await growTree(warehouse, customerId, 1_000)).toBe(3);
    expect(await stored()).toEqual(expected(1_000));
  });

  test('copies of a row count as one', async () => {
    const rows = chain(300);
    await store(rows);
    await store(rows.slice(100, 200));
    await growTree(warehouse, customerId, 300);
    expect(await stored()).toEqual(expected(300));
  });

  test('stops where an entry is missing, was changed, or does not link', async () => {
    const faults: ((rows: readonly LedgerRow[]) => LedgerRow[])[] = [
      (rows) => rows.filter(({ index }) => index !== 300),
      (rows) => rows.with(300, { ...rows[300]!, leafHash: leafAt(1).toString('hex') }),
      (rows) => rows.with(300, { ...rows[300]!, previousHash: rows[5]!.hash }),
    ];
    for (const [number, spoil] of faults.entries()) {
      customerId = `${customerId}-${number}`;
      await store(spoil(chain(600)));
      await expect(growTree(warehouse, customerId, 600)).rejects.toMatchObject({
        name: 'BrokenLedger',
        index: 300,
      });
      // The round failed as a whole: none of it is stored.
      expect(await stored()).toEqual(new Map());
    }
  });

  test('an aborted run leaves only complete rounds', async () => {
    await store(chain(20_000));
    const stopping = new AbortController();
    stopping.abort();
    expect(await growTree(warehouse, customerId, 20_000, { stopping: stopping.signal })).toBe(0);
    expect(await growTree(warehouse, customerId, 20_000)).toBe(78);
  });
});

describe('the tree job', () => {
  test('stores the subtrees that flushes completed', async () => {
    await store(chain(520));
    const job = createTreeJob({ warehouse, logger });
    job.folded(new Map([[customerId, { index: 254 }]]));
    await job.run(NEVER);
    expect(await stored()).toEqual(new Map());
    job.folded(new Map([[customerId, { index: 255 }]]));
    job.folded(new Map([[customerId, { index: 519 }]]));
    await job.run(NEVER);
    expect(await stored()).toEqual(expected(520));
  });

  test('reads the ledgers of many customers in one statement, up to 16,384 leaves', async () => {
    const sizes = [300, 9_000, 9_000, 256];
    const ids = sizes.map((_, n) => `${customerId}-${n}`);
    for (const [n, id] of ids.entries()) {
      customerId = id;
      await store(chain(sizes[n]!));
    }
    const spans: number[] = [];
    const counting = {
      ...warehouse,
      insert: warehouse.insert.bind(warehouse),
      query: (sql: string, parameters: Record<string, unknown>, limits: never) => {
        if (sql.includes('FROM ledger')) spans.push(Object.keys(parameters).length / 3);
        return warehouse.query(sql, parameters, limits);
      },
    } as never;
    const job = createTreeJob({ warehouse: counting, logger });
    job.folded(new Map(ids.map((id, n) => [id, { index: sizes[n]! - 1 }])));
    await job.run(NEVER);
    // The second of the two large customers no longer fits, and goes with the last.
    expect(spans).toEqual([2, 2]);
    for (const [n, id] of ids.entries()) {
      customerId = id;
      expect(await stored()).toEqual(expected(sizes[n]!));
    }
  });

  test('a ledger that does not link is reported once, and others continue', async () => {
    const rows = chain(256);
    await store(rows.slice(1));
    const brokenCustomer = customerId;
    customerId = `${customerId}-good`;
    await store(chain(256));
    const job = createTreeJob({ warehouse, logger });
    for (let run = 0; run < 2; run += 1) {
      job.folded(
        new Map([
          [brokenCustomer, { index: 255 }],
          [customerId, { index: 255 }],
        ]),
      );
      await job.run(NEVER);
    }
    expect(logged).toEqual([{ customerId: brokenCustomer, index: 0 }]);
    expect(await stored()).toEqual(expected(256));
  });

  test('the backfill covers all customers, up to the stored positions and not beyond', async () => {
    await store(chain(600));
    await storePosition(300);
    const job = createTreeJob({ warehouse, logger });
    await job.backfill(NEVER);
    expect(await stored()).toEqual(expected(300));
    await storePosition(600);
    await job.backfill(NEVER);
    expect(await stored()).toEqual(expected(600));
  });
});

test('the error of a broken ledger names only the index', () => {
  expect(new BrokenLedger(7).message).toBe('the ledger does not link at index 7; the tree stops before it');
});
