import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { ROLES } from '#platform/config/roles.ts';
import { SETTING_NAMES, SETTINGS } from '#platform/config/setting-list.ts';
import { readSettings } from '#platform/config/settings.ts';
import { STATE_ROLES, stateUserOf } from '#records/state-rights.ts';
import { accountOf, WAREHOUSE_ROLES } from '#schemas/tables/rights.ts';
import { clickhouseUsersXml } from './image/clickhouse-users.ts';
import { KEY_READERS } from './image/key-readers.ts';
import { redisUsersTemplate } from './image/redis-users.ts';
import { type ComposeService, composeServices } from './testing/compose-files.ts';

const SETUPS = {
  'one machine': composeServices('docker-compose.yml'),
  production: composeServices('docker-compose.yml', 'deploy/compose.production.yml'),
  'production with a bucket': composeServices(
    'docker-compose.yml',
    'deploy/compose.production.yml',
    'deploy/compose.bucket.yml',
  ),
};
/** Share of a body's memory that is outside the Node.js heap: its bytes and its sealed record. */
const OUTSIDE_HEAP = 2 / 3;
/** Code, stacks and buffers of a busy API, MiB. */
const REST_MIB = 150;
/** Heap of a thread that searches long texts, MiB. */
const DETECTION_MIB = 192;
/** Heap of the API's thread that verifies ledgers, MiB. */
const VERIFICATION_MIB = 256;
const OWN_ROLES = [...ROLES, 'migrate'];

const all = Object.entries(SETUPS).flatMap(([setup, services]) =>
  Object.entries(services).map(([name, service]) => ({ setup, name, service })),
);

describe.each(all)('$setup: $name', ({ name, service }) => {
  test('pins the version of its image', () => {
    expect(service.image).toMatch(/^[a-z0-9/-]+:\d+\.\d+(\.\d+)*([.-][A-Za-z0-9]+)*$/);
  });

  test('runs unprivileged, on a read-only disk', () => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    // The service that distributes the secrets changes each file's owner to its reader.
    expect(service.user).toMatch(name === 'keys' ? /^0:0$/ : /^[1-9]\d*:\d+$/);
  });

  test('has resource limits', () => {
    const { cpus, memory, pids } = service.deploy.resources.limits;
    expect(Number(cpus)).toBeGreaterThan(0);
    expect(memory).toMatch(/^\d+[MG]$/);
    expect(pids).toBeGreaterThan(0);
  });

  test('has a health check unless it ends by itself', () => {
    const endsByItself = service.restart === 'no';
    expect(service.healthcheck.disable ?? false).toBe(endsByItself);
    expect(service.healthcheck.test === undefined).toBe(endsByItself);
  });

  test('publishes a port only for the API, on loopback', () => {
    expect(service.ports ?? []).toEqual(name === 'api' ? ['127.0.0.1:8080:8080'] : []);
    if (name !== 'api') expect(service.networks ?? []).not.toContain('edge');
  });

  test('has no secret in its environment and mounts every file it names', () => {
    const files = (service.secrets ?? []).map((secret) =>
      typeof secret === 'string' ? `/run/secrets/${secret}` : secret.target,
    );
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      if (/PASSWORD|SECRET/.test(variable)) expect(variable).toMatch(/_FILE$/);
      if (String(value).startsWith('/run/secrets/')) expect(files).toContain(value);
    }
  });
});

describe('one machine: secrets', () => {
  const services = SETUPS['one machine'];
  const mounts = Object.entries(services).flatMap(([name, { volumes = [] }]) =>
    volumes
      .map((volume) => volume.split(':'))
      .filter(([source]) => source?.startsWith('keys'))
      .map(([source, target]) => ({ name, source: source!, target: target! })),
  );

  test('each container sees only its own volume, and only the keys service sees them all', () => {
    const expected = Object.keys(KEY_READERS).flatMap((name) => [
      { name, source: `keys-${name}`, target: '/run/keys' },
      { name: 'keys', source: `keys-${name}`, target: `/run/handed/${name}` },
    ]);
    expect(mounts).toHaveLength(expected.length + 1);
    expect(mounts).toEqual(
      expect.arrayContaining([...expected, { name: 'keys', source: 'keys', target: '/run/keys' }]),
    );
  });

  test.each(Object.keys(KEY_READERS))('%s finds every file it names, owned by its user', (name) => {
    const { files, owner } = KEY_READERS[name]!;
    const service = services[name]!;
    const [user] = service.user.split(':');
    expect(user).toBe({ service: '10001', redis: '999', clickhouse: '101' }[owner]);
    const named = JSON.stringify(service).match(/\/run\/keys\/[a-z0-9.-]+/g) ?? [];
    for (const file of named) expect(Object.keys(files)).toContain(file.slice('/run/keys/'.length));
  });

  test.each(OWN_ROLES)('%s receives no file that it does not name', (name) => {
    const named = JSON.stringify(services[name]!.environment);
    for (const file of Object.keys(KEY_READERS[name]!.files)) expect(named).toContain(`/run/keys/${file}`);
  });
});

describe.each(Object.entries(SETUPS))('%s: settings of the roles', (_setup, services) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cas-compose-'));
    mkdirSync(path.join(folder, 'keys'));
    mkdirSync(path.join(folder, 'secrets'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The environment as the container sees it, with the secret files in a temporary folder. */
  const environmentOf = (service: ComposeService): Record<string, string> =>
    Object.fromEntries(
      Object.entries(service.environment ?? {}).map(([name, value]) => {
        const text = String(value);
        if (!text.startsWith('/run/')) return [name, text];
        const file = path.join(folder, text.slice('/run/'.length));
        writeFileSync(file, 'twenty-letters-or-more', { mode: 0o600 });
        return [name, file];
      }),
    );

  test.each(OWN_ROLES)('%s: the service reads every setting', (role) => {
    const names = Object.keys(services[role]?.environment ?? {}).filter((name) => name !== 'NODE_OPTIONS');
    expect(names.length).toBeGreaterThan(5);
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(names));
  });

  test.each(ROLES)('%s: the settings are valid and complete', (role) => {
    const service = services[role] as ComposeService;
    expect(service.command).toEqual([role]);
    expect(() => readSettings(environmentOf(service), role)).not.toThrow();
  });

  test('the heap fits into the memory limit', () => {
    for (const role of ROLES) {
      const service = services[role] as ComposeService;
      const heap = Number(/--max-old-space-size=(\d+)/.exec(String(service.environment?.NODE_OPTIONS))?.[1]);
      const { memory } = service.deploy.resources.limits;
      const limit = Number.parseInt(memory, 10) * (memory.endsWith('G') ? 1024 : 1);
      expect(heap / limit).toBeLessThanOrEqual(0.75);
      // Neither searches texts.
      if (role === 'sink' || role === 'correlator') continue;
      expect(heap + DETECTION_MIB + REST_MIB).toBeLessThanOrEqual(limit);
      if (role !== 'api') continue;
      const bodies = Number(service.environment?.HTTP_BODY_MEMORY_MIB);
      const threads = DETECTION_MIB + VERIFICATION_MIB;
      expect(heap + bodies * OUTSIDE_HEAP + threads + REST_MIB).toBeLessThanOrEqual(limit);
    }
  });

  test('settings that an operator may set for the API are passed through and empty by default', () => {
    const environment = services.api?.environment ?? {};
    for (const name of ['TRUSTED_PROXIES', 'ALLOWED_HOSTS', 'BASE_PATH', 'SIGNUP'])
      expect(environment[name]).toBe('');
    expect(SETTINGS.HTTP_BODY_MEMORY_MIB.byDefault).toBe(String(environment.HTTP_BODY_MEMORY_MIB));
  });
});

describe('replication', () => {
  const replicas = (services: Record<string, ComposeService>) => ({
    brokers: Object.keys(services).filter((name) => /^kafka(-\d)?$/.test(name)).length,
    byDefault: Number(services.kafka?.environment?.KAFKA_DEFAULT_REPLICATION_FACTOR),
    offsets: Number(services.kafka?.environment?.KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR),
    inSync: Number(services.kafka?.environment?.KAFKA_MIN_INSYNC_REPLICAS),
    topics: Number(services.migrate?.environment?.KAFKA_REPLICATION_FACTOR),
  });

  test('one machine runs one replica of everything', () => {
    expect(replicas(SETUPS['one machine'])).toEqual({
      brokers: 1,
      byDefault: 1,
      offsets: 1,
      inSync: 1,
      topics: 1,
    });
  });

  test('production runs three replicas and acknowledges with two in sync', () => {
    expect(replicas(SETUPS.production)).toEqual({
      brokers: 3,
      byDefault: 3,
      offsets: 3,
      inSync: 2,
      topics: 3,
    });
  });

  test('brokers never create topics automatically', () => {
    for (const { name, service } of all) {
      if (/^kafka(-\d)?$/.test(name))
        expect(service.environment?.KAFKA_AUTO_CREATE_TOPICS_ENABLE).toBe('false');
    }
  });
});

test('Redis syncs every record to disk before it answers, and evicts nothing', () => {
  for (const services of Object.values(SETUPS)) {
    const command = services.redis?.command?.join(' ');
    expect(command).toContain('--appendonly yes --appendfsync always');
    expect(command).toContain('--maxmemory-policy noeviction');
  }
});

test('ClickHouse has an account for each role; each role uses its own, and the analyzer has none', () => {
  const xml = readFileSync(path.join(packageRoot(), 'deploy', 'image', 'clickhouse-users.xml'), 'utf8');
  expect(xml).toBe(clickhouseUsersXml());
  for (const services of Object.values(SETUPS)) {
    for (const role of WAREHOUSE_ROLES)
      expect(services[role]?.environment?.CLICKHOUSE_USERNAME).toBe(accountOf(role));
    expect(JSON.stringify(services.analyzer)).not.toMatch(/clickhouse/i);
  }
});

test('Redis has a user for each role; each role uses its own name and password', () => {
  const template = readFileSync(path.join(packageRoot(), 'deploy', 'image', 'redis-users.acl'), 'utf8');
  expect(template).toBe(redisUsersTemplate());
  for (const services of Object.values(SETUPS)) {
    for (const role of STATE_ROLES) {
      const environment = services[role]?.environment;
      expect(environment?.REDIS_USERNAME).toBe(stateUserOf(role));
      expect(environment?.REDIS_PASSWORD_FILE).toMatch(/redis-password$/);
    }
  }
});

test('production mounts each secret only in the containers that read it', () => {
  const readers = new Map<string, string[]>();
  for (const [name, { secrets = [] }] of Object.entries(SETUPS.production))
    for (const secret of secrets) {
      const source = typeof secret === 'string' ? secret : secret.source;
      readers.set(source, [...(readers.get(source) ?? []), name]);
    }
  // Secrets that several roles share by design; the servers' certificates and digests are the same on each replica.
  const roles = ['analyzer', 'api', 'correlator', 'migrate', 'sink'];
  const brokers = ['kafka', 'kafka-2', 'kafka-3', 'kafka-access'];
  const redis = ['redis', 'redis-replica'];
  const expected: Readonly<Record<string, readonly string[]>> = {
    'ca.pem': [...roles, ...brokers, ...redis, 'clickhouse', 'registry'],
    'master.key': roles,
    'kafka-password': roles,
    'kafka.pem': brokers,
    ...Object.fromEntries(
      ['redis-digests', 'redis-health-password', 'redis.crt', 'redis.key'].map((name) => [name, redis]),
    ),
  };
  for (const [source, names] of readers)
    expect([source, names.sort()]).toEqual([source, [...(expected[source] ?? [names[0]])].sort()]);
});

test('the base image is pinned to a version', () => {
  const bases = readFileSync(path.join(packageRoot(), 'deploy', 'Dockerfile'), 'utf8').match(/^FROM \S+/gm);
  expect(bases?.filter((base) => base.includes(':'))).toEqual(['FROM node:20.20.2-bookworm-slim']);
});
