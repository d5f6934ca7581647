import { hostname } from 'node:os';
import { registryCodec } from '#platform/codec/registry.ts';
import type {
  ClickHouseSettings,
  DistributedSettings,
  KafkaSettings,
  RedisSettings,
  ServerSettings,
} from '#platform/config/settings.ts';
import type { KafkaLogin } from '#platform/event-log/kafka/connection/connection.ts';
import { oauthTokens } from '#platform/event-log/kafka/connection/oauth-tokens.ts';
import { type KafkaOptions, openKafkaLog } from '#platform/event-log/kafka/event-log.ts';
import { openRedisState } from '#platform/state/redis/state.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { warehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse, type WarehouseOptions } from '#platform/warehouse/client/clickhouse.ts';
import { untilAwake } from '#platform/warehouse/client/until-awake.ts';
import { TOPICS } from '#schemas/topics.ts';
import type { DependencyOpeners, OpenOptions } from './dependencies.ts';

const CLIENT_ID = 'compliance-audit-service';

/** Turns a `null` setting into an absent optional field. */
const given = <Name extends string, Value>(name: Name, value: Value | null) =>
  (value === null ? {} : { [name]: value }) as { [Field in Name]?: Value };

function loginOf(sasl: NonNullable<KafkaSettings['sasl']>): KafkaLogin {
  if (sasl.mechanism !== 'oauthbearer') return sasl;
  return { mechanism: sasl.mechanism, token: oauthTokens(sasl) };
}

/** Each host has its own client name in the brokers' logs. */
export function kafkaOptions(kafka: KafkaSettings, logger: Logger): KafkaOptions {
  const { ssl, sasl, ...rest } = kafka;
  const options = { ...rest, ...given('ssl', ssl), ...(sasl === null ? {} : { sasl: loginOf(sasl) }) };
  return { ...options, clientId: `${CLIENT_ID}@${hostname()}`, topics: TOPICS, logger };
}

const serverOptions = ({ url, username, password, ca }: ServerSettings) => ({
  url,
  ...given('username', username),
  ...given('password', password),
  ...given('ca', ca),
});

export const registryOptions = serverOptions;

const stateOptions = (redis: RedisSettings) => ({
  ...serverOptions(redis),
  ...given('sentinels', redis.sentinels),
  ...given('sentinelUsername', redis.sentinelUsername),
  ...given('sentinelPassword', redis.sentinelPassword),
  durability: redis.durability,
});

export function warehouseOptions(clickhouse: ClickHouseSettings, logger: Logger): WarehouseOptions {
  const { url, username, password, database, ca, cluster, requestTimeoutMs } = clickhouse;
  const overrides = {
    ...given('username', username),
    ...given('password', password),
    ...given('database', database),
  };
  const server = { ...warehouseAddress(url, overrides), ...given('ca', ca), ...given('cluster', cluster) };
  return { ...server, requestTimeoutMs, logger };
}

/** The address that every role but the analyzer has; a start without it is refused when the settings are read. */
export function clickhouseOf({ clickhouse }: DistributedSettings): ClickHouseSettings {
  if (clickhouse === null) throw new Error('CLICKHOUSE_URL is not set; only the analyzer runs without it');
  return clickhouse;
}

/** Servers at the settings' addresses. Each opener rejects with what to do when its server cannot be used. */
export function distributedDependencies({
  settings,
  lifecycle,
  logger,
  stateRights,
}: OpenOptions<DistributedSettings>): DependencyOpeners {
  return {
    log: async () => {
      const log = await openKafkaLog(kafkaOptions(settings.kafka, logger));
      lifecycle.add('event log', () => log.close());
      return log;
    },
    state: async () => {
      const rights = given('rights', stateRights ?? null);
      const state = await openRedisState({ ...stateOptions(settings.redis), ...rights, logger });
      lifecycle.add('state', () => state.close());
      return state;
    },
    warehouse: async () => {
      const clickhouse = clickhouseOf(settings);
      const warehouse = openWarehouse(warehouseOptions(clickhouse, logger));
      lifecycle.add('warehouse connections', () => warehouse.close());
      await untilAwake(warehouse, { waitMs: clickhouse.waitMs, logger });
      return warehouse;
    },
    codec: () => registryCodec(registryOptions(settings.registry)),
  };
}
