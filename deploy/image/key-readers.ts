import { STATE_USERS, type StateRole, stateUserOf } from '#records/state-rights.ts';
import { WAREHOUSE_ROLES, type WarehouseRole } from '#schemas/tables/rights.ts';

/** Owner of files: the user and group ids inside that image. */
export type Owner = 'service' | 'redis' | 'clickhouse';

interface KeyReader {
  readonly owner: Owner;
  /** File names as the container sees them, mapped to the stored or derived secret. */
  readonly files: Readonly<Record<string, string>>;
}

export const clickhousePassword = (role: WarehouseRole): string => `clickhouse-${role}-password`;
export const CLICKHOUSE_PASSWORDS: readonly string[] = WAREHOUSE_ROLES.map(clickhousePassword);

/** `cas_api`: `redis-api-password`. */
export const redisPassword = (user: string): string => `redis-${user.replace(/^cas_/, '')}-password`;
/** The compose set-up has no replica. */
export const REDIS_USERS: readonly string[] = STATE_USERS.filter((user) => user !== 'cas_replica');
export const REDIS_PASSWORDS: readonly string[] = REDIS_USERS.map(redisPassword);

const MASTER_KEY = { 'master.key': 'master.key' };
const redis = (role: StateRole) => ({ 'redis-password': redisPassword(stateUserOf(role)) });
const clickhouse = (role: WarehouseRole) => ({ 'clickhouse-password': clickhousePassword(role) });

/** Containers of the compose set-up that read secrets, with all that each of them reads. */
export const KEY_READERS: Readonly<Record<string, KeyReader>> = {
  api: {
    owner: 'service',
    files: {
      ...MASTER_KEY,
      'signing.key': 'signing.key',
      'internal-secret': 'internal-secret',
      ...redis('api'),
      ...clickhouse('api'),
    },
  },
  analyzer: { owner: 'service', files: { ...MASTER_KEY, ...redis('analyzer') } },
  sink: { owner: 'service', files: { ...MASTER_KEY, ...redis('sink'), ...clickhouse('sink') } },
  correlator: {
    owner: 'service',
    files: { ...MASTER_KEY, ...redis('correlator'), ...clickhouse('correlator') },
  },
  migrate: { owner: 'service', files: { ...MASTER_KEY, ...redis('migrate'), ...clickhouse('migrate') } },
  redis: {
    owner: 'redis',
    files: { 'users.acl': 'users.acl', 'health-password': redisPassword('cas_health') },
  },
  clickhouse: { owner: 'clickhouse', files: { 'clickhouse-account.xml': 'clickhouse-account.xml' } },
};
