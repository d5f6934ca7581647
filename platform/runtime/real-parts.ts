import { hostname } from 'node:os';
import { TOPICS } from '../../schemas/topics.ts';
import { type RegistryOptions, registryCodec } from '../codec/registry.ts';
import { type KafkaOptions, openKafkaLog } from '../event-log/kafka.ts';
import { openRedisState } from '../state/redis.ts';
import { warehouseAddress } from '../warehouse/address.ts';
import { openWarehouse, type WarehouseOptions } from '../warehouse/clickhouse.ts';
import type { Logger } from './logger.ts';
import type { OpenOptions, PartOpeners } from './parts.ts';
import type { Settings } from './settings.ts';
import { STATE_RIGHTS } from './state-rights.ts';

const CLIENT_ID = 'compliance-audit-service';

/** What a `null` of the settings is to an optional field. */
const given = <Name extends string, Value>(name: Name, value: Value | null) =>
  (value === null ? {} : { [name]: value }) as { [Field in Name]?: Value };

function required<Value>(setting: string, value: Value | null): Value {
  if (value === null) throw new Error(`${setting} is not set`);
  return value;
}

/** Each host shows under its own name in the broker's logs. */
export function kafkaOptions(settings: Settings, logger: Logger): KafkaOptions {
  const { brokers, ssl, sasl, replicationFactor, sessionTimeoutMs } = required(
    'KAFKA_BROKERS',
    settings.kafka,
  );
  return {
    brokers,
    clientId: `${CLIENT_ID}@${hostname()}`,
    topics: TOPICS,
    replicationFactor,
    sessionTimeoutMs,
    ...given('ssl', ssl),
    ...given('sasl', sasl),
    logger,
  };
}

export function registryOptions(settings: Settings): RegistryOptions {
  const { url, username, password, ca } = required('SCHEMA_REGISTRY_URL', settings.registry);
  return { url, ...given('username', username), ...given('password', password), ...given('ca', ca) };
}

export function warehouseOptions(settings: Settings, logger: Logger): WarehouseOptions {
  const { url, username, password, database, ca, cluster } = required('CLICKHOUSE_URL', settings.clickhouse);
  const overrides = {
    ...given('username', username),
    ...given('password', password),
    ...given('database', database),
  };
  return { ...warehouseAddress(url, overrides), ...given('ca', ca), ...given('cluster', cluster), logger };
}

/** The parts whose addresses are set. Each opener rejects with what to do when its part cannot be reached or used. */
export function realParts({ settings, lifecycle, logger, role = 'api' }: OpenOptions): PartOpeners {
  return {
    log: async () => {
      const log = await openKafkaLog(kafkaOptions(settings, logger));
      lifecycle.add('event log', () => log.close());
      return log;
    },
    state: async () => {
      const { url, username, password, ca } = required('REDIS_URL', settings.redis);
      const state = await openRedisState({
        url,
        ...given('username', username),
        ...given('password', password),
        ...given('ca', ca),
        rights: STATE_RIGHTS[role],
        logger,
      });
      lifecycle.add('state', () => state.close());
      return state;
    },
    warehouse: async () => {
      const warehouse = openWarehouse(warehouseOptions(settings, logger));
      lifecycle.add('warehouse connections', () => warehouse.close());
      return warehouse;
    },
    codec: () => registryCodec(registryOptions(settings)),
  };
}
