import path from 'node:path';
import { z } from 'zod';

/**
 * Every setting, described once. They come from the environment only; `readSettings` reports all faults at once, and
 * docs/configuration.md is made from this list (a test compares).
 */
const NOT_YET = 'not supported by this release, which runs on embedded parts only; unset it';
const unsupported = z.undefined({ error: NOT_YET });

interface SettingDescription {
  readonly group: 'Listening' | 'Data and keys' | 'Parts' | 'Operation' | 'Tests';
  readonly description: string;
  readonly byDefault: string;
  readonly schema: z.ZodType;
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

export const SETTINGS = described({
  HOST: {
    group: 'Listening',
    description: 'Address the API listens on. Containers set 0.0.0.0.',
    byDefault: '127.0.0.1',
    schema: z.string().min(1).default('127.0.0.1'),
  },
  PORT: {
    group: 'Listening',
    description: 'Port of the API; 0 picks a free one.',
    byDefault: '8080',
    schema: integer(0, 65_535).default(8080),
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
    byDefault: 'made in DATA_DIR with mode 0600',
    schema: z
      .string()
      .refine(
        (value) => value.split(',').every((part) => part.length >= 16) && value.split(',').length <= 2,
        {
          error: 'must have at least 16 characters (at most two values, separated by a comma)',
        },
      )
      .optional(),
  },
  MASTER_KEY: {
    group: 'Data and keys',
    description:
      'File with the 32-byte key that wraps the customers’ keys. Without it nothing sealed can be read.',
    byDefault: 'made in DATA_DIR with mode 0600',
    schema: z.string().min(1).optional(),
  },
  SIGNING_KEY: {
    group: 'Data and keys',
    description: 'File with the Ed25519 private key that signs receipts.',
    byDefault: 'made in DATA_DIR with mode 0600',
    schema: z.string().min(1).optional(),
  },
  KAFKA_BROKERS: {
    group: 'Parts',
    description: 'Kafka brokers, host:port, comma-separated.',
    byDefault: 'embedded log',
    schema: unsupported,
  },
  CLICKHOUSE_URL: {
    group: 'Parts',
    description: 'ClickHouse over HTTP.',
    byDefault: 'embedded engine',
    schema: unsupported,
  },
  REDIS_URL: { group: 'Parts', description: 'Redis.', byDefault: 'embedded state', schema: unsupported },
  SCHEMA_REGISTRY_URL: {
    group: 'Parts',
    description: 'Schema registry.',
    byDefault: 'bundled ids',
    schema: unsupported,
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

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly keyHeader: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly internalSecrets: readonly string[] | null;
  readonly masterKeyFile: string | null;
  readonly signingKeyFile: string | null;
  readonly logLevel: string;
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

/** Reads and checks all settings. An empty variable counts as unset. Throws `SettingsError` with every fault. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const parsed = setting.schema.safeParse(environment[name] === '' ? undefined : environment[name]);
    if (parsed.success) values[name] = parsed.data;
    else faults.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  }
  const test = values.NODE_ENV === 'test';
  for (const name of ['FAULT_INJECTION', 'CRASH_AT']) {
    if (values[name] !== undefined && !test)
      faults.push(`${name} is for tests and needs NODE_ENV=test; unset it`);
  }
  if (faults.length > 0) throw new SettingsError(faults);
  const text = (name: string): string | null => (values[name] as string | undefined) ?? null;
  return {
    host: values.HOST as string,
    port: values.PORT as number,
    keyHeader: values.KEY_HEADER as string,
    dataDir: path.resolve(values.DATA_DIR as string),
    internalSecrets: text('INTERNAL_SECRET')?.split(',') ?? null,
    masterKeyFile: text('MASTER_KEY'),
    signingKeyFile: text('SIGNING_KEY'),
    logLevel: values.LOG_LEVEL as string,
    test,
    faultInjection: text('FAULT_INJECTION'),
    crashAt: text('CRASH_AT'),
  };
}

/** The page docs/configuration.md, from the descriptions above. */
export function configurationPage(): string {
  const lines = [
    '# Configuration',
    '',
    'All settings come from the environment. `cas config --check` validates them and leaves. This page is generated:',
    '`node dist/cli/main.js config --page > docs/configuration.md`.',
  ];
  const groups = [...new Set(Object.values(SETTINGS).map((setting) => setting.group))];
  for (const group of groups) {
    lines.push('', `## ${group}`, '', '| setting | default | meaning |', '|---|---|---|');
    for (const [name, setting] of Object.entries(SETTINGS)) {
      if (setting.group === group)
        lines.push(`| \`${name}\` | ${setting.byDefault} | ${setting.description} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}
