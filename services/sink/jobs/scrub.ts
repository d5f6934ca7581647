import type { Warehouse } from '../../../platform/warehouse/port.ts';
import { ERASED_RANK } from '../audit-rows.ts';

/** A table with tombstones: what identifies a row, and the number that the highest row of a key wins by. */
interface ScrubbedTable {
  readonly name: string;
  readonly key: readonly { readonly sql: string; readonly type: string }[];
  readonly level: string;
  /** Rows from this level on are tombstones. */
  readonly tombstoneFrom: number;
}

const customer = { sql: 'customerId', type: 'String' };
const audit = { sql: 'auditId', type: 'String' };
const TABLES: readonly ScrubbedTable[] = [
  {
    name: 'signals',
    key: [customer, { sql: 'toUnixTimestamp64Milli(createdAt)', type: 'Int64' }, audit],
    level: 'revision',
    tombstoneFrom: 1,
  },
  {
    name: 'entries',
    key: [customer, { sql: '`index`', type: 'UInt64' }],
    level: 'revision',
    tombstoneFrom: 1,
  },
  {
    name: 'audits',
    key: [customer, { sql: 'toUnixTimestamp64Milli(acceptedAt)', type: 'Int64' }, audit],
    level: 'rank',
    tombstoneFrom: ERASED_RANK,
  },
];

/** Keys that one mutation clears. */
const KEYS_PER_ROUND = 1_000;

interface Stale {
  readonly key: readonly (string | number)[];
  readonly levels: readonly number[];
}

/**
 * Deletes the rows that tombstones hide, so that erased content is gone from the disk too. Run after erasures and
 * daily: a restart or a former owner of a partition may write an erased row again, hidden under its tombstone. A job
 * of its own, because a mutation takes seconds and would hold up a flush. Repeatable; returns rows deleted per table.
 */
export async function scrubErased(warehouse: Warehouse): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {};
  for (const table of TABLES) {
    deleted[table.name] = 0;
    for (;;) {
      const stale = await hiddenRows(warehouse, table);
      if (stale.length === 0) break;
      deleted[table.name]! += await deleteRows(warehouse, table, stale);
    }
  }
  return deleted;
}

async function hiddenRows(warehouse: Warehouse, table: ScrubbedTable): Promise<Stale[]> {
  const key = table.key.map(({ sql }) => sql).join(', ');
  const rows = await warehouse.query<Stale>(
    `SELECT tuple(${key}) AS key, groupUniqArray(${table.level}) AS levels FROM ${table.name}
     WHERE (${key}) IN (SELECT ${key} FROM ${table.name} WHERE ${table.level} >= ${table.tombstoneFrom})
     GROUP BY key HAVING length(levels) > 1 LIMIT ${KEYS_PER_ROUND}`,
  );
  return rows;
}

async function deleteRows(
  warehouse: Warehouse,
  table: ScrubbedTable,
  stale: readonly Stale[],
): Promise<number> {
  const columns = [...table.key, { sql: table.level, type: 'UInt64' }];
  const rows = stale.flatMap(({ key, levels }) => {
    const winner = Math.max(...levels);
    return levels.filter((level) => level < winner).map((level) => [...key, level]);
  });
  const params = Object.fromEntries(columns.map((_, i) => [`part${i}`, rows.map((row) => row[i])]));
  const tuple = columns.map(({ sql }) => sql).join(', ');
  const arrays = columns.map(({ type }, i) => `{part${i}:Array(${type})}`).join(', ');
  await warehouse.command(
    `ALTER TABLE ${table.name} DELETE WHERE (${tuple}) IN arrayZip(${arrays}) SETTINGS mutations_sync = 2`,
    params,
  );
  return rows.length;
}
