import { describe, expect, test } from '#jest';
import { ROLES } from './roles.ts';
import { SettingsError } from './setting-values.ts';
import { readSettings } from './settings.ts';

const SERVERS = {
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

describe('required settings of a role', () => {
  test.each(ROLES)('%s starts with shared servers and keys', (role) => {
    expect(() => readSettings({ ...SERVERS, ...KEYS }, role)).not.toThrow();
  });

  test.each(ROLES)('%s is refused without servers, and the error says what to do', (role) => {
    const refused = () => readSettings(KEYS, role);
    expect(refused).toThrow('KAFKA_BROKERS, REDIS_URL, SCHEMA_REGISTRY_URL');
    expect(refused).toThrow('cas start');
  });

  test('only the API has the signing key and the internal secret; the analyzer has no warehouse', () => {
    const { CLICKHOUSE_URL: _warehouse, ...others } = SERVERS;
    const environment = { ...others, MASTER_KEY: KEYS.MASTER_KEY };
    expect(readSettings(environment, 'analyzer')).toMatchObject({ profile: 'distributed', clickhouse: null });
    expect(() => readSettings(environment, 'sink')).toThrow('Set CLICKHOUSE_URL;');
    expect(() => readSettings(environment, 'api')).toThrow(
      'Set CLICKHOUSE_URL, SIGNING_KEY, INTERNAL_SECRET;',
    );
  });
});

describe('a mix of embedded and distributed settings', () => {
  const fault = (environment: Record<string, string>): string => {
    try {
      readSettings(environment);
    } catch (error) {
      if (error instanceof SettingsError) return error.faults.join('\n');
    }
    return 'none';
  };
  const names = Object.keys(SERVERS);
  /** Every proper, non-empty subset of the four addresses. */
  const MIXES = Array.from({ length: 2 ** names.length - 2 }, (_, mix) =>
    names.filter((_name, bit) => ((mix + 1) >> bit) % 2 === 1),
  );

  test.each(MIXES.map((set) => ({ set })))(
    '$set alone is refused with the names of the others',
    ({ set }) => {
      const environment = Object.fromEntries(Object.entries(SERVERS).filter(([name]) => set.includes(name)));
      const [what = '', advice = ''] = fault(environment).split(': ');
      const [isSet = '', isMissing = ''] = what.split(' set without ');
      expect(isSet.split(', ').toSorted()).toEqual(set.toSorted());
      expect(isMissing.split(', ').toSorted()).toEqual(
        names.filter((name) => !set.includes(name)).toSorted(),
      );
      expect(fault(environment)).toContain(`Set ${isMissing} as well; or unset ${isSet}.`);
      expect(advice).toContain('either all separate servers');
      // Never quotes an address, because it may contain a password.
      for (const value of Object.values(SERVERS)) expect(fault(environment)).not.toContain(value);
    },
  );

  test('fits neither profile', () => {
    expect(MIXES).toHaveLength(14);
    expect(readSettings({}).profile).toBe('embedded');
    expect(readSettings(SERVERS)).toMatchObject({
      profile: 'distributed',
      kafka: { brokers: ['localhost:9092'] },
      redis: { url: SERVERS.REDIS_URL },
      clickhouse: { url: SERVERS.CLICKHOUSE_URL },
      registry: { url: SERVERS.SCHEMA_REGISTRY_URL },
    });
  });

  test('is reported together with all other faults', () => {
    const text = fault({ REDIS_URL: 'redis://localhost', PORT: 'many' });
    expect(text.split('\n')).toEqual([
      expect.stringMatching(/^PORT /),
      expect.stringMatching(/^REDIS_URL set without /),
    ]);
  });
});
