/** Who reads files: the numbers of the user and group inside that part's image. */
export type Owner = 'service' | 'redis' | 'clickhouse';

export interface KeyReader {
  readonly owner: Owner;
  readonly files: readonly string[];
}

/** The containers of the compose set-up that read secrets, with all that each of them reads. */
export const KEY_READERS: Readonly<Record<string, KeyReader>> = {
  api: {
    owner: 'service',
    files: ['master.key', 'signing.key', 'internal-secret', 'redis-password', 'clickhouse-password'],
  },
  analyzer: { owner: 'service', files: ['master.key', 'redis-password'] },
  sink: { owner: 'service', files: ['master.key', 'redis-password', 'clickhouse-password'] },
  migrate: { owner: 'service', files: ['master.key', 'redis-password', 'clickhouse-password'] },
  redis: { owner: 'redis', files: ['redis.conf'] },
  clickhouse: { owner: 'clickhouse', files: ['clickhouse-account.xml'] },
};
