import path from 'node:path';
import { z } from 'zod';
import { DETECTION_SETTINGS } from './detection-settings.ts';
import { JUDGE_SETTINGS } from './judge-settings.ts';
import { LISTENING_SETTINGS } from './listening-settings.ts';
import { OUTGOING_SETTINGS } from './outgoing-settings.ts';
import { PACKAGE_SETTINGS } from './package-settings.ts';
import { ROLES } from './roles.ts';
import { CLICKHOUSE_SETTINGS, KAFKA_SETTINGS, REDIS_SETTINGS, REGISTRY_SETTINGS } from './server-settings.ts';
import { described, type SettingDescription } from './setting-description.ts';
import { integer, listOf, text } from './setting-schemas.ts';

const MADE = 'created in DATA_DIR with mode 0600';

const DATA_SETTINGS = described({
  DATA_DIR: {
    description:
      'Data folder of the embedded profile. Must belong to the user of the service, with mode 0700. Only one process can use it at a time.',
    byDefault: './data',
    schema: z.string().min(1).default('./data'),
  },
  LOG_MAX_BYTES: {
    description:
      'Maximum size of records in the embedded event log, in bytes. Above 80 %, processed records are deleted before their seven days are over, oldest first; dead letters are kept for 14 days. When the log is full, ingest returns 503 until there is space. The file is slightly larger and never shrinks; freed space is reused.',
    byDefault: 'half of the free disk space at start, counting the log itself as free',
    schema: integer(16 * 1024 ** 2, Number.MAX_SAFE_INTEGER).optional(),
  },
  DATA_MIN_FREE_BYTES: {
    description:
      'Minimum free disk space for event log, state and warehouse of the embedded profile, in bytes. Below it, ingest returns 503; below twice as much, readiness and metrics warn. The reserve is for audits already accepted.',
    byDefault: '5 % of the disk, at most 1 GiB',
    schema: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  },
  MASTER_KEY: {
    description:
      'File with the 32-byte key that encrypts the keys of customers. Must be the same for all processes. Encrypted data cannot be read without it. Processes with a different key refuse to start, and a lost key is not created again.',
    neededBy: ROLES,
    byDefault: `${MADE} if nothing is stored yet`,
    schema: text(),
  },
  SIGNING_KEY: {
    description:
      'File with the Ed25519 private key that signs receipts and checkpoints. A lost key is not created again: restore it, or replace it and inform everyone who verifies signatures.',
    neededBy: ['api'],
    byDefault: `${MADE} if nothing was signed yet`,
    schema: text(),
  },
  INTERNAL_SECRET: {
    description:
      'Secret for the /internal paths, at least 16 characters. For rotation, two values separated by a comma are both accepted.',
    neededBy: ['api'],
    byDefault: MADE,
    schema: listOf(
      z
        .string()
        .refine(
          (value) => value.split(',').every((secret) => secret.length >= 16) && value.split(',').length <= 2,
          {
            error: 'must have at least 16 characters; at most two values, separated by a comma',
          },
        ),
    ).optional(),
    secret: true,
  },
});

const OPERATION_SETTINGS = described({
  LOG_LEVEL: {
    description: 'Minimum log level: fatal, error, warn, info, debug, trace or silent.',
    byDefault: 'info; warn where `cas start` writes text to a terminal',
    schema: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
        error: 'must be fatal, error, warn, info, debug, trace or silent',
      })
      .optional(),
  },
  LOG_FORMAT: {
    description: 'Format of log lines, which go to standard error: json or text.',
    byDefault: 'text on a terminal, json elsewhere',
    schema: z.enum(['json', 'text'], { error: 'must be json or text' }).optional(),
  },
});

const COMMAND_LINE_SETTINGS = described({
  CAS_API_KEY: {
    description:
      'API key for `cas correlate`, `cas dead-letters`, `cas export` and `cas ingest`. Services ignore it.',
    byDefault: 'none',
    schema: z
      .string()
      .regex(/^cas_[0-9a-f]{48}$/, { error: 'must be an API key: cas_ and 48 hexadecimal characters' })
      .optional(),
    secret: true,
  },
  XDG_STATE_HOME: {
    description:
      'Folder for program state. `cas ingest` stores its progress there (cas/ingest) if it cannot write next to the input file.',
    byDefault: '.local/state in the user’s home',
    schema: z
      .string()
      .transform((folder) => (path.isAbsolute(folder) ? folder : undefined))
      .optional(),
  },
});

/** Grouped as in docs/configuration.md (a test compares them). */
export const SETTING_GROUPS: Readonly<Record<string, Readonly<Record<string, SettingDescription>>>> = {
  Listening: LISTENING_SETTINGS,
  'Data and keys': DATA_SETTINGS,
  'Evidence packages': PACKAGE_SETTINGS,
  Kafka: KAFKA_SETTINGS,
  ClickHouse: CLICKHOUSE_SETTINGS,
  Redis: REDIS_SETTINGS,
  'Schema registry': REGISTRY_SETTINGS,
  Detection: DETECTION_SETTINGS,
  Judge: JUDGE_SETTINGS,
  Proxies: OUTGOING_SETTINGS,
  Operation: OPERATION_SETTINGS,
  'Command line': COMMAND_LINE_SETTINGS,
};

/** Every setting, described once. */
export const SETTINGS = {
  ...LISTENING_SETTINGS,
  ...DATA_SETTINGS,
  ...PACKAGE_SETTINGS,
  ...KAFKA_SETTINGS,
  ...CLICKHOUSE_SETTINGS,
  ...REDIS_SETTINGS,
  ...REGISTRY_SETTINGS,
  ...DETECTION_SETTINGS,
  ...JUDGE_SETTINGS,
  ...OUTGOING_SETTINGS,
  ...OPERATION_SETTINGS,
  ...COMMAND_LINE_SETTINGS,
};

/** Every name that may be set in the environment. */
export const SETTING_NAMES: readonly string[] = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  'secret' in setting ? [name, `${name}_FILE`] : [name],
);
