import { clickhouseServer } from './clickhouse.ts';
import { kafkaServer } from './kafka/kafka.ts';
import type { ServerKind } from './local-server.ts';
import { redisServer } from './redis.ts';
import { registryServer } from './registry.ts';
import type { ServerName } from './server-names.ts';

export const SERVERS: Record<ServerName, ServerKind> = {
  kafka: kafkaServer,
  registry: registryServer,
  redis: redisServer,
  clickhouse: clickhouseServer,
};
