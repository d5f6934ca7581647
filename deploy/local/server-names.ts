/** The setting of the program with each server's address. */
export const SERVER_SETTINGS = {
  kafka: 'KAFKA_BROKERS',
  registry: 'SCHEMA_REGISTRY_URL',
  redis: 'REDIS_URL',
  clickhouse: 'CLICKHOUSE_URL',
} as const;

export type ServerName = keyof typeof SERVER_SETTINGS;

export const SERVER_NAMES = Object.keys(SERVER_SETTINGS) as ServerName[];
