import { z } from 'zod';
import { JUDGED_CODES } from '../../schemas/vocabulary.ts';
import { isJudgeAddress, requestFields } from './judge-settings.ts';
import { PROXY_SETTINGS } from './proxy-settings.ts';

/** One setting as a person reads about it, and what its text must be. */
export interface SettingDescription {
  readonly group:
    | 'Listening'
    | 'Data and keys'
    | 'Kafka'
    | 'ClickHouse'
    | 'Redis'
    | 'Schema registry'
    | 'Judge'
    | 'Operation'
    | 'Command line'
    | 'Tests';
  readonly description: string;
  readonly byDefault: string;
  readonly schema: z.ZodType;
  /** A secret: `<NAME>_FILE` may name a file that holds it instead. */
  readonly secret?: true;
  /** The value names a file, whose text is what counts. */
  readonly file?: true;
}

const described = <const Settings extends Record<string, SettingDescription>>(settings: Settings): Settings =>
  settings;

const integer = (from: number, to: number) =>
  z.coerce.number({ error: `must be a whole number from ${from} to ${to}` }).pipe(
    z
      .int({ error: `must be a whole number from ${from} to ${to}` })
      .min(from)
      .max(to),
  );

const text = z.string().min(1).optional();
const file = { schema: text, file: true, byDefault: 'none' } as const;
const secret = { schema: text, secret: true, byDefault: 'none' } as const;

/** An address with one of these schemes. The message never repeats the value: it may hold a password. */
const address = (...schemes: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)), {
      error: `must be an address such as ${schemes[0]}://host:port (${schemes.join(' or ')})`,
    })
    .optional();

/** A list of distinct words, comma-separated. */
const listOf = (words: readonly string[]) =>
  z
    .string()
    .refine(
      (value) => {
        const given = value.split(',');
        return given.every((word) => words.includes(word)) && new Set(given).size === given.length;
      },
      { error: `must be some of ${words.join(', ')}, comma-separated` },
    )
    .optional();

const MADE = 'made in DATA_DIR with mode 0600';

/** Every setting, described once: what is read, and what docs/configuration.md says (a test compares). */
export const SETTINGS = described({
  HOST: {
    group: 'Listening',
    description: 'Address to listen on. Containers set 0.0.0.0.',
    byDefault: '127.0.0.1',
    schema: z.string().min(1).default('127.0.0.1'),
  },
  PORT: {
    group: 'Listening',
    description: 'Port of the API; 0 picks a free one.',
    byDefault: '8080',
    schema: integer(0, 65_535).default(8080),
  },
  HEALTH_PORT: {
    group: 'Listening',
    description:
      'Port of /health/live, /health/ready and /metrics of the roles without an API (analyzer, sink). Unset or 0: a free one, which the role’s line `ready` names. The image, the compose files and the chart set 9090.',
    byDefault: 'a free one',
    schema: integer(0, 65_535).default(0),
  },
  KEY_HEADER: {
    group: 'Listening',
    description: 'Name of the header that carries the API key.',
    byDefault: 'x-service-key',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,63}$/, { error: 'must be a lower-case header name' })
      .default('x-service-key'),
  },
  ...PROXY_SETTINGS,
  DATA_DIR: {
    group: 'Data and keys',
    description: 'Folder of the embedded parts. One process at a time uses it.',
    byDefault: './data',
    schema: z.string().min(1).default('./data'),
  },
  INTERNAL_SECRET: {
    group: 'Data and keys',
    description:
      'Secret of the /internal paths, at least 16 characters; two values separated by a comma are both accepted (rotation).',
    byDefault: MADE,
    schema: z
      .string()
      .refine(
        (value) => value.split(',').every((part) => part.length >= 16) && value.split(',').length <= 2,
        {
          error: 'must have at least 16 characters (at most two values, separated by a comma)',
        },
      )
      .optional(),
    secret: true,
  },
  MASTER_KEY: {
    group: 'Data and keys',
    description:
      'File with the 32-byte key that wraps the customers’ keys, the same for every process. Without it nothing sealed can be read.',
    byDefault: MADE,
    schema: z.string().min(1).optional(),
  },
  SIGNING_KEY: {
    group: 'Data and keys',
    description: 'File with the Ed25519 private key that signs receipts.',
    byDefault: MADE,
    schema: z.string().min(1).optional(),
  },
  KAFKA_BROKERS: {
    group: 'Kafka',
    description: 'Brokers, host:port, comma-separated. Set: the log is Kafka.',
    byDefault: 'embedded log',
    schema: z
      .string()
      .regex(/^[^\s,:]+:\d{1,5}(,[^\s,:]+:\d{1,5})*$/, { error: 'must be host:port, comma-separated' })
      .optional(),
  },
  KAFKA_SSL: {
    group: 'Kafka',
    description: 'Speak TLS with the brokers.',
    byDefault: 'false; true when KAFKA_SSL_CA or KAFKA_SSL_CERT is set',
    schema: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  },
  KAFKA_SSL_CA: {
    group: 'Kafka',
    description: 'File with the PEM certificates that the brokers are trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
  KAFKA_SSL_CERT: { group: 'Kafka', description: 'File with the client’s PEM certificate.', ...file },
  KAFKA_SSL_KEY: { group: 'Kafka', description: 'File with the PEM key of that certificate.', ...file },
  KAFKA_SASL_MECHANISM: {
    group: 'Kafka',
    description: 'How to log in: plain, scram-sha-256 or scram-sha-512.',
    byDefault: 'none',
    schema: z
      .enum(['plain', 'scram-sha-256', 'scram-sha-512'], {
        error: 'must be plain, scram-sha-256 or scram-sha-512',
      })
      .optional(),
  },
  KAFKA_SASL_USERNAME: { group: 'Kafka', description: 'User to log in as.', byDefault: 'none', schema: text },
  KAFKA_SASL_PASSWORD: { group: 'Kafka', description: 'Password of that user.', ...secret },
  KAFKA_REPLICATION_FACTOR: {
    group: 'Kafka',
    description:
      'Replicas of each topic that `cas migrate` creates; -1 leaves it to the broker. Topics with fewer are refused. Production: 3, with min.insync.replicas 2.',
    byDefault: '-1',
    schema: z.coerce
      .number({ error: 'must be -1 or a whole number from 1 to 9' })
      .pipe(
        z
          .int({ error: 'must be -1 or a whole number from 1 to 9' })
          .refine((count) => count === -1 || (count >= 1 && count <= 9), {
            error: 'must be -1 or a whole number from 1 to 9',
          }),
      )
      .default(-1),
  },
  KAFKA_SESSION_TIMEOUT_MS: {
    group: 'Kafka',
    description:
      'A consumer that gives no sign of life for so long loses its partitions to others. The brokers limit it (group.min.session.timeout.ms, group.max.session.timeout.ms).',
    byDefault: '30000',
    schema: integer(1_000, 1_800_000).default(30_000),
  },
  CLICKHOUSE_URL: {
    group: 'ClickHouse',
    description:
      'ClickHouse’s HTTP interface, http(s)://user:password@host:8123/database. Set: the warehouse is that server.',
    byDefault: 'embedded engine',
    schema: address('http', 'https'),
  },
  CLICKHOUSE_USERNAME: {
    group: 'ClickHouse',
    description: 'User; wins over the address.',
    byDefault: 'default',
    schema: text,
  },
  CLICKHOUSE_PASSWORD: { group: 'ClickHouse', description: 'Password; wins over the address.', ...secret },
  CLICKHOUSE_DATABASE: {
    group: 'ClickHouse',
    description: 'Database; wins over the address. `cas migrate` makes it when it is missing.',
    byDefault: 'default',
    schema: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, { error: 'must be letters, digits and _' })
      .optional(),
  },
  CLICKHOUSE_CA: {
    group: 'ClickHouse',
    description: 'File with the PEM certificates that an https server is trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
  CLICKHOUSE_CLUSTER: {
    group: 'ClickHouse',
    description:
      'Name of a cluster with one shard and several replicas: tables are replicated and made on all of it.',
    byDefault: 'a single server',
    schema: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, { error: 'must be letters, digits, _ and -' })
      .optional(),
  },
  REDIS_URL: {
    group: 'Redis',
    description: 'Redis, redis(s)://user:password@host:6379/database. Set: the state is that server.',
    byDefault: 'embedded state',
    schema: address('redis', 'rediss'),
  },
  REDIS_USERNAME: {
    group: 'Redis',
    description: 'User; wins over the address.',
    byDefault: 'none',
    schema: text,
  },
  REDIS_PASSWORD: { group: 'Redis', description: 'Password; wins over the address.', ...secret },
  REDIS_CA: {
    group: 'Redis',
    description: 'File with the PEM certificates that a rediss server is trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
  SCHEMA_REGISTRY_URL: {
    group: 'Schema registry',
    description:
      'Registry that speaks Confluent’s interface; for Apicurio with /apis/ccompat/v7. Set: schema ids are its.',
    byDefault: 'bundled ids',
    schema: address('http', 'https'),
  },
  SCHEMA_REGISTRY_USERNAME: {
    group: 'Schema registry',
    description: 'User.',
    byDefault: 'none',
    schema: text,
  },
  SCHEMA_REGISTRY_PASSWORD: { group: 'Schema registry', description: 'Password.', ...secret },
  SCHEMA_REGISTRY_CA: {
    group: 'Schema registry',
    description: 'File with the PEM certificates that an https registry is trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
  JUDGE_URL: {
    group: 'Judge',
    description:
      'Address of an endpoint that speaks OpenAI’s chat completions, up to and without /chat/completions: https, or http on this machine. Set: a language model judges custom rules that are sentences; texts are sent to it, with every value that was found replaced. It adds to what is found and takes nothing away. Scans never ask it.',
    byDefault: 'no judge',
    schema: z
      .string()
      .refine(isJudgeAddress, {
        error:
          'must be an https address such as https://host/v1 (http only for localhost and 127.0.0.1), without credentials: the key goes into JUDGE_API_KEY',
      })
      .optional(),
  },
  JUDGE_MODEL: { group: 'Judge', description: 'Name of the model.', byDefault: 'none', schema: text },
  JUDGE_API_KEY: { group: 'Judge', description: 'Key that is sent as a bearer token.', ...secret },
  JUDGE_CODES: {
    group: 'Judge',
    description: `Codes that the model is asked about as well, in sandboxes whose type reports them; it is then asked about every audit of these. Some of ${JUDGED_CODES.join(', ')}, comma-separated.`,
    byDefault: 'none',
    schema: listOf(JUDGED_CODES),
  },
  JUDGE_ON_OUTAGE: {
    group: 'Judge',
    description:
      '`pause`: while the endpoint cannot be used, audits wait, those without such rules too, and readiness is red. `skip`: audits go on, and the reasoning of their signals says what was not judged.',
    byDefault: 'pause',
    schema: z.enum(['pause', 'skip'], { error: 'must be pause or skip' }).default('pause'),
  },
  JUDGE_CALLS_PER_MINUTE: {
    group: 'Judge',
    description:
      'Calls of one process in any minute at most. What comes on top is not judged, and its signal says so. Keep it below the endpoint’s own limit divided by the number of analyzers.',
    byDefault: '60',
    schema: integer(1, 100_000).default(60),
  },
  JUDGE_MAX_CHARACTERS: {
    group: 'Judge',
    description:
      'Characters of an audit’s texts that one call carries at most; of longer ones the beginning and the end are sent, and the signal says so. Rules come on top.',
    byDefault: '24000',
    schema: integer(1_000, 1_000_000).default(24_000),
  },
  JUDGE_TIMEOUT_MS: {
    group: 'Judge',
    description: 'Longest wait for one answer.',
    byDefault: '10000',
    schema: integer(100, 20_000).default(10_000),
  },
  JUDGE_CONCURRENCY: {
    group: 'Judge',
    description: 'Calls that one process makes side by side.',
    byDefault: '4',
    schema: integer(1, 64).default(4),
  },
  JUDGE_PARAMETERS: {
    group: 'Judge',
    description:
      'Further fields of each request, as a JSON object; `{}` for models that accept no temperature.',
    byDefault: '`{"temperature":0}`',
    schema: z
      .string()
      .refine((value) => requestFields(value) !== null, {
        error: 'must be a JSON object without model, messages and stream',
      })
      .default('{"temperature":0}'),
  },
  LOG_LEVEL: {
    group: 'Operation',
    description: 'Least level that is logged: fatal, error, warn, info, debug, trace or silent.',
    byDefault: 'info',
    schema: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
        error: 'must be fatal, error, warn, info, debug, trace or silent',
      })
      .default('info'),
  },
  NODE_ENV: {
    group: 'Operation',
    description: '`test` allows the settings of the group Tests; anything else refuses them.',
    byDefault: 'production',
    schema: z.string().default('production'),
  },
  CAS_API_KEY: {
    group: 'Command line',
    description:
      'API key of the customer that `cas dead-letters`, `cas export` and `cas ingest` act for. Services do not look at it.',
    byDefault: 'none',
    schema: z
      .string()
      .regex(/^cas_[0-9a-f]{48}$/, { error: 'must be an API key: cas_ and 48 hexadecimal characters' })
      .optional(),
    secret: true,
  },
  FAULT_INJECTION: {
    group: 'Tests',
    description:
      'Makes analyses fail: `stage:model:times,...` with stage open, detect or emit; the first `times` attempts of each audit of that model fail.',
    byDefault: 'none',
    schema: z
      .string()
      .regex(/^(open|detect|emit):[^:,]+:\d+(,(open|detect|emit):[^:,]+:\d+)*$/, {
        error: 'must look like detect:model-name:2,open:other:1',
      })
      .optional(),
  },
  CRASH_AT: {
    group: 'Tests',
    description: 'Kills the process at the n-th pass of a named point: `sink.after-ledger-insert:3`.',
    byDefault: 'none',
    schema: z
      .string()
      .regex(/^[a-z0-9._-]+(:\d+)?$/, { error: 'must look like point or point:times' })
      .optional(),
  },
});

/** Every name that the environment may carry. */
export const SETTING_NAMES: readonly string[] = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  'secret' in setting ? [name, `${name}_FILE`] : [name],
);
