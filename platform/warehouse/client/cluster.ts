import type { Warehouse } from '../port.ts';
import { SINGLE_SERVER, type Substitutions } from './migrations.ts';

const IDENTIFIER = /^[A-Za-z_][\w-]*$/;

/** The service cannot run on this cluster; the message says what to change. */
export class ClusterRefused extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'ClusterRefused';
  }
}

/** How migrations run on a cluster: on all replicas at once, with every MergeTree table replicated. */
export function clusterSubstitutions(cluster: string): Substitutions {
  return { ON_CLUSTER: onCluster(cluster), isReplicated: true };
}

export function onCluster(cluster: string): string {
  if (!IDENTIFIER.test(cluster)) {
    throw new ClusterRefused('the ClickHouse cluster name must contain only letters, digits, _ and -');
  }
  return `ON CLUSTER \`${cluster}\``;
}

export const substitutionsFor = (cluster: string | undefined): Substitutions =>
  cluster === undefined ? SINGLE_SERVER : clusterSubstitutions(cluster);

/**
 * Rejects with `ClusterRefused` unless the cluster has exactly one shard and its servers define the replica macros.
 * With several shards, FINAL, chain heads and the lookup of repeated entries would not see all rows of a customer, and
 * copies of one entry may be written under different sort keys.
 */
export async function checkCluster(warehouse: Warehouse, cluster: string): Promise<void> {
  const servers = await warehouse.query<{ cluster: string; shards: number }>(
    'SELECT cluster, uniqExact(shard_num) AS shards FROM system.clusters GROUP BY cluster ORDER BY cluster',
  );
  const shards = servers.find((one) => one.cluster === cluster)?.shards;
  if (shards === undefined) {
    const known = servers.map((one) => one.cluster).join(', ') || 'none';
    throw new ClusterRefused(
      `the ClickHouse server has no cluster "${cluster}" (configured: ${known}); set CLICKHOUSE_CLUSTER to one of these, or unset it for a single server`,
    );
  }
  if (shards !== 1) {
    throw new ClusterRefused(
      `the ClickHouse cluster "${cluster}" has ${shards} shards; use one shard with any number of replicas, because each ledger must be stored on one shard`,
    );
  }
  const macros = await warehouse.query<{ macro: string }>('SELECT macro FROM system.macros');
  const missing = ['shard', 'replica'].filter((name) => !macros.some(({ macro }) => macro === name));
  if (missing.length > 0) {
    throw new ClusterRefused(
      `the ClickHouse configuration (<macros>) lacks ${missing.join(' and ')}; each replica needs both macros, with a unique value for "replica"`,
    );
  }
}
