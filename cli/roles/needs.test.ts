import { describe, expect, test } from '@jest/globals';
import { readSettings } from '../../platform/runtime/settings.ts';
import { ROLES, requireNeeds } from './needs.ts';

const REAL = {
  KAFKA_BROKERS: 'localhost:9092',
  REDIS_URL: 'redis://localhost',
  CLICKHOUSE_URL: 'http://localhost:8123',
  SCHEMA_REGISTRY_URL: 'http://localhost:8081',
};
const KEYS = {
  MASTER_KEY: '/keys/master',
  SIGNING_KEY: '/keys/signing',
  INTERNAL_SECRET: 'sixteen-letters-or-more',
};

describe('what a role must be given', () => {
  test.each(ROLES)('%s starts on real parts with shared keys', (role) => {
    expect(() => requireNeeds(role, readSettings({ ...REAL, ...KEYS }))).not.toThrow();
  });

  test.each(ROLES)('%s is refused on embedded parts, with what to do', (role) => {
    const refused = () => requireNeeds(role, readSettings(KEYS));
    expect(refused).toThrow('KAFKA_BROKERS, REDIS_URL, SCHEMA_REGISTRY_URL');
    expect(refused).toThrow('cas start');
  });

  test('only the API holds the signing key and the internal secret, the analyzer has no warehouse', () => {
    const { CLICKHOUSE_URL: _warehouse, ...others } = REAL;
    const settings = readSettings({ ...others, MASTER_KEY: KEYS.MASTER_KEY });
    expect(() => requireNeeds('analyzer', settings)).not.toThrow();
    expect(() => requireNeeds('sink', settings)).toThrow('Set CLICKHOUSE_URL;');
    expect(() => requireNeeds('api', settings)).toThrow('Set CLICKHOUSE_URL, SIGNING_KEY, INTERNAL_SECRET;');
  });
});
