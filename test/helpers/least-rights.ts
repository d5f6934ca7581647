import path from 'node:path';
import { Redis } from 'ioredis';
import { WAREHOUSE_ROLES } from '../../schemas/tables/rights.ts';
import { startClickhouseRoles } from './clickhouse-roles.ts';
import type { DistributedOptions } from './distributed.ts';
import { startTestStack } from './stack.ts';

export interface LeastRights extends Pick<DistributedOptions, 'settings' | 'roleSettings'> {
  /** Redis as its administrator. */
  readonly redis: Redis;
  stop(): Promise<void>;
}

const STATE_ROLES = ['api', 'analyzer', 'sink', 'migrate'] as const;
/** Real parts of this test alone, on which each role has an account with the rights of that role. */
export async function startLeastRights(): Promise<LeastRights> {
  const stack = await startTestStack();
  const clickhouse = await startClickhouseRoles(path.join(stack.folder, 'clickhouse-roles'));
  const redis = new Redis(stack.settings.REDIS_URL!);
  for (const role of STATE_ROLES) await redis.call('ACL', 'SETUSER', role, 'on', '>pw', '~*', '&*', '+@all');
  const { CLICKHOUSE_URL: _everybody, ...settings } = stack.settings;
  const accounts = STATE_ROLES.map((role) => [role, { REDIS_USERNAME: role, REDIS_PASSWORD: 'pw' }] as const);
  const warehouses = WAREHOUSE_ROLES.map(
    (role) => [role, { CLICKHOUSE_URL: clickhouse.addresses[role]! }] as const,
  );
  const roleSettings = Object.fromEntries(
    accounts.map(([role, account]) => [role, { ...account, ...Object.fromEntries(warehouses)[role] }]),
  );
  return {
    settings,
    roleSettings,
    redis,
    stop: async () => {
      redis.disconnect();
      await clickhouse.stop();
      await stack.stop();
    },
  };
}
