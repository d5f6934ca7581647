import path from 'node:path';
import { STATE_ROLES } from '#records/state-rights.ts';
import { WAREHOUSE_ROLES } from '#schemas/tables/rights.ts';
import { startClickhouseRoles } from './clickhouse-roles.ts';
import type { DistributedOptions } from './distributed.ts';
import { startTestStack } from './stack.ts';
import { makeStateUsers } from './state-users.ts';

export interface LeastRights extends Pick<DistributedOptions, 'settings' | 'roleSettings'> {
  stop(): Promise<void>;
}

/**
 * Real servers for this test only. Each role has state and warehouse with only that role's rights: the analyzer has no
 * warehouse, and no role has every right in the state.
 */
export async function startLeastRights(): Promise<LeastRights> {
  const stack = await startTestStack();
  const clickhouse = await startClickhouseRoles(path.join(stack.folder, 'clickhouse-roles'));
  const { CLICKHOUSE_URL: _everybody, REDIS_URL: operator, ...settings } = stack.settings;
  const users = await makeStateUsers(operator!);
  const warehouses = new Map<string, string>(
    WAREHOUSE_ROLES.map((role) => [role, clickhouse.addresses[role]!]),
  );
  return {
    settings,
    roleSettings: Object.fromEntries(
      STATE_ROLES.map((role) => {
        const warehouse = warehouses.get(role);
        return [
          role,
          { REDIS_URL: users[role], ...(warehouse === undefined ? {} : { CLICKHOUSE_URL: warehouse }) },
        ];
      }),
    ),
    stop: async () => {
      await clickhouse.stop();
      await stack.stop();
    },
  };
}
