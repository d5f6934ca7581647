import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import type { WarehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { columnNames, type Table } from '#schemas/tables/table.ts';
import { TABLES } from '#schemas/tables/tables.ts';

const logger = { info() {}, warn() {}, error() {} };

export interface RealWarehouse {
  readonly warehouse: Warehouse;
  /** For another thread. */
  readonly address: WarehouseAddress;
  insert(table: Table<Readonly<Record<string, string>>>, rows: readonly object[]): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

const MIGRATIONS = path.join(packageRoot(), 'schemas', 'tables', 'migrations');

/** The embedded engine with all tables, in a separate folder. */
export async function startRealWarehouse(): Promise<RealWarehouse> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'api-warehouse-'));
  const embedded = await startEmbeddedWarehouse({ path: folder, logger });
  const warehouse = openWarehouse({ ...embedded, logger });
  await migrate(warehouse, MIGRATIONS);
  const { url, username, password, database, socketFolder } = embedded;
  return {
    warehouse,
    address: { url, username, password, database, socketFolder },
    insert: (table, rows) =>
      warehouse.insert(table.name, columnNames(table), rows as Readonly<Record<string, unknown>>[]),
    clear: async () => {
      for (const { name } of TABLES) await warehouse.command(`TRUNCATE TABLE ${name}`);
    },
    close: async () => {
      await warehouse.close();
      await embedded.stop();
      await rm(folder, { recursive: true });
    },
  };
}
