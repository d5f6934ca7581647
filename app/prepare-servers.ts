import path from 'node:path';
import { registerSchemas } from '#platform/codec/register.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import type { DistributedSettings } from '#platform/config/settings.ts';
import { createKafkaTopics } from '#platform/event-log/kafka/topics.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { migrateServer } from '#platform/warehouse/client/migrate-server.ts';
import { clickhouseOf, kafkaOptions, registryOptions, warehouseOptions } from './distributed-dependencies.ts';

/** Called with one sentence for each completed step. */
export type Report = (done: string) => void;

const names = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/**
 * Creates what a distributed service needs on its servers: topics, schemas, database and tables. Changes and removes
 * nothing that exists, so it is safe to repeat, even while services run. Rejects with what to do at the first server
 * that cannot be reached or holds something else.
 */
export async function prepareServers(
  settings: DistributedSettings,
  logger: Logger,
  report: Report,
): Promise<void> {
  const { kafka, registry } = settings;
  const topics = await createKafkaTopics(kafkaOptions(kafka, logger), kafka.replicationFactor);
  report(
    `Kafka: ${names(topics.created.length, 'topic')} created, ${topics.existing.length} existed already.`,
  );
  const { registered, existing } = await registerSchemas(registryOptions(registry));
  report(
    `Schema registry: ${names(registered.length, 'schema')} registered, ${existing.length} existed already.`,
  );
  const folder = path.join(packageRoot(), 'schemas', 'tables', 'migrations');
  const clickhouse = clickhouseOf(settings);
  const { waitMs } = clickhouse;
  const applied = await migrateServer(warehouseOptions(clickhouse, logger), folder, { waitMs });
  const done =
    applied.length === 0 ? 'the tables are up to date' : `migrations applied: ${applied.join(', ')}`;
  report(`ClickHouse: ${done}.`);
}
