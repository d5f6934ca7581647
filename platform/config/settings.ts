import os from 'node:os';
import path from 'node:path';
import { isLoopback } from './allowed-hosts.ts';
import { misspelledSettings } from './near-settings.ts';
import { outgoingProxies } from './outgoing-settings.ts';
import { profileFault, profileOf } from './profile.ts';
import type { RoleName } from './roles.ts';
import {
  type Environment,
  readValues,
  SETTING_SCHEMA,
  type SettingName,
  type SettingTexts,
  type SettingValues,
} from './setting-values.ts';

export type KafkaSettings = NonNullable<ReturnType<typeof kafkaOf>>;
/** A server's address, credentials and certificates. */
export type ServerSettings = NonNullable<ReturnType<typeof serverOf>>;
export type RedisSettings = NonNullable<ReturnType<typeof redisOf>>;
export type ClickHouseSettings = NonNullable<ReturnType<typeof clickhouseOf>>;
export type JudgeSettings = NonNullable<ReturnType<typeof judgeOf>>;
type CommonSettings = Readonly<ReturnType<typeof commonOf>> & {
  /** One sentence for each environment variable that is probably a misspelled setting. */
  readonly misspelled: readonly string[];
};

/** Everything is stored in the data folder, which one process tree owns. */
export interface EmbeddedSettings extends CommonSettings {
  readonly profile: 'embedded';
}

/** The service uses separate servers, shared by any number of processes. */
export interface DistributedSettings extends CommonSettings {
  readonly profile: 'distributed';
  readonly kafka: KafkaSettings;
  readonly redis: RedisSettings;
  readonly registry: ServerSettings;
  /** null for an analyzer, which stores nothing. */
  readonly clickhouse: ClickHouseSettings | null;
}

export type Settings = EmbeddedSettings | DistributedSettings;

/**
 * Reads and checks all settings; with `role`, also checks that everything this role needs is set. An empty variable
 * counts as unset. Throws `SettingsError` with every fault.
 */
export function readSettings(environment: Environment, role: RoleName | null = null): Settings {
  const values = readValues(environment, (texts) => {
    const fault = profileFault(texts, role);
    return [...faultsTogether(texts), ...(fault === null ? [] : [fault])];
  });
  const common = { ...commonOf(values), misspelled: misspelledSettings(environment) };
  const kafka = kafkaOf(values);
  if (kafka === null) return { ...common, profile: 'embedded' };
  const [redis, registry] = [redisOf(values), serverOf(values, 'SCHEMA_REGISTRY')];
  if (redis === null || registry === null) throw new Error('an incomplete profile was accepted');
  return { ...common, profile: 'distributed', kafka, redis, registry, clickhouse: clickhouseOf(values) };
}

const HIGHEST_PORT = 65_535;

/** Settings that only work together with another one. */
const NEED_EACH_OTHER: readonly (readonly [name: SettingName, needed: SettingName])[] = [
  ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_MECHANISM'],
  ['KAFKA_OAUTH_TOKEN_URL', 'KAFKA_SASL_MECHANISM'],
  ['REDIS_SENTINEL_USERNAME', 'REDIS_SENTINEL_PASSWORD'],
  ['REDIS_SENTINEL_PASSWORD', 'REDIS_SENTINELS'],
  ['KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'],
  ['KAFKA_SSL_KEY', 'KAFKA_SSL_CERT'],
  ['SCHEMA_REGISTRY_USERNAME', 'SCHEMA_REGISTRY_PASSWORD'],
  ['SCHEMA_REGISTRY_PASSWORD', 'SCHEMA_REGISTRY_USERNAME'],
  ['JUDGE_URL', 'JUDGE_MODEL'],
  ['JUDGE_MODEL', 'JUDGE_URL'],
  ['JUDGE_API_KEY', 'JUDGE_URL'],
  ['JUDGE_CODES', 'JUDGE_URL'],
  ['PACKAGES_S3_ENDPOINT', 'PACKAGES_S3_BUCKET'],
  ['PACKAGES_S3_REGION', 'PACKAGES_S3_BUCKET'],
  ['PACKAGES_S3_PREFIX', 'PACKAGES_S3_BUCKET'],
  ['PACKAGES_S3_PATH_STYLE', 'PACKAGES_S3_BUCKET'],
  ['PACKAGES_S3_CA', 'PACKAGES_S3_BUCKET'],
  ['PACKAGES_S3_ACCESS_KEY_ID', 'PACKAGES_S3_BUCKET'],
  ['PACKAGES_S3_ACCESS_KEY_ID', 'PACKAGES_S3_SECRET_ACCESS_KEY'],
  ['PACKAGES_S3_SECRET_ACCESS_KEY', 'PACKAGES_S3_ACCESS_KEY_ID'],
];
/** Settings that each Kafka login method needs. */
const PASSWORD_LOGIN: readonly SettingName[] = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'];
const TOKEN_LOGIN: readonly SettingName[] = [
  'KAFKA_OAUTH_TOKEN_URL',
  'KAFKA_OAUTH_CLIENT_ID',
  'KAFKA_OAUTH_CLIENT_SECRET',
];

/** Conflicts between settings that are valid individually. */
function faultsTogether(texts: SettingTexts): string[] {
  const isSet = (name: SettingName): boolean => texts.has(name);
  const text = (name: SettingName): string | undefined => texts.get(name);
  const needs = NEED_EACH_OTHER.filter(([name, needed]) => isSet(name) && !isSet(needed));
  const isPlain = text('KAFKA_SSL') === 'false' && (isSet('KAFKA_SSL_CA') || isSet('KAFKA_SSL_CERT'));
  return [
    ...portFaults(texts),
    ...needs.map(([name, needed]) => `${name} also requires ${needed}`),
    ...loginFaults(texts),
    ...(isSet('PACKAGES_DIR') && isSet('PACKAGES_S3_BUCKET')
      ? ['PACKAGES_DIR and PACKAGES_S3_BUCKET are both set; unset one']
      : []),
    ...(isPlain
      ? ['KAFKA_SSL is false but certificates are set; set it to true, or unset the certificates']
      : []),
  ];
}

function loginFaults(texts: SettingTexts): string[] {
  const mechanism = texts.get('KAFKA_SASL_MECHANISM');
  if (mechanism === undefined) return [];
  const isToken = mechanism === 'oauthbearer';
  const [needed, others] = isToken ? [TOKEN_LOGIN, PASSWORD_LOGIN] : [PASSWORD_LOGIN, TOKEN_LOGIN];
  return [
    ...needed
      .filter((name) => !texts.has(name))
      .map((name) => `KAFKA_SASL_MECHANISM ${isToken ? 'oauthbearer ' : ''}also requires ${name}`),
    ...others
      .filter((name) => texts.has(name))
      .map((name) => `${name} is not used with this KAFKA_SASL_MECHANISM; unset it`),
  ];
}

const PORTS = SETTING_SCHEMA.pick({ PORT: true, ADMIN_PORT: true, INTERNAL_ON_PUBLIC: true });

function portFaults(texts: SettingTexts): string[] {
  const ports = PORTS.safeParse(Object.fromEntries(texts));
  if (!ports.success) return [];
  const adminPort = adminPortOf(ports.data, profileOf(texts) === 'embedded');
  if (adminPort === null || adminPort === 0) return [];
  if (adminPort === ports.data.PORT) return ['ADMIN_PORT equals PORT; use a different port, or unset it'];
  if (adminPort <= HIGHEST_PORT) return [];
  return [`ADMIN_PORT defaults to PORT + 1, which is above ${HIGHEST_PORT}; set ADMIN_PORT`];
}

/**
 * In the distributed profile others than the operator can reach the service, so it has the second listener unless that
 * is disabled. An embedded service has it only on request.
 */
function adminPortOf(
  values: Pick<SettingValues, 'PORT' | 'ADMIN_PORT' | 'INTERNAL_ON_PUBLIC'>,
  isEmbedded: boolean,
): number | null {
  if (values.ADMIN_PORT !== undefined) return values.ADMIN_PORT;
  if (isEmbedded || values.INTERNAL_ON_PUBLIC) return null;
  return values.PORT === 0 ? 0 : values.PORT + 1;
}

const MIB = 2 ** 20;

/** The user's home; the root if there is none, as for a container's user without an entry in the password file. */
function homeFolder(): string {
  try {
    return os.homedir();
  } catch {
    return path.parse(process.cwd()).root;
  }
}

const commonOf = (values: SettingValues) => ({
  host: values.HOST,
  port: values.PORT,
  /** Path under which a proxy serves the service; empty if none. */
  basePath: values.BASE_PATH ?? '',
  /** The operators' listener: /internal, /metrics and /health/ready of the API, and the health of the other roles. */
  adminHost: values.ADMIN_HOST,
  /** 0: any free port; null: no separate listener, so `port` serves everything. */
  adminPort: adminPortOf(values, values.KAFKA_BROKERS === undefined),
  /** Whether `port` also serves /internal despite a separate listener. */
  internalOnPublic: values.INTERNAL_ON_PUBLIC,
  healthPort: values.HEALTH_PORT,
  keyHeader: values.KEY_HEADER,
  proxies: outgoingProxies(values),
  /** Folder for the state of this user's programs. */
  stateFolder: values.XDG_STATE_HOME ?? path.join(homeFolder(), '.local', 'state'),
  bodyBudgetBytes: values.HTTP_BODY_MEMORY_MIB * MIB,
  /** Addresses and networks. */
  trustedProxies: values.TRUSTED_PROXIES ?? [],
  isSignupOpen: isSignupOpen(values),
  /** Names without a port. */
  allowedHosts: values.ALLOWED_HOSTS ?? [],
  /** Absolute path. */
  dataDir: path.resolve(values.DATA_DIR),
  /** Maximum size of the embedded log in bytes; null: derived from the free space. */
  logMaxBytes: values.LOG_MAX_BYTES ?? null,
  /** Ingest is refused below this number of free bytes; null: derived from the size of the file system. */
  dataMinFreeBytes: values.DATA_MIN_FREE_BYTES ?? null,
  /** Absolute path; null: depends on the profile. */
  packagesDir: values.PACKAGES_DIR === undefined ? null : path.resolve(values.PACKAGES_DIR),
  /** null: a folder. */
  packagesBucket: packagesBucketOf(values),
  internalSecrets: values.INTERNAL_SECRET ?? null,
  masterKeyFile: values.MASTER_KEY ?? null,
  signingKeyFile: values.SIGNING_KEY ?? null,
  detection: {
    /** 0: long texts are searched on the event loop too. */
    threads: values.DETECTION_THREADS,
    /** 1: short texts are searched on the analyzer's event loop. */
    analysisThreads: values.ANALYSIS_THREADS,
    timeoutMs: values.DETECTION_TIMEOUT_MS,
    /** Compile patterns in the background after startup. */
    warmUp: values.DETECTION_WARM_UP,
  },
  /** null: no judge. */
  judge: judgeOf(values),
  logLevel: values.LOG_LEVEL ?? 'info',
  /** For a terminal, where `cas start` itself shows that it works. */
  terminalLogLevel: values.LOG_LEVEL ?? 'warn',
  /** null: text on a terminal, JSON elsewhere. */
  logFormat: values.LOG_FORMAT ?? null,
  /** For commands that act on behalf of a customer. */
  apiKey: values.CAS_API_KEY ?? null,
});

/** Default: open only if requests can come from this machine alone; a proxy may forward requests of others. */
const isSignupOpen = ({ SIGNUP, HOST, TRUSTED_PROXIES = [] }: SettingValues): boolean =>
  SIGNUP === undefined ? isLoopback(HOST) && TRUSTED_PROXIES.length === 0 : SIGNUP === 'open';

/** null if no bucket is set. */
function packagesBucketOf(values: SettingValues) {
  const { PACKAGES_S3_BUCKET: name, PACKAGES_S3_ENDPOINT: endpoint = null } = values;
  if (name === undefined) return null;
  const { PACKAGES_S3_ACCESS_KEY_ID: accessKeyId, PACKAGES_S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    name,
    endpoint,
    region: values.PACKAGES_S3_REGION,
    prefix: values.PACKAGES_S3_PREFIX,
    pathStyle: values.PACKAGES_S3_PATH_STYLE ?? endpoint !== null,
    credentials: isGiven ? { accessKeyId, secretAccessKey } : null,
    ca: values.PACKAGES_S3_CA ?? null,
  };
}

/** null if the address is not set. */
function serverOf(values: SettingValues, name: 'REDIS' | 'SCHEMA_REGISTRY' | 'CLICKHOUSE') {
  const url = values[`${name}_URL`];
  if (url === undefined) return null;
  const [username, password] = [values[`${name}_USERNAME`], values[`${name}_PASSWORD`]];
  // `ca`: PEM text.
  return { url, username: username ?? null, password: password ?? null, ca: values[`${name}_CA`] ?? null };
}

function redisOf(values: SettingValues) {
  const server = serverOf(values, 'REDIS');
  if (server === null) return null;
  return {
    ...server,
    /** null: the address is the server's own. */
    sentinels: values.REDIS_SENTINELS ?? null,
    sentinelUsername: values.REDIS_SENTINEL_USERNAME ?? null,
    sentinelPassword: values.REDIS_SENTINEL_PASSWORD ?? null,
    durability: values.REDIS_DURABILITY,
  };
}

function clickhouseOf(values: SettingValues) {
  const server = serverOf(values, 'CLICKHOUSE');
  if (server === null) return null;
  const { CLICKHOUSE_DATABASE: database = null, CLICKHOUSE_CLUSTER: cluster = null } = values;
  const { CLICKHOUSE_TIMEOUT_MS: requestTimeoutMs, CLICKHOUSE_WAIT_MS: waitMs } = values;
  return { ...server, database, cluster, requestTimeoutMs, waitMs };
}

/** null: no login. */
function kafkaLoginOf(values: SettingValues) {
  const { KAFKA_SASL_MECHANISM: mechanism } = values;
  if (mechanism === undefined) return null;
  if (mechanism !== 'oauthbearer') {
    const { KAFKA_SASL_USERNAME: username = '', KAFKA_SASL_PASSWORD: password = '' } = values;
    return { mechanism, username, password };
  }
  return {
    mechanism,
    tokenUrl: values.KAFKA_OAUTH_TOKEN_URL ?? '',
    clientId: values.KAFKA_OAUTH_CLIENT_ID ?? '',
    clientSecret: values.KAFKA_OAUTH_CLIENT_SECRET ?? '',
    scope: values.KAFKA_OAUTH_SCOPE ?? null,
  };
}

/** null if no brokers are set. */
function kafkaOf(values: SettingValues) {
  const { KAFKA_BROKERS: brokers } = values;
  if (brokers === undefined) return null;
  const { KAFKA_SSL_CA: ca, KAFKA_SSL_CERT: cert, KAFKA_SSL_KEY: key } = values;
  const isTls = values.KAFKA_SSL === true || ca !== undefined || cert !== undefined;
  return {
    brokers,
    /** PEM texts; null: no TLS. */
    ssl: isTls
      ? {
          ...(ca === undefined ? {} : { ca }),
          ...(cert === undefined ? {} : { cert }),
          ...(key === undefined ? {} : { key }),
        }
      : null,
    sasl: kafkaLoginOf(values),
    /** -1: the broker's default. */
    replicationFactor: values.KAFKA_REPLICATION_FACTOR,
    sessionTimeoutMs: values.KAFKA_SESSION_TIMEOUT_MS,
  };
}

/** The endpoint of the optional judge, and what it may be asked; null if there is none. */
function judgeOf(values: SettingValues) {
  const { JUDGE_URL: url, JUDGE_MODEL: model } = values;
  if (url === undefined || model === undefined) return null;
  return {
    url,
    model,
    apiKey: values.JUDGE_API_KEY ?? null,
    timeoutMs: values.JUDGE_TIMEOUT_MS,
    concurrency: values.JUDGE_CONCURRENCY,
    callsPerMinute: values.JUDGE_CALLS_PER_MINUTE,
    maxCharacters: values.JUDGE_MAX_CHARACTERS,
    onOutage: values.JUDGE_ON_OUTAGE,
    /** Codes that the judge may add besides CUSTOM_RULE. */
    codes: values.JUDGE_CODES ?? [],
    /** Additional fields of each request. */
    parameters: values.JUDGE_PARAMETERS,
    proxies: outgoingProxies(values),
  };
}
