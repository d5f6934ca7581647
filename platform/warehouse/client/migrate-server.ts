import { openWarehouse, type WarehouseOptions } from './clickhouse.ts';
import { checkCluster, onCluster, substitutionsFor } from './cluster.ts';
import { migrate } from './migrations.ts';
import { untilAwake } from './until-awake.ts';

/**
 * Creates the database of a ClickHouse server or cluster if it is missing, and applies the folder's migrations.
 * Idempotent. Waits up to `waitMs` for a server that does not answer yet. Returns the numbers applied now. Rejects with
 * `ClusterRefused` and the errors of `migrate`.
 */
export async function migrateServer(
  options: WarehouseOptions,
  folder: string,
  { now = Date.now, waitMs = 0 }: { readonly now?: () => number; readonly waitMs?: number } = {},
): Promise<number[]> {
  const { cluster, database } = options;
  // A connection to a missing database can do nothing, not even create it.
  const server = openWarehouse({ ...options, database: 'default' });
  try {
    if (waitMs > 0) await untilAwake(server, { waitMs, logger: options.logger });
    if (cluster !== undefined) await checkCluster(server, cluster);
    if (database !== 'default') {
      const where = cluster === undefined ? '' : onCluster(cluster);
      await server.command(`CREATE DATABASE IF NOT EXISTS \`${database}\` ${where}`);
    }
  } finally {
    await server.close();
  }
  const warehouse = openWarehouse(options);
  try {
    return await migrate(warehouse, folder, { substitutions: substitutionsFor(cluster), now });
  } finally {
    await warehouse.close();
  }
}
