import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { groupBy } from '#schemas/group-by.ts';
import type { Warehouse } from '../port.ts';
import { maskLiterals, splitStatements } from './sql-text.ts';

/** Substitutions that let one set of migration files serve a single server and a cluster. */
export interface Substitutions {
  /** Replaces `${ON_CLUSTER}`: empty, or `ON CLUSTER name`. */
  readonly ON_CLUSTER: string;
  /** MergeTree tables keep a copy on every replica. */
  readonly isReplicated: boolean;
}

export const SINGLE_SERVER: Substitutions = { ON_CLUSTER: '', isReplicated: false };

interface MigrateOptions {
  readonly substitutions?: Substitutions;
  /** Unix ms, recorded as the time when a migration ran. */
  readonly now?: () => number;
}

interface MigrationFile {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly text: string;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

const RECORD_TABLE = `CREATE TABLE IF NOT EXISTS migrations \${ON_CLUSTER} (
  number UInt32, name String, sha256 String, at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree ORDER BY number SETTINGS replicated_deduplication_window = 0`;

/**
 * Applies the folder's `NNNN_name.sql` files in order and records each. Files are numbered without gaps and never
 * change once applied; the first one replaces all earlier migrations. A file is recorded after its last statement;
 * after a failure the whole file runs again, so its statements must be idempotent (`IF NOT EXISTS`). Returns the
 * numbers applied now. Throws if an applied file changed, if the warehouse has a migration that the folder lacks,
 * because a newer program has run here, or if the warehouse lacks a migration from before the first file.
 */
export async function migrate(
  warehouse: Warehouse,
  folder: string,
  options: MigrateOptions = {},
): Promise<number[]> {
  const substitutions = options.substitutions ?? SINGLE_SERVER;
  const now = options.now ?? Date.now;
  const files = await readMigrations(folder);
  await warehouse.command(substitute(RECORD_TABLE, substitutions, 'migrations'));
  const applied = await warehouse.query<AppliedMigration>(
    'SELECT number, name, sha256 FROM migrations FINAL ORDER BY number',
  );
  const first = files[0]?.number ?? 1;
  const last = applied.at(-1);
  if (last !== undefined && last.number < first - 1) throw tooOld(last);
  for (const record of applied) {
    if (record.number >= first) compare(record, files[record.number - first]);
  }
  const missing = files.filter(({ number }) => last === undefined || number > last.number);
  for (const file of missing) {
    for (const statement of splitStatements(file.text)) {
      await warehouse.command(substitute(statement, substitutions, file.name));
    }
    const record = { number: file.number, name: file.name, sha256: file.sha256 };
    const at = new Date(now()).toISOString();
    await warehouse.insert('migrations', ['number', 'name', 'sha256', 'at'], [{ ...record, at }]);
  }
  return missing.map((file) => file.number);
}

interface ColumnDescription {
  readonly name: string;
  readonly type: string;
}

/** Columns of every table of the current database in order, without views and computed columns. */
export async function describeTables(warehouse: Warehouse): Promise<Map<string, ColumnDescription[]>> {
  const rows = await warehouse.query<ColumnDescription & { table: string }>(
    `SELECT table, name, type FROM system.columns
     WHERE database = currentDatabase() AND default_kind != 'MATERIALIZED'
       AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine NOT LIKE '%View')
     ORDER BY table, position`,
  );
  const tables = groupBy(rows, ({ table }) => table);
  return new Map(
    [...tables].map(([table, columns]) => [table, columns.map(({ name, type }) => ({ name, type }))]),
  );
}

/** NaN if the name is not a migration's. */
const numberOf = (name: string): number => Number(/^(\d{4})_\w+\.sql$/.exec(name)?.[1]);

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = numberOf(name);
      if (number !== numberOf(names[0]!) + index) {
        throw new Error(
          `${folder}/${name}: migrations must be named NNNN_name.sql and numbered without gaps or duplicates`,
        );
      }
      const text = await readFile(path.join(folder, name), 'utf8');
      return { number, name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

const tooOld = ({ name }: AppliedMigration): Error =>
  new Error(
    `the warehouse was created by an older release (last migration: ${name}) that cannot be upgraded. Export your data with that release ("cas export"), then start this one with an empty warehouse or data folder.`,
  );

function compare(record: AppliedMigration, file: MigrationFile | undefined): void {
  if (file === undefined) {
    throw new Error(
      `the warehouse has the unknown migration ${record.name}, so a newer release created it. Run that release or a later one.`,
    );
  }
  if (file.sha256 !== record.sha256) {
    throw new Error(
      `migration ${file.name} differs from the applied ${record.name}. Restore the file, and put the change in a new migration.`,
    );
  }
}

/** Applies the substitutions to a statement. */
export function substitute(text: string, substitutions: Substitutions, source: string): string {
  const placed = text.replace(/\$\{(\w+)\}/g, (placeholder, name: string) => {
    if (name !== 'ON_CLUSTER') throw new Error(`${source}: unknown placeholder ${placeholder}`);
    return substitutions.ON_CLUSTER;
  });
  return substitutions.isReplicated ? replicateEngine(placed) : placed;
}

/**
 * The path in Keeper uses names instead of the table's UUID: a lost replica that recreates its table gets a new UUID
 * and would replicate nothing. The server fills in the braces.
 */
const REPLICA = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";

function replicateEngine(sql: string): string {
  const pattern = /\bENGINE\s*=\s*(\w*MergeTree)\b(?:\s*\(([^()]*)\))?/i;
  const found = pattern.exec(maskLiterals(sql));
  if (found === null) return sql;
  const end = found.index + found[0].length;
  const engine = sql.slice(found.index, end).replace(pattern, (_, name: string, given = '') => {
    const options = given.trim() === '' ? REPLICA : `${REPLICA}, ${given}`;
    return `ENGINE = Replicated${name}(${options})`;
  });
  return `${sql.slice(0, found.index)}${engine}${sql.slice(end)}`;
}
