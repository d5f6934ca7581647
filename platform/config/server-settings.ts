import { z } from 'zod';
import { ROLES } from './roles.ts';
import { described } from './setting-description.ts';
import { address, confidentialAddress, flag, hostsAndPorts, integer, text } from './setting-schemas.ts';

const file = { schema: text(), file: true, byDefault: 'none' } as const;
const secret = { schema: text(), secret: true, byDefault: 'none' } as const;

/** The servers of a distributed service. */

export const KAFKA_SETTINGS = described({
  KAFKA_BROKERS: {
    description:
      'Brokers, host:port, separated by commas. Selects the distributed profile, which also requires CLICKHOUSE_URL, REDIS_URL and SCHEMA_REGISTRY_URL.',
    neededBy: ROLES,
    byDefault: 'embedded profile',
    schema: hostsAndPorts(),
  },
  KAFKA_SSL: {
    description: 'Use TLS.',
    byDefault: 'false; true when KAFKA_SSL_CA or KAFKA_SSL_CERT is set',
    schema: flag().optional(),
  },
  KAFKA_SSL_CA: {
    description: 'File with PEM certificates to trust.',
    ...file,
    byDefault: 'certificates trusted by Node.js',
  },
  KAFKA_SSL_CERT: { description: 'File with the PEM client certificate.', ...file },
  KAFKA_SSL_KEY: {
    description: 'File with the PEM key of the client certificate.',
    ...file,
    privateFile: true,
  },
  KAFKA_SASL_MECHANISM: {
    description: 'SASL mechanism: plain, scram-sha-256, scram-sha-512 or oauthbearer.',
    byDefault: 'none',
    schema: z
      .enum(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'], {
        error:
          'must be plain, scram-sha-256, scram-sha-512 or oauthbearer; AWS_MSK_IAM and GSSAPI are not supported, so use a SCRAM user or a client certificate',
      })
      .optional(),
  },
  KAFKA_SASL_USERNAME: {
    description: 'SASL user.',
    byDefault: 'none',
    schema: text(),
  },
  KAFKA_SASL_PASSWORD: { description: 'SASL password.', ...secret },
  KAFKA_OAUTH_TOKEN_URL: {
    description:
      'Token endpoint of the identity provider, for oauthbearer. Uses client credentials (RFC 6749, client_secret_basic). Must be https, or http on this machine. Node.js must trust its certificate (NODE_EXTRA_CA_CERTS).',
    byDefault: 'none',
    schema: confidentialAddress(
      'https://host/oauth2/token',
      'the secret goes into KAFKA_OAUTH_CLIENT_SECRET',
    ),
  },
  KAFKA_OAUTH_CLIENT_ID: {
    description: 'OAuth client id.',
    byDefault: 'none',
    schema: text(),
  },
  KAFKA_OAUTH_CLIENT_SECRET: { description: 'OAuth client secret.', ...secret },
  KAFKA_OAUTH_SCOPE: {
    description: 'OAuth scope to request.',
    byDefault: 'none (default of the provider)',
    schema: text(),
  },
  KAFKA_REPLICATION_FACTOR: {
    description:
      'Replicas of topics created by `cas migrate`; -1 uses the default of the broker. Topics with fewer replicas are rejected. Production: 3, with min.insync.replicas 2.',
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
    description:
      'Time without heartbeats, in ms, after which a consumer loses its partitions. Brokers limit it with group.min.session.timeout.ms and group.max.session.timeout.ms.',
    byDefault: '30000',
    schema: integer(1_000, 1_800_000).default(30_000),
  },
});

export const CLICKHOUSE_SETTINGS = described({
  CLICKHOUSE_URL: {
    description:
      'HTTP interface of ClickHouse, http(s)://user:password@host:8123/database. Distributed profile; not required for the analyzer.',
    neededBy: ['api', 'sink', 'correlator'],
    byDefault: 'embedded profile',
    schema: address('http', 'https'),
  },
  CLICKHOUSE_USERNAME: {
    description: 'User. Overrides the URL.',
    byDefault: 'default',
    schema: text(),
  },
  CLICKHOUSE_PASSWORD: { description: 'Password. Overrides the URL.', ...secret },
  CLICKHOUSE_DATABASE: {
    description: 'Database. Overrides the URL. `cas migrate` creates it if it does not exist.',
    byDefault: 'default',
    schema: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, { error: 'must contain only letters, digits and _' })
      .optional(),
  },
  CLICKHOUSE_CA: {
    description: 'File with PEM certificates to trust for an https server.',
    ...file,
    byDefault: 'certificates trusted by Node.js',
  },
  CLICKHOUSE_TIMEOUT_MS: {
    description:
      'Timeout for reads and inserts without progress, in ms. Queries then return 503; a sink retries without storing anything twice. Increase it if your server takes longer to wake from idle.',
    byDefault: '30000',
    schema: integer(1_000, 600_000).default(30_000),
  },
  CLICKHOUSE_WAIT_MS: {
    description:
      'How long a starting service and `cas migrate` wait for an unreachable server, in ms, e.g. while it wakes from idle. 0: fail immediately.',
    byDefault: '90000',
    schema: integer(0, 3_600_000).default(90_000),
  },
  CLICKHOUSE_CLUSTER: {
    description:
      'Name of a cluster with one shard and several replicas. Tables are then replicated and created on the whole cluster.',
    byDefault: 'a single server',
    schema: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, { error: 'must contain only letters, digits, _ and -' })
      .optional(),
  },
});

export const REDIS_SETTINGS = described({
  REDIS_URL: {
    description:
      'Redis, redis(s)://user:password@host:6379/database. With REDIS_SENTINELS, the host is the name of the primary, without a port. Distributed profile.',
    neededBy: ROLES,
    byDefault: 'embedded profile',
    schema: address('redis', 'rediss'),
  },
  REDIS_USERNAME: {
    description: 'User. Overrides the URL.',
    byDefault: 'none',
    schema: text(),
  },
  REDIS_PASSWORD: { description: 'Password. Overrides the URL.', ...secret },
  REDIS_CA: {
    description: 'File with PEM certificates to trust for a rediss server.',
    ...file,
    byDefault: 'certificates trusted by Node.js',
  },
  REDIS_SENTINELS: {
    description:
      'Sentinels, host:port, separated by commas. They are asked for the primary of REDIS_URL, again after each lost connection. With rediss, they must use TLS too. The servers need min-replicas-to-write 1.',
    byDefault: 'none',
    schema: hostsAndPorts(),
  },
  REDIS_SENTINEL_USERNAME: { description: 'User of the Sentinels.', byDefault: 'none', schema: text() },
  REDIS_SENTINEL_PASSWORD: { description: 'Password of the Sentinels.', ...secret },
  REDIS_DURABILITY: {
    description:
      '`checked`: only accept a server that appends each write to a file and flushes it before responding, as far as its configuration shows. `asserted`: you guarantee that acknowledged writes survive a crash in another way, e.g. through a provider; eviction, version and role are still checked.',
    byDefault: 'checked',
    schema: z.enum(['checked', 'asserted'], { error: 'must be checked or asserted' }).default('checked'),
  },
});

export const REGISTRY_SETTINGS = described({
  SCHEMA_REGISTRY_URL: {
    description:
      'Registry with a Confluent-compatible API; for Apicurio include /apis/ccompat/v7. Distributed profile.',
    neededBy: ROLES,
    byDefault: 'embedded profile',
    schema: address('http', 'https'),
  },
  SCHEMA_REGISTRY_USERNAME: {
    description: 'User.',
    byDefault: 'none',
    schema: text(),
  },
  SCHEMA_REGISTRY_PASSWORD: { description: 'Password.', ...secret },
  SCHEMA_REGISTRY_CA: {
    description: 'File with PEM certificates to trust for an https registry.',
    ...file,
    byDefault: 'certificates trusted by Node.js',
  },
});
