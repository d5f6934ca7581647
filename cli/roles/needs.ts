import type { Settings } from '../../platform/runtime/settings.ts';

export const ROLES = ['api', 'analyzer', 'sink'] as const;
export type RoleName = (typeof ROLES)[number];

type Given = (settings: Settings) => unknown;

const LOG: [string, Given] = ['KAFKA_BROKERS', ({ kafka }) => kafka];
const STATE: [string, Given] = ['REDIS_URL', ({ redis }) => redis];
const REGISTRY: [string, Given] = ['SCHEMA_REGISTRY_URL', ({ registry }) => registry];
const WAREHOUSE: [string, Given] = ['CLICKHOUSE_URL', ({ clickhouse }) => clickhouse];
const MASTER_KEY: [string, Given] = ['MASTER_KEY', ({ masterKeyFile }) => masterKeyFile];
const SIGNING_KEY: [string, Given] = ['SIGNING_KEY', ({ signingKeyFile }) => signingKeyFile];
const SECRET: [string, Given] = ['INTERNAL_SECRET', ({ internalSecrets }) => internalSecrets];

/** What a role shares with the other processes, so that none may make it up by itself. */
const NEEDS: Readonly<Record<RoleName, readonly [string, Given][]>> = {
  api: [LOG, STATE, REGISTRY, WAREHOUSE, MASTER_KEY, SIGNING_KEY, SECRET],
  analyzer: [LOG, STATE, REGISTRY, MASTER_KEY],
  sink: [LOG, STATE, REGISTRY, WAREHOUSE, MASTER_KEY],
};

/** Throws, naming all of them, when settings are missing that a single role must be given. */
export function requireNeeds(role: RoleName, settings: Settings): void {
  const missing = NEEDS[role].filter(([, given]) => given(settings) === null).map(([name]) => name);
  if (missing.length === 0) return;
  throw new Error(
    `"cas ${role}" is one process of several and works only on parts and keys that all of them share. Set ${missing.join(', ')}; or run "cas start", which runs every service in one process tree on embedded parts. docs/configuration.md describes each setting.`,
  );
}
