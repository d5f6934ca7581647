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

const MADE = 'made in DATA_DIR with mode 0600';

const DATA_SETTINGS = described({
  DATA_DIR: {
    description:
      'Folder of the embedded profile’s data, closed to other users (mode 0700); it has to belong to the service’s own. One process at a time uses it.',
    byDefault: './data',
    schema: z.string().min(1).default('./data'),
  },
  LOG_MAX_BYTES: {
    description:
      'Bytes that the embedded log may hold records in. Above 80 % of them, what analyzer and sink have both done is deleted before its seven days are up, the oldest first; dead letters are kept for their 14 days. When what must stay reaches them, ingest answers 503 until there is room. The file takes these bytes and some more, and never shrinks: what is deleted is written again.',
    byDefault: 'half of what is free on its disk at the start, the log’s own file counted as free',
    schema: integer(16 * 1024 ** 2, Number.MAX_SAFE_INTEGER).optional(),
  },
  DATA_MIN_FREE_BYTES: {
    description:
      'Free bytes on the disks of the embedded log, state and warehouse below which ingest answers 503; below twice as many readiness and metrics warn. What is left is for audits that were accepted already.',
    byDefault: '5 % of the disk, 1 GiB at most',
    schema: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  },
  MASTER_KEY: {
    description:
      'File with the 32-byte key that wraps the customers’ keys, the same for every process. Without it nothing sealed can be read. The state knows its key: with another one no process starts, and a lost one is not made again.',
    neededBy: ROLES,
    byDefault: `${MADE}, while nothing is stored`,
    schema: text(),
  },
  SIGNING_KEY: {
    description:
      'File with the Ed25519 private key that signs receipts and checkpoints. A lost one is not made again: restore it, or put a new one in its place and tell those who check signatures.',
    neededBy: ['api'],
    byDefault: `${MADE}, while nothing was signed`,
    schema: text(),
  },
  INTERNAL_SECRET: {
    description:
      'Secret of the /internal paths, at least 16 characters; two values separated by a comma are both accepted (rotation).',
    neededBy: ['api'],
    byDefault: MADE,
    schema: listOf(
      z
        .string()
        .refine(
          (value) => value.split(',').every((secret) => secret.length >= 16) && value.split(',').length <= 2,
          {
            error: 'must have at least 16 characters (at most two values, separated by a comma)',
          },
        ),
    ).optional(),
    secret: true,
  },
});

const OPERATION_SETTINGS = described({
  LOG_LEVEL: {
    description: 'Least level that is logged: fatal, error, warn, info, debug, trace or silent.',
    byDefault: 'info',
    schema: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
        error: 'must be fatal, error, warn, info, debug, trace or silent',
      })
      .default('info'),
  },
});

const COMMAND_LINE_SETTINGS = described({
  CAS_API_KEY: {
    description:
      'API key of the customer that `cas correlate`, `cas dead-letters`, `cas export` and `cas ingest` act for. Services do not look at it.',
    byDefault: 'none',
    schema: z
      .string()
      .regex(/^cas_[0-9a-f]{48}$/, { error: 'must be an API key: cas_ and 48 hexadecimal characters' })
      .optional(),
    secret: true,
  },
  XDG_STATE_HOME: {
    description:
      'Folder of this user for the state of programs. `cas ingest` notes there what was accepted of a file whose own folder it may not write, in cas/ingest.',
    byDefault: '.local/state in the user’s home',
    schema: z
      .string()
      .transform((folder) => (path.isAbsolute(folder) ? folder : undefined))
      .optional(),
  },
});

/** As docs/configuration.md shows them (a test compares). */
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
