import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '#jest';
import { configurationPage } from './configuration-page.ts';
import { packageRoot } from './package-root.ts';
import { SettingsError } from './setting-values.ts';
import { type DistributedSettings, readSettings } from './settings.ts';

const SERVERS = {
  KAFKA_BROKERS: 'one:9092',
  CLICKHOUSE_URL: 'http://localhost:8123',
  REDIS_URL: 'redis://localhost:6379',
  SCHEMA_REGISTRY_URL: 'http://localhost:8081',
};

const distributed = (environment: Record<string, string>): DistributedSettings => {
  const settings = readSettings({ ...SERVERS, ...environment });
  if (settings.profile === 'embedded') throw new Error('these settings make the distributed profile');
  return settings;
};

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
};

describe('settings', () => {
  test('an empty environment gives the defaults', () => {
    expect(readSettings({})).toMatchObject({ host: '127.0.0.1', port: 8080, logLevel: 'info' });
  });

  test('roles without an API use any free port for their health unless one is set, so that many can run on one machine', () => {
    expect(readSettings({}).healthPort).toBe(0);
    expect(readSettings({ HEALTH_PORT: '9090' }).healthPort).toBe(9090);
  });

  describe('the listener of operators', () => {
    const adminPort = (environment: Record<string, string>) => readSettings(environment).adminPort;

    test('exists on request, and in the distributed profile on the next port', () => {
      expect(adminPort({})).toBeNull();
      expect(adminPort({ ADMIN_PORT: '9090' })).toBe(9090);
      expect(adminPort({ ADMIN_PORT: '0' })).toBe(0);
      expect(adminPort(SERVERS)).toBe(8081);
      expect(adminPort({ ...SERVERS, PORT: '8090' })).toBe(8091);
      expect(adminPort({ ...SERVERS, PORT: '0' })).toBe(0);
    });

    test('is omitted if /internal is wanted on the public port and no other port is set', () => {
      expect(adminPort({ ...SERVERS, INTERNAL_ON_PUBLIC: 'true' })).toBeNull();
      expect(readSettings({ ...SERVERS, INTERNAL_ON_PUBLIC: 'true', ADMIN_PORT: '9090' })).toMatchObject({
        adminPort: 9090,
        internalOnPublic: true,
      });
    });

    test('is on loopback unless an address is set, whatever the public address is', () => {
      expect(readSettings({ HOST: '0.0.0.0' }).adminHost).toBe('127.0.0.1');
      expect(readSettings({ ADMIN_HOST: '0.0.0.0' }).adminHost).toBe('0.0.0.0');
    });

    test('needs its own port', () => {
      expect(faultsOf({ ADMIN_PORT: '8080' })).toEqual([
        'ADMIN_PORT equals PORT; use a different port, or unset it',
      ]);
      expect(faultsOf({ ...SERVERS, PORT: '65535' })).toEqual([expect.stringContaining('set ADMIN_PORT')]);
      expect(faultsOf({ ADMIN_PORT: 'many', INTERNAL_ON_PUBLIC: 'yes' })).toHaveLength(2);
    });
  });

  test('all faults are reported at once, without secret values', () => {
    const faults = faultsOf({ PORT: 'many', LOG_LEVEL: 'loud', INTERNAL_SECRET: 'hunter2' });
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('hunter2');
  });

  test('proxies are addresses or networks, names have no ports, and the default is none of either', () => {
    expect(readSettings({})).toMatchObject({ trustedProxies: [], allowedHosts: [] });
    const given = { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8,fd00::/8', ALLOWED_HOSTS: 'a.example,b' };
    expect(readSettings(given)).toMatchObject({
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
      allowedHosts: ['a.example', 'b'],
    });
    for (const value of ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', ',', '::1/129', 'true']) {
      expect(faultsOf({ TRUSTED_PROXIES: value })).toHaveLength(1);
    }
    for (const value of ['a.example:80', 'http://a.example', '*', 'a b', ','])
      expect(faultsOf({ ALLOWED_HOSTS: value })).toHaveLength(1);
  });

  test('brokers select the distributed profile, and credentials belong to their address', () => {
    const settings = distributed({
      KAFKA_BROKERS: 'one:9092,two:9092',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'cas',
      KAFKA_SASL_PASSWORD: 'pw',
      CLICKHOUSE_URL: 'http://localhost:8123',
      CLICKHOUSE_CLUSTER: 'main',
      REDIS_URL: 'redis://localhost:6379/2',
    });
    expect(settings.kafka).toEqual({
      brokers: ['one:9092', 'two:9092'],
      ssl: null,
      sasl: { mechanism: 'scram-sha-512', username: 'cas', password: 'pw' },
      replicationFactor: -1,
      sessionTimeoutMs: 30_000,
    });
    expect(settings.clickhouse).toMatchObject({
      url: 'http://localhost:8123',
      cluster: 'main',
      password: null,
    });
    expect(settings.redis).toMatchObject({ url: 'redis://localhost:6379/2' });
    expect(settings.registry).toEqual({
      url: SERVERS.SCHEMA_REGISTRY_URL,
      username: null,
      password: null,
      ca: null,
    });
  });

  test('Kafka accepts tokens by client credentials; settings of other logins are refused', () => {
    const token = {
      KAFKA_SASL_MECHANISM: 'oauthbearer',
      KAFKA_OAUTH_TOKEN_URL: 'https://login.example/token',
      KAFKA_OAUTH_CLIENT_ID: 'audit',
      KAFKA_OAUTH_CLIENT_SECRET: 'hunter2',
    };
    expect(distributed({ ...SERVERS, ...token }).kafka.sasl).toEqual({
      mechanism: 'oauthbearer',
      tokenUrl: 'https://login.example/token',
      clientId: 'audit',
      clientSecret: 'hunter2',
      scope: null,
    });
    expect(faultsOf({ ...SERVERS, KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_SASL_USERNAME: 'cas' })).toEqual(
      [
        'KAFKA_SASL_MECHANISM oauthbearer also requires KAFKA_OAUTH_TOKEN_URL',
        'KAFKA_SASL_MECHANISM oauthbearer also requires KAFKA_OAUTH_CLIENT_ID',
        'KAFKA_SASL_MECHANISM oauthbearer also requires KAFKA_OAUTH_CLIENT_SECRET',
        'KAFKA_SASL_USERNAME is not used with this KAFKA_SASL_MECHANISM; unset it',
      ],
    );
    const [fault] = faultsOf({
      ...SERVERS,
      ...token,
      KAFKA_OAUTH_TOKEN_URL: 'http://u:hunter2@login.example',
    });
    expect(fault).toMatch(/^KAFKA_OAUTH_TOKEN_URL must be an https URL/);
    expect(fault).not.toContain('hunter2');
  });

  test('an unsupported login is refused with what to use instead', () => {
    for (const mechanism of ['AWS_MSK_IAM', 'GSSAPI'])
      expect(faultsOf({ ...SERVERS, KAFKA_SASL_MECHANISM: mechanism }).join()).toContain(
        'AWS_MSK_IAM and GSSAPI are not supported, so use a SCRAM user or a client certificate',
      );
  });

  test('accepts Redis Sentinels, operator assertions about Redis, and how long to wait for ClickHouse', () => {
    const plain = distributed(SERVERS);
    expect(plain.redis).toMatchObject({ sentinels: null, sentinelPassword: null, durability: 'checked' });
    expect(plain.clickhouse).toMatchObject({ requestTimeoutMs: 30_000, waitMs: 90_000 });
    const { redis, clickhouse } = distributed({
      ...SERVERS,
      REDIS_URL: 'redis://mymaster',
      REDIS_SENTINELS: 'a:26379,b:26379',
      REDIS_SENTINEL_PASSWORD: 'pw',
      REDIS_DURABILITY: 'asserted',
      CLICKHOUSE_TIMEOUT_MS: '60000',
      CLICKHOUSE_WAIT_MS: '0',
    });
    expect(redis).toMatchObject({
      url: 'redis://mymaster',
      sentinels: ['a:26379', 'b:26379'],
      sentinelPassword: 'pw',
      durability: 'asserted',
    });
    expect(clickhouse).toMatchObject({ requestTimeoutMs: 60_000, waitMs: 0 });
    expect(faultsOf({ ...SERVERS, REDIS_SENTINEL_PASSWORD: 'pw' })).toEqual([
      'REDIS_SENTINEL_PASSWORD also requires REDIS_SENTINELS',
    ]);
  });

  test('settings that need each other, and invalid addresses, are named without their values', () => {
    const faults = faultsOf({
      ...SERVERS,
      KAFKA_BROKERS: 'no-port',
      KAFKA_SASL_MECHANISM: 'plain',
      REDIS_URL: 'http://user:hunter2@redis:6379',
      KAFKA_REPLICATION_FACTOR: '0',
    });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'KAFKA_BROKERS',
      'KAFKA_REPLICATION_FACTOR',
      'REDIS_URL',
      'KAFKA_SASL_MECHANISM',
      'KAFKA_SASL_MECHANISM',
    ]);
    expect(faults.join()).not.toContain('hunter2');
  });

  describe('the judge', () => {
    const JUDGE = { JUDGE_URL: 'https://models.example.org/v1', JUDGE_MODEL: 'm' };

    test('is disabled by default, and needs only an address and a model', () => {
      expect(readSettings({}).judge).toBeNull();
      expect(readSettings(JUDGE).judge).toEqual({
        url: 'https://models.example.org/v1',
        model: 'm',
        apiKey: null,
        proxies: { http: null, https: null, except: [] },
        timeoutMs: 10_000,
        concurrency: 4,
        callsPerMinute: 60,
        maxCharacters: 24_000,
        onOutage: 'pause',
        codes: [],
        parameters: { temperature: 0 },
      });
    });

    test.each([
      'http://localhost:8000',
      'http://127.0.0.1:1/v1',
      'http://[::1]:1',
      'https://10.0.0.1/v1?version=2',
    ])('can have the address %s', (JUDGE_URL) => expect(faultsOf({ ...JUDGE, JUDGE_URL })).toEqual([]));

    test.each([
      'http://models.example.org/v1',
      'http://10.0.0.1/v1',
      'http://localhost.example.org/v1',
      'http://127.example.org/v1',
      'https://user:hunter2@models.example.org/v1',
      'ftp://127.0.0.1/v1',
      'models.example.org',
    ])('cannot have the address %s', (JUDGE_URL) => {
      const faults = faultsOf({ ...JUDGE, JUDGE_URL });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(/^JUDGE_URL must be an https URL/);
      expect(faults[0]).not.toContain('hunter2');
    });

    test('has settings that need each other, and rejects invalid values', () => {
      expect(faultsOf({ JUDGE_URL: JUDGE.JUDGE_URL })).toEqual(['JUDGE_URL also requires JUDGE_MODEL']);
      expect(faultsOf({ JUDGE_MODEL: 'm', JUDGE_API_KEY: 'hunter2', JUDGE_CODES: 'SCOPE_CREEP' })).toEqual(
        ['JUDGE_MODEL', 'JUDGE_API_KEY', 'JUDGE_CODES'].map((name) => `${name} also requires JUDGE_URL`),
      );
      for (const [name, value] of [
        ['JUDGE_CODES', 'SCOPE_CREEP,EMAIL'],
        ['JUDGE_CODES', 'SCOPE_CREEP,SCOPE_CREEP'],
        ['JUDGE_ON_OUTAGE', 'stop'],
        ['JUDGE_TIMEOUT_MS', '20001'],
        ['JUDGE_PARAMETERS', '{"messages":[]}'],
        ['JUDGE_PARAMETERS', '[1]'],
        ['JUDGE_PARAMETERS', '{'],
      ] as const) {
        expect(faultsOf({ ...JUDGE, [name]: value })).toEqual([expect.stringMatching(`^${name} must be `)]);
      }
      expect(readSettings({ ...JUDGE, JUDGE_CODES: 'SCOPE_CREEP,SYCOPHANCY' }).judge?.codes).toEqual([
        'SCOPE_CREEP',
        'SYCOPHANCY',
      ]);
    });
  });

  describe('the path under which a proxy serves the service', () => {
    test.each(['/audit', '/tools/audit', '/a.b/c_d-e~1', '/...'])('may be %s', (BASE_PATH) =>
      expect(readSettings({ BASE_PATH }).basePath).toBe(BASE_PATH),
    );

    test.each([
      'audit',
      '/audit/',
      '/',
      '//audit',
      '/a//b',
      '/../audit',
      '/audit/.',
      '/audit/..',
      '/a b',
      '/a?b',
      '/%61udit',
      '/a;b',
      `/${'a'.repeat(128)}`,
      '/ui',
      '/health/x',
      '/internal',
    ])('cannot be %s', (BASE_PATH) => {
      expect(faultsOf({ BASE_PATH })).toEqual([expect.stringMatching(/^BASE_PATH must /)]);
    });

    test('is empty unless it is set', () => expect(readSettings({}).basePath).toBe(''));
  });

  describe('files', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cas-settings-'));
    const file = (name: string, content: string): string => {
      writeFileSync(path.join(folder, name), content, { mode: 0o600 });
      return path.join(folder, name);
    };
    afterAll(() => rmSync(folder, { recursive: true }));

    test('a secret may be in a file, and a certificate always is', () => {
      const settings = distributed({
        INTERNAL_SECRET_FILE: file('internal', 'a-long-enough-secret\n'),
        KAFKA_SSL_CA: file('ca.pem', 'PEM TEXT\n'),
      });
      expect(settings.internalSecrets).toEqual(['a-long-enough-secret']);
      expect(settings.kafka.ssl).toEqual({ ca: 'PEM TEXT\n' });
    });

    test('a secret’s file that others may read is a fault, like such a key file', () => {
      const secretFile = file('open', 'a-long-enough-secret');
      for (const mode of [0o644, 0o604, 0o602, 0o620]) {
        chmodSync(secretFile, mode);
        for (const name of ['INTERNAL_SECRET_FILE', 'REDIS_PASSWORD_FILE', 'KAFKA_SSL_KEY']) {
          const faults = faultsOf({ [name]: secretFile });
          expect(faults).toContain(
            `${name}: other users can read ${secretFile} (mode ${mode.toString(8)}). Run: chmod 600 ${secretFile}`,
          );
          expect(faults.join()).not.toContain('a-long-enough-secret');
        }
      }
      // Container platforms mount secrets readable by their group, and certificates are not secret.
      chmodSync(secretFile, 0o440);
      expect(readSettings({ INTERNAL_SECRET_FILE: secretFile }).internalSecrets).toHaveLength(1);
      chmodSync(secretFile, 0o644);
      expect(distributed({ KAFKA_SSL_CA: secretFile }).kafka.ssl).not.toBeNull();
    });

    test('a file that is missing, empty, or set in addition to the setting itself is a fault', () => {
      expect(faultsOf({ REDIS_PASSWORD_FILE: path.join(folder, 'absent') })[0]).toContain('(ENOENT)');
      expect(faultsOf({ REDIS_PASSWORD_FILE: file('empty', '\n') })[0]).toContain('is empty');
      const both = faultsOf({ REDIS_PASSWORD: 'hunter2', REDIS_PASSWORD_FILE: file('password', 'x') });
      expect(both).toEqual(['REDIS_PASSWORD and REDIS_PASSWORD_FILE are both set; unset one']);
    });
  });

  test('docs/configuration.md is up to date', () => {
    const page = readFileSync(path.join(packageRoot(), 'docs/configuration.md'), 'utf8');
    expect(page).toBe(configurationPage());
  });
});
