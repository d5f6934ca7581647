import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openToOthers } from '../sealing/key-file.ts';
import { type JudgeSettings, judgeOf } from './judge-settings.ts';
import type { SettingDescription } from './setting-description.ts';
import { SETTINGS } from './setting-list.ts';

/** PEM texts. */
export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface KafkaSettings {
  readonly brokers: readonly string[];
  /** null: no TLS. */
  readonly ssl: TlsSettings | null;
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
  /** -1: as the broker says. */
  readonly replicationFactor: number;
  readonly sessionTimeoutMs: number;
}

/** An address with what may be given beside it; null where nothing is. */
export interface ServerSettings {
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** PEM text. */
  readonly ca: string | null;
}

export interface ClickHouseSettings extends ServerSettings {
  readonly database: string | null;
  readonly cluster: string | null;
}

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Where operators listen: /internal, /metrics, /health/ready of the API, and the health of the other roles. */
  readonly adminHost: string;
  /** 0: a free one; null: no listener of its own, `port` serves everything. */
  readonly adminPort: number | null;
  /** Whether `port` serves /internal beside a listener of its own. */
  readonly internalOnPublic: boolean;
  readonly healthPort: number;
  readonly keyHeader: string;
  readonly bodyBudgetBytes: number;
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[];
  /** Names without a port. */
  readonly allowedHosts: readonly string[];
  /** Absolute. */
  readonly dataDir: string;
  /** Bytes that the embedded log may hold; null: by the free space. */
  readonly logMaxBytes: number | null;
  /** Free bytes below which ingest is refused; null: by the size of the file system. */
  readonly dataMinFreeBytes: number | null;
  readonly internalSecrets: readonly string[] | null;
  readonly masterKeyFile: string | null;
  readonly signingKeyFile: string | null;
  /** null: that part is embedded. */
  readonly kafka: KafkaSettings | null;
  readonly clickhouse: ClickHouseSettings | null;
  readonly redis: ServerSettings | null;
  readonly registry: ServerSettings | null;
  /** null: there is no judge. */
  readonly judge: JudgeSettings | null;
  readonly logLevel: string;
  /** For commands that act for a customer. */
  readonly apiKey: string | null;
  readonly test: boolean;
  readonly faultInjection: string | null;
  readonly crashAt: string | null;
}

/** The settings are not valid: one line per fault, never a value of a secret. */
export class SettingsError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

const HIGHEST_PORT = 65_535;
/** Set: that part is real. */
const PART_ADDRESSES = ['KAFKA_BROKERS', 'CLICKHOUSE_URL', 'REDIS_URL', 'SCHEMA_REGISTRY_URL'];

type Environment = Readonly<Record<string, string | undefined>>;
type Report = (fault: string) => void;
/** Checked values by name, of those that are set or have a default. */
type Values = ReadonlyMap<string, unknown>;

/** Reads and checks all settings. An empty variable counts as unset. Throws `SettingsError` with every fault. */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = [];
  const report: Report = (fault) => faults.push(fault);
  const values = new Map<string, unknown>();
  const given = new Set<string>();
  for (const [name, setting] of Object.entries<SettingDescription>(SETTINGS)) {
    const text = textOf(name, setting, environment, report);
    if (text !== undefined) given.add(name);
    const parsed = setting.schema.safeParse(text);
    if (!parsed.success) report(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
    else if (parsed.data !== undefined) values.set(name, parsed.data);
  }
  checkTogether(values, given, report);
  if (faults.length > 0) throw new SettingsError(faults);
  return settingsOf(values);
}

function textOf(
  name: string,
  setting: SettingDescription,
  environment: Environment,
  report: Report,
): string | undefined {
  const value = environment[name] || undefined;
  if (setting.file === true)
    return value === undefined ? undefined : contentOf(name, value, setting.privateFile === true, report);
  const secretFile = setting.secret === true ? environment[`${name}_FILE`] || undefined : undefined;
  if (secretFile === undefined) return value;
  if (value !== undefined) report(`${name} and ${name}_FILE are both set; unset one`);
  return contentOf(`${name}_FILE`, secretFile, true, report)?.trim();
}

function contentOf(name: string, file: string, isSecret: boolean, report: Report): string | undefined {
  try {
    const fault = isSecret ? openToOthers(file) : null;
    if (fault !== null) report(`${name}: ${fault}`);
    const content = readFileSync(file, 'utf8');
    if (content.trim() === '') report(`${name}: the file ${file} is empty`);
    return content;
  } catch (error) {
    report(`${name}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
    return undefined;
  }
}

/** Faults of settings that are right by themselves. `given`: names of all that are set, right or not. */
function checkTogether(values: Values, given: ReadonlySet<string>, report: Report): void {
  const needs = (name: string, needed: string): void => {
    if (values.has(name) && !given.has(needed)) report(`${name} needs ${needed} as well`);
  };
  for (const name of ['FAULT_INJECTION', 'CRASH_AT']) {
    if (values.has(name) && values.get('NODE_ENV') !== 'test')
      report(`${name} is for tests and needs NODE_ENV=test; unset it`);
  }
  const [port, adminPort] = [values.get('PORT'), adminPortOf(values)];
  if (adminPort !== null && adminPort !== 0 && adminPort === port)
    report('ADMIN_PORT is PORT; set it to another port, or unset it');
  if (adminPort !== null && adminPort > HIGHEST_PORT)
    report(
      `PORT ${HIGHEST_PORT} leaves none for ADMIN_PORT, which is the next one by default; set ADMIN_PORT`,
    );
  needs('KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME');
  needs('KAFKA_SASL_MECHANISM', 'KAFKA_SASL_PASSWORD');
  needs('KAFKA_SASL_USERNAME', 'KAFKA_SASL_MECHANISM');
  needs('KAFKA_SSL_CERT', 'KAFKA_SSL_KEY');
  needs('KAFKA_SSL_KEY', 'KAFKA_SSL_CERT');
  needs('SCHEMA_REGISTRY_USERNAME', 'SCHEMA_REGISTRY_PASSWORD');
  needs('SCHEMA_REGISTRY_PASSWORD', 'SCHEMA_REGISTRY_USERNAME');
  needs('JUDGE_URL', 'JUDGE_MODEL');
  for (const name of ['JUDGE_MODEL', 'JUDGE_API_KEY', 'JUDGE_CODES']) needs(name, 'JUDGE_URL');
  if (values.get('KAFKA_SSL') === 'false' && (values.has('KAFKA_SSL_CA') || values.has('KAFKA_SSL_CERT')))
    report('KAFKA_SSL is false, but certificates are given; set it to true or unset them');
}

/**
 * Where parts are real, others than the operator reach the service: it has the second listener unless it is asked to
 * do without. On embedded parts it has one only when that is asked for.
 */
function adminPortOf(values: Values): number | null {
  const set = values.get('ADMIN_PORT') as number | undefined;
  if (set !== undefined) return set;
  const isEmbedded = PART_ADDRESSES.every((name) => !values.has(name));
  if (isEmbedded || values.get('INTERNAL_ON_PUBLIC') === 'true') return null;
  const port = values.get('PORT') as number | undefined;
  return port === undefined || port === 0 ? 0 : port + 1;
}

function settingsOf(values: Values): Settings {
  const text = (name: string): string | null => (values.get(name) as string | undefined) ?? null;
  const number = (name: string): number => values.get(name) as number;
  const optionalNumber = (name: string): number | null => (values.get(name) as number | undefined) ?? null;
  const server = (name: string): ServerSettings | null => {
    const url = text(`${name}_URL`);
    if (url === null) return null;
    const [username, password] = [text(`${name}_USERNAME`), text(`${name}_PASSWORD`)];
    return { url, username, password, ca: text(`${name}_CA`) };
  };
  const clickhouse = server('CLICKHOUSE');
  return {
    host: values.get('HOST') as string,
    port: number('PORT'),
    adminHost: values.get('ADMIN_HOST') as string,
    adminPort: adminPortOf(values),
    internalOnPublic: values.get('INTERNAL_ON_PUBLIC') === 'true',
    healthPort: number('HEALTH_PORT'),
    keyHeader: values.get('KEY_HEADER') as string,
    bodyBudgetBytes: number('HTTP_BODY_MEMORY_MIB') * 2 ** 20,
    trustedProxies: text('TRUSTED_PROXIES')?.split(',') ?? [],
    allowedHosts: text('ALLOWED_HOSTS')?.split(',') ?? [],
    dataDir: path.resolve(values.get('DATA_DIR') as string),
    logMaxBytes: optionalNumber('LOG_MAX_BYTES'),
    dataMinFreeBytes: optionalNumber('DATA_MIN_FREE_BYTES'),
    internalSecrets: text('INTERNAL_SECRET')?.split(',') ?? null,
    masterKeyFile: text('MASTER_KEY'),
    signingKeyFile: text('SIGNING_KEY'),
    kafka: kafkaOf(text, number),
    clickhouse:
      clickhouse === null
        ? null
        : { ...clickhouse, database: text('CLICKHOUSE_DATABASE'), cluster: text('CLICKHOUSE_CLUSTER') },
    redis: server('REDIS'),
    registry: server('SCHEMA_REGISTRY'),
    judge: judgeOf(text, number),
    logLevel: values.get('LOG_LEVEL') as string,
    apiKey: text('CAS_API_KEY'),
    test: values.get('NODE_ENV') === 'test',
    faultInjection: text('FAULT_INJECTION'),
    crashAt: text('CRASH_AT'),
  };
}

function kafkaOf(
  text: (name: string) => string | null,
  number: (name: string) => number,
): KafkaSettings | null {
  const brokers = text('KAFKA_BROKERS');
  if (brokers === null) return null;
  const [ca, cert, key] = [text('KAFKA_SSL_CA'), text('KAFKA_SSL_CERT'), text('KAFKA_SSL_KEY')];
  const isTls = text('KAFKA_SSL') === 'true' || ca !== null || cert !== null;
  const tls: TlsSettings = {
    ...(ca === null ? {} : { ca }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
  };
  const mechanism = text('KAFKA_SASL_MECHANISM') as NonNullable<KafkaSettings['sasl']>['mechanism'] | null;
  return {
    brokers: brokers.split(','),
    ssl: isTls ? tls : null,
    sasl:
      mechanism === null
        ? null
        : {
            mechanism,
            username: text('KAFKA_SASL_USERNAME') ?? '',
            password: text('KAFKA_SASL_PASSWORD') ?? '',
          },
    replicationFactor: number('KAFKA_REPLICATION_FACTOR'),
    sessionTimeoutMs: number('KAFKA_SESSION_TIMEOUT_MS'),
  };
}
