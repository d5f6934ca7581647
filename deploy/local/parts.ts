import { clickhousePart } from './clickhouse.ts';
import { kafkaPart } from './kafka.ts';
import type { PartKind } from './local-part.ts';
import type { PartName } from './part-names.ts';
import { redisPart } from './redis.ts';
import { registryPart } from './registry.ts';

export const PARTS: Record<PartName, PartKind> = {
  kafka: kafkaPart,
  registry: registryPart,
  redis: redisPart,
  clickhouse: clickhousePart,
};
