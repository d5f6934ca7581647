import { clickhouseServer } from './clickhouse.ts';
import { kafkaServer } from './kafka/kafka.ts';
import { redisServer } from './redis.ts';
import { registryServer } from './registry.ts';
import type { ServerKind } from './server/local-server.ts';
import type { ServerName } from './server-names.ts';

export const SERVERS: Record<ServerName, ServerKind> = {
  kafka: kafkaServer,
  registry: registryServer,
  redis: redisServer,
  clickhouse: clickhouseServer,
};
