import { withTimeout } from '#platform/flow/with-timeout.ts';
import { cachedCheck } from '#platform/telemetry/readiness/cached-check.ts';
import type { Check } from '#platform/telemetry/readiness/readiness.ts';
import { columnNames, type Table } from '#schemas/tables/table.ts';
import { LEDGER, LEDGER_IDS } from '#schemas/tables/tables.ts';
import { LEDGER as LEDGER_TOPIC } from '#schemas/topics.ts';
import { type Warehouse, WarehouseUnavailable } from './port.ts';

type AnyTable = Table<Readonly<Record<string, string>>>;

/** The warehouse's tables differ from those the service expects. */
class TablesRefused extends Error {
  constructor(faults: readonly string[], what: string) {
    super(`the warehouse is incomplete: ${faults.join('; ')}. Nothing was started or changed. ${what}`);
    this.name = 'TablesRefused';
  }
}

const RESTORE =
  'Restore the whole warehouse from its backup (docs/recovery.md, "Damaged data"). Tables are also missing for users without rights on them';
const MIGRATE = 'Run "cas migrate" once, then start the services';
const READ_SECONDS = 10;

/** Rejects with `TablesRefused` if a table is missing, lacks a column, or lost its rows. */
export async function demandTables(warehouse: Warehouse, tables: readonly AnyTable[]): Promise<void> {
  const stored = await storedColumns(warehouse, tables);
  const faults = tables.flatMap((table) => faultsOf(table, stored.get(table.name)));
  if (stored.size === 0) throw new TablesRefused(['all tables are missing'], MIGRATE);
  if (faults.length > 0) throw new TablesRefused(faults, RESTORE);
  const emptied = await emptiedTable(warehouse, tables);
  if (emptied !== null) throw new TablesRefused([emptied], RESTORE);
}

/** Short descriptions of what is wrong with the tables' columns; empty if they are correct. Runs one statement. */
async function tableFaults(warehouse: Warehouse, tables: readonly AnyTable[]): Promise<string[]> {
  const stored = await storedColumns(warehouse, tables);
  return tables.flatMap((table) => faultsOf(table, stored.get(table.name)));
}

/** Types by column, grouped by table. */
async function storedColumns(
  warehouse: Warehouse,
  tables: readonly AnyTable[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await warehouse.query<{ table: string; name: string; type: string }>(
    `SELECT table, name, type FROM system.columns
     WHERE database = currentDatabase() AND table IN {tables:Array(String)}`,
    { tables: tables.map(({ name }) => name) },
    { maxExecutionSeconds: READ_SECONDS },
  );
  const stored = new Map<string, Map<string, string>>();
  for (const { table, name, type } of rows) {
    const columns = stored.get(table) ?? new Map<string, string>();
    stored.set(table, columns.set(name, type));
  }
  return stored;
}

function faultsOf(table: AnyTable, stored: ReadonlyMap<string, string> | undefined): string[] {
  if (stored === undefined) return [`the table ${table.name} is missing`];
  return columnNames(table).flatMap((name) => {
    const type = stored.get(name);
    if (type === undefined) return [`the table ${table.name} lacks the column ${name}`];
    const wanted = table.columns[name];
    return type === wanted
      ? []
      : [`the column ${name} of the table ${table.name} has type ${type} instead of ${wanted}`];
  });
}

/**
 * A ledger table that is empty although its positions say otherwise; the engine knows row counts without reading rows.
 */
async function emptiedTable(warehouse: Warehouse, tables: readonly AnyTable[]): Promise<string | null> {
  if (![LEDGER, LEDGER_IDS].every((one) => tables.some(({ name }) => name === one.name))) return null;
  const [found] = await warehouse.query<{ rows: number; ids: number; stored: number }>(
    `SELECT (SELECT count() FROM ${LEDGER.name}) AS rows, (SELECT count() FROM ${LEDGER_IDS.name}) AS ids,
       (SELECT max(nextOffset) FROM positions WHERE topic = {topic:String}) AS stored`,
    { topic: LEDGER_TOPIC.name },
    { maxExecutionSeconds: READ_SECONDS },
  );
  if (found === undefined || found.stored === 0) return null;
  if (found.rows === 0) return `the table ${LEDGER.name} is empty, although the sink stored entries`;
  return found.ids === 0 ? `the table ${LEDGER_IDS.name} is empty, but ${LEDGER.name} is not` : null;
}

const LOOK_EVERY_MS = 60_000;
/** Shorter than readiness waits for a check. */
const ANSWER_WITHIN_MS = 1_500;

/**
 * For readiness: fails when a table or column is missing; runs at most one statement a minute. The process still
 * accepts requests. While the warehouse does not answer, this check repeats its last result: another check reports that
 * the warehouse is unavailable.
 */
export function tablesCheck(
  warehouse: Warehouse,
  tables: readonly AnyTable[],
  now: () => number,
): () => Promise<Check & { readonly serves: true }> {
  const readFaults = cachedCheck(LOOK_EVERY_MS, now, () => tableFaults(warehouse, tables));
  let faults: readonly string[] = [];
  return async () => {
    const known = (error: unknown): readonly string[] => {
      if (error instanceof WarehouseUnavailable) return faults;
      throw error;
    };
    faults = await withTimeout(readFaults().catch(known), ANSWER_WITHIN_MS, () => faults);
    return faults.length === 0
      ? { ok: true, serves: true }
      : { ok: false, message: `${faults.join('; ')}: restore the warehouse from its backup`, serves: true };
  };
}
