import path from 'node:path';
import { WAREHOUSE_ROLES } from '../../schemas/tables/rights.ts';
import { startClickhouseRoles } from './clickhouse-roles.ts';
import type { DistributedOptions } from './distributed.ts';
import { startTestStack } from './stack.ts';

export interface LeastRights extends Pick<DistributedOptions, 'settings' | 'roleSettings'> {
  stop(): Promise<void>;
}

/** Real parts of this test alone; each role has the warehouse with the rights of that role, the analyzer has none. */
export async function startLeastRights(): Promise<LeastRights> {
  const stack = await startTestStack();
  const clickhouse = await startClickhouseRoles(path.join(stack.folder, 'clickhouse-roles'));
  const { CLICKHOUSE_URL: _everybody, ...settings } = stack.settings;
  return {
    settings,
    roleSettings: Object.fromEntries(
      WAREHOUSE_ROLES.map((role) => [role, { CLICKHOUSE_URL: clickhouse.addresses[role]! }]),
    ),
    stop: async () => {
      await clickhouse.stop();
      await stack.stop();
    },
  };
}
