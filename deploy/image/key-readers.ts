import { WAREHOUSE_ROLES, type WarehouseRole } from '../../schemas/tables/rights.ts';

/** Who reads files: the numbers of the user and group inside that part's image. */
export type Owner = 'service' | 'redis' | 'clickhouse';

export interface KeyReader {
  readonly owner: Owner;
  /** Names of the files as the container sees them, and which stored or derived secret each of them is. */
  readonly files: Readonly<Record<string, string>>;
}

export const clickhousePassword = (role: WarehouseRole): string => `clickhouse-${role}-password`;
export const CLICKHOUSE_PASSWORDS: readonly string[] = WAREHOUSE_ROLES.map(clickhousePassword);

const MASTER_KEY = { 'master.key': 'master.key' };
const REDIS = { 'redis-password': 'redis-password' };
const clickhouse = (role: WarehouseRole) => ({ 'clickhouse-password': clickhousePassword(role) });

/** The containers of the compose set-up that read secrets, with all that each of them reads. */
export const KEY_READERS: Readonly<Record<string, KeyReader>> = {
  api: {
    owner: 'service',
    files: {
      ...MASTER_KEY,
      'signing.key': 'signing.key',
      'internal-secret': 'internal-secret',
      ...REDIS,
      ...clickhouse('api'),
    },
  },
  analyzer: { owner: 'service', files: { ...MASTER_KEY, ...REDIS } },
  sink: { owner: 'service', files: { ...MASTER_KEY, ...REDIS, ...clickhouse('sink') } },
  migrate: { owner: 'service', files: { ...MASTER_KEY, ...REDIS, ...clickhouse('migrate') } },
  redis: { owner: 'redis', files: { 'redis.conf': 'redis.conf' } },
  clickhouse: { owner: 'clickhouse', files: { 'clickhouse-account.xml': 'clickhouse-account.xml' } },
};
