import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import type { Table } from '#schemas/tables/table.ts';
import { AUDITS, LEDGER_IDS } from '#schemas/tables/tables.ts';
import { warehouseStore } from '#services/sink/flush/queries.ts';
import { createSink } from '#services/sink/pipeline.ts';
import {
  auditIdOf,
  customerIn,
  decodeLedgerEntry,
  draftOf,
  erasureCore,
  openDetail,
  storedRecord,
} from '#services/sink/testing/sample-log.ts';
import { heldAssignment } from '#services/sink/testing/undisturbed.ts';
import { type RealWarehouse, startRealWarehouse } from '../../testing/real-warehouse.ts';
import { changedDerived } from './derived-rows.ts';

/** Changes each column of the derived tables directly. Columns are read from the tables, so new ones are covered. */

const EPOCH = 1;
const PARTITION = 5;
/** Entries of each customer: the first is changed; the others are erased, or are not signals. */
const KINDS = ['SIGNAL', 'SIGNAL', 'SIGNAL', 'POLICY_EVENT', 'ERASURE', 'ERASURE'] as const;
const CORES = new Map<number, object>([
  [4, erasureCore({ ranges: [[1, 1]] })],
  [5, erasureCore({ ranges: [[2, 2]], scope: 'DETAIL' })],
]);

/** Comes only from a record's headers, and is not served for a completed audit. */
const NOT_COMPARED = ['generation'];
/** Columns of the sort key: another value makes another row. */
const KEYS = ['customerId', 'acceptedAt', 'auditId', 'entryId'];

interface Change {
  readonly table: Table<Readonly<Record<string, string>>>;
  readonly column: string;
}
const CHANGES: Change[] = [AUDITS, LEDGER_IDS].flatMap((table) =>
  Object.keys(table.columns).map((column) => ({ table, column })),
);
/** A customer for each change, and an untouched one. */
const CUSTOMERS = [...CHANGES.map((_, n) => customerIn(PARTITION, n)), customerIn(PARTITION, CHANGES.length)];

let real: RealWarehouse;
beforeAll(async () => {
  real = await startRealWarehouse();
  await storeWarehouseEpoch(real.warehouse, { epoch: EPOCH, setUp: 'test' }, 0);
  const records = CUSTOMERS.flatMap((customerId, c) =>
    KINDS.map((kind, n) => {
      const draft = draftOf(customerId, kind, c * KINDS.length + n, CORES.get(n));
      return storedRecord(draft, c * KINDS.length + n);
    }),
  );
  await fold(records);
  await changeRows();
}, 120_000);
afterAll(() => real.close());

async function fold(records: readonly StoredRecord[]): Promise<void> {
  const nextOffset = records.at(-1)!.offset + 1;
  const batch = { ...records[0]!, records, nextOffset, end: nextOffset };
  await createSink({
    log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
    store: warehouseStore(real.warehouse),
    publish: async () => undefined,
    admission: { removePendingMarks: async () => {} },
    decodeLedgerEntry,
    openDetail,
    epoch: EPOCH,
    now: Date.now,
    logger: { warn() {}, error() {} },
    limits: { minRecords: 1 },
  }).process(batch, heldAssignment(batch));
}

/** Another value of a column, by its type. */
function otherThan(column: string, type: string): string {
  const inner = /^(?:LowCardinality|Nullable)\((.*)\)$/.exec(type)?.[1];
  if (inner !== undefined) return otherThan(column, inner);
  if (type.startsWith('Array')) return `arrayConcat(${column}, ['SSN'])`;
  if (type.startsWith('DateTime')) return `ifNull(${column}, toDateTime64(0, 3)) + 1`;
  if (type === 'Bool') return `NOT ${column}`;
  if (type === 'String') return `concat(ifNull(${column}, ''), 'x')`;
  return `ifNull(${column}, 0) + 1`;
}

const firstOf = (n: number): string => auditIdOf(n * KINDS.length);
const isOf = ({ table }: Change, n: number): string => {
  const row = table === AUDITS ? `auditId = '${firstOf(n)}'` : `entryId = 'SIGNAL:${firstOf(n)}'`;
  return `customerId = '${CUSTOMERS[n]}' AND ${row}`;
};

/** Rows are copied with the change, and the originals are deleted. */
async function changeRows(): Promise<void> {
  const { warehouse } = real;
  for (const table of [AUDITS, LEDGER_IDS]) {
    const own = CHANGES.flatMap((change, n) => (change.table.name === table.name ? [{ change, n }] : []));
    const name = (column: string): string => `\`${column}\``;
    const copies = own.map(({ change: { column }, n }) => {
      const other = otherThan(name(column), (table.columns as Readonly<Record<string, string>>)[column]!);
      return `SELECT * REPLACE (${other} AS ${name(column)}) FROM ${table.name} WHERE ${isOf(CHANGES[n]!, n)}`;
    });
    await warehouse.command(`CREATE TABLE changed_${table.name} AS ${table.name}`);
    for (const copy of copies) await warehouse.command(`INSERT INTO changed_${table.name} ${copy}`);
    await warehouse.command(
      `ALTER TABLE ${table.name} DELETE WHERE ${own.map(({ n }) => `(${isOf(CHANGES[n]!, n)})`).join(' OR ')}
       SETTINGS mutations_sync = 2`,
    );
    await warehouse.command(`INSERT INTO ${table.name} SELECT * FROM changed_${table.name}`);
    await warehouse.command(`DROP TABLE changed_${table.name}`);
  }
}

const found = (customerId: string) =>
  changedDerived(real.warehouse, customerId, { from: 0, to: null }, new AbortController().signal, []);

test('rows as the sink wrote them have no faults, including erased ones', async () => {
  expect(await found(CUSTOMERS.at(-1)!)).toEqual([]);
});

test('rows without an entry are found after the last entry', async () => {
  const customerId = CUSTOMERS.at(-1)!;
  const { warehouse } = real;
  const after = [{ index: KINDS.length, id: null, reason: 'DERIVED_CHANGED' }];
  const planted = [
    `INSERT INTO ledger_ids SELECT * REPLACE ('SIGNAL:planted' AS entryId) FROM ledger_ids WHERE customerId = '${customerId}' LIMIT 1`,
    `INSERT INTO audits SELECT * REPLACE ('planted' AS auditId) FROM audits FINAL WHERE customerId = '${customerId}' LIMIT 1`,
    `INSERT INTO closings VALUES ('${customerId}', 3)`,
  ];
  for (const [n, statement] of planted.entries()) {
    await warehouse.command(statement);
    expect(await found(customerId)).toEqual(after);
    const table = ['ledger_ids', 'audits', 'closings'][n]!;
    const row = ["entryId = 'SIGNAL:planted'", "auditId = 'planted'", 'true'][n]!;
    await warehouse.command(
      `ALTER TABLE ${table} DELETE WHERE customerId = '${customerId}' AND ${row} SETTINGS mutations_sync = 2`,
    );
  }
  expect(await found(customerId)).toEqual([]);
}, 60_000);

test('computed columns of a signal are compared with the signal', async () => {
  const { warehouse } = real;
  const customerId = CUSTOMERS.at(-1)!;
  const stored = `customerId = '${customerId}' AND \`index\` = 0`;
  for (const [column, type, other] of [
    ['customer', 'LowCardinality(String)', "'another'"],
    ['sandbox', 'LowCardinality(String)', "'another'"],
    ['violationBits', 'UInt64', '0'],
    ['foundCvv', 'Bool', 'true'],
  ] as const) {
    const [before] = await warehouse.query<{ value: unknown }>(
      `SELECT ${column} AS value FROM signals WHERE ${stored} LIMIT 1`,
    );
    await warehouse.command(`ALTER TABLE signals MODIFY COLUMN ${column} REMOVE MATERIALIZED`);
    const set = (value: string) =>
      warehouse.command(
        `ALTER TABLE signals UPDATE ${column} = ${value} WHERE ${stored} SETTINGS mutations_sync = 2`,
      );
    await set(other);
    expect([column, await found(customerId)]).toMatchObject([
      column,
      [{ index: 0, reason: 'DERIVED_CHANGED' }],
    ]);
    await set(type === 'LowCardinality(String)' ? `'${before!.value}'` : String(before!.value));
    expect(await found(customerId)).toEqual([]);
  }
}, 60_000);

describe('a direct change is found through its entry', () => {
  test.each(CHANGES.map((change, n) => [`${change.table.name}.${change.column}`, change, n] as const))(
    '%s',
    async (_, { column }, n) => {
      const fault = { index: 0, id: firstOf(n), reason: 'DERIVED_CHANGED' };
      const faults = await found(CUSTOMERS[n]!);
      if (NOT_COMPARED.includes(column)) expect(faults).toEqual([]);
      else expect(faults[0]).toEqual(fault);
      if (!KEYS.includes(column)) expect(faults.length).toBeLessThanOrEqual(1);
    },
    30_000,
  );
});
