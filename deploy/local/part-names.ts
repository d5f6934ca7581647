/** The setting of the program that names each part. */
export const PART_SETTINGS = {
  kafka: 'KAFKA_BROKERS',
  registry: 'SCHEMA_REGISTRY_URL',
  redis: 'REDIS_URL',
  clickhouse: 'CLICKHOUSE_URL',
} as const;

export type PartName = keyof typeof PART_SETTINGS;

export const PART_NAMES = Object.keys(PART_SETTINGS) as PartName[];
