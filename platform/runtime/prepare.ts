import path from 'node:path';
import { registerSchemas } from '../codec/register.ts';
import { createKafkaTopics } from '../event-log/kafka-topics.ts';
import { migrateServer } from '../warehouse/migrate-server.ts';
import type { Logger } from './logger.ts';
import { packageRoot } from './package-root.ts';
import { kafkaOptions, registryOptions, warehouseOptions } from './real-parts.ts';
import type { Settings } from './settings.ts';

/** Told of each step that was done, in a sentence. */
export type Report = (done: string) => void;

const names = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/**
 * Gives the real parts what the services need of them: topics, schemas, database and tables. Nothing that is there
 * is changed or removed, so it may be repeated, also while services run. Rejects with what to do at the first part
 * that cannot be reached or holds something else.
 */
export async function prepareRealParts(settings: Settings, logger: Logger, report: Report): Promise<void> {
  if (settings.kafka !== null) {
    const { replicationFactor } = settings.kafka;
    const { created, existing } = await createKafkaTopics(kafkaOptions(settings, logger), replicationFactor);
    report(`Kafka: ${names(created.length, 'topic')} created, ${existing.length} were there.`);
  }
  if (settings.registry !== null) {
    const { registered, existing } = await registerSchemas(registryOptions(settings));
    report(
      `Schema registry: ${names(registered.length, 'schema')} registered, ${existing.length} were there.`,
    );
  }
  if (settings.clickhouse !== null) {
    const folder = path.join(packageRoot(), 'schemas', 'tables', 'migrations');
    const applied = await migrateServer(warehouseOptions(settings, logger), folder);
    const done =
      applied.length === 0 ? 'the tables are up to date' : `migrations applied: ${applied.join(', ')}`;
    report(`ClickHouse: ${done}.`);
  }
}
