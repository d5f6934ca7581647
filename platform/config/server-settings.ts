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
      'Brokers, host:port, comma-separated. Set: the profile is distributed, and CLICKHOUSE_URL, REDIS_URL and SCHEMA_REGISTRY_URL are set as well.',
    neededBy: ROLES,
    byDefault: 'embedded profile',
    schema: hostsAndPorts(),
  },
  KAFKA_SSL: {
    description: 'Speak TLS with the brokers.',
    byDefault: 'false; true when KAFKA_SSL_CA or KAFKA_SSL_CERT is set',
    schema: flag().optional(),
  },
  KAFKA_SSL_CA: {
    description: 'File with the PEM certificates that the brokers are trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
  KAFKA_SSL_CERT: { description: 'File with the client’s PEM certificate.', ...file },
  KAFKA_SSL_KEY: {
    description: 'File with the PEM key of that certificate.',
    ...file,
    privateFile: true,
  },
  KAFKA_SASL_MECHANISM: {
    description: 'How to log in: plain, scram-sha-256, scram-sha-512 or oauthbearer.',
    byDefault: 'none',
    schema: z
      .enum(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'], {
        error:
          'must be plain, scram-sha-256, scram-sha-512 or oauthbearer; instead of AWS_MSK_IAM or GSSAPI give the service a SCRAM user or a client certificate',
      })
      .optional(),
  },
  KAFKA_SASL_USERNAME: {
    description: 'User to log in as.',
    byDefault: 'none',
    schema: text(),
  },
  KAFKA_SASL_PASSWORD: { description: 'Password of that user.', ...secret },
  KAFKA_OAUTH_TOKEN_URL: {
    description:
      'With oauthbearer: the token endpoint of the identity provider, asked for a token by client credentials (RFC 6749, client_secret_basic): https, or http on this machine. Node.js has to trust its certificate (NODE_EXTRA_CA_CERTS).',
    byDefault: 'none',
    schema: confidentialAddress(
      'https://host/oauth2/token',
      'the secret goes into KAFKA_OAUTH_CLIENT_SECRET',
    ),
  },
  KAFKA_OAUTH_CLIENT_ID: {
    description: 'Client that the tokens are for.',
    byDefault: 'none',
    schema: text(),
  },
  KAFKA_OAUTH_CLIENT_SECRET: { description: 'Secret of that client.', ...secret },
  KAFKA_OAUTH_SCOPE: {
    description: 'Scope that is asked for.',
    byDefault: 'none, which leaves it to the provider',
    schema: text(),
  },
  KAFKA_REPLICATION_FACTOR: {
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
    description:
      'A consumer that gives no sign of life for so long loses its partitions to others. The brokers limit it (group.min.session.timeout.ms, group.max.session.timeout.ms).',
    byDefault: '30000',
    schema: integer(1_000, 1_800_000).default(30_000),
  },
});

export const CLICKHOUSE_SETTINGS = described({
  CLICKHOUSE_URL: {
    description:
      'ClickHouse’s HTTP interface, http(s)://user:password@host:8123/database. Of the distributed profile; an analyzer needs none.',
    neededBy: ['api', 'sink', 'correlator'],
    byDefault: 'embedded profile',
    schema: address('http', 'https'),
  },
  CLICKHOUSE_USERNAME: {
    description: 'User; wins over the address.',
    byDefault: 'default',
    schema: text(),
  },
  CLICKHOUSE_PASSWORD: { description: 'Password; wins over the address.', ...secret },
  CLICKHOUSE_DATABASE: {
    description: 'Database; wins over the address. `cas migrate` makes it when it is missing.',
    byDefault: 'default',
    schema: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, { error: 'must be letters, digits and _' })
      .optional(),
  },
  CLICKHOUSE_CA: {
    description: 'File with the PEM certificates that an https server is trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
  CLICKHOUSE_TIMEOUT_MS: {
    description:
      'A read or an insert without a byte of progress for this long counts as unanswered: a query answers 503, a sink tries again and stores nothing twice. Raise it where a server that was idle takes longer for its first answer.',
    byDefault: '30000',
    schema: integer(1_000, 600_000).default(30_000),
  },
  CLICKHOUSE_WAIT_MS: {
    description:
      'How long a start and `cas migrate` wait for a server that does not answer yet, as one that wakes from idling; the log says so. 0: they end with the first failure.',
    byDefault: '90000',
    schema: integer(0, 3_600_000).default(90_000),
  },
  CLICKHOUSE_CLUSTER: {
    description:
      'Name of a cluster with one shard and several replicas: tables are replicated and made on all of it.',
    byDefault: 'a single server',
    schema: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, { error: 'must be letters, digits, _ and -' })
      .optional(),
  },
});

export const REDIS_SETTINGS = described({
  REDIS_URL: {
    description:
      'Redis, redis(s)://user:password@host:6379/database. With REDIS_SENTINELS the host is the name that they know the primary by, without a port. Of the distributed profile.',
    neededBy: ROLES,
    byDefault: 'embedded profile',
    schema: address('redis', 'rediss'),
  },
  REDIS_USERNAME: {
    description: 'User; wins over the address.',
    byDefault: 'none',
    schema: text(),
  },
  REDIS_PASSWORD: { description: 'Password; wins over the address.', ...secret },
  REDIS_CA: {
    description: 'File with the PEM certificates that a rediss server is trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
  REDIS_SENTINELS: {
    description:
      'Sentinels, host:port, comma-separated: they are asked where the primary of REDIS_URL is, again after each lost connection. With rediss they are spoken to by TLS too. The servers need min-replicas-to-write 1.',
    byDefault: 'none',
    schema: hostsAndPorts(),
  },
  REDIS_SENTINEL_USERNAME: { description: 'User of the Sentinels.', byDefault: 'none', schema: text() },
  REDIS_SENTINEL_PASSWORD: { description: 'Password of the Sentinels.', ...secret },
  REDIS_DURABILITY: {
    description:
      '`checked`: a server is refused unless it appends each write to a file and flushes it before it answers, as far as it shows that. `asserted`: you assert that what the server acknowledged survives its crash in another way, as a provider may promise; eviction, version and role are still checked.',
    byDefault: 'checked',
    schema: z.enum(['checked', 'asserted'], { error: 'must be checked or asserted' }).default('checked'),
  },
});

export const REGISTRY_SETTINGS = described({
  SCHEMA_REGISTRY_URL: {
    description:
      'Registry that speaks Confluent’s interface; for Apicurio with /apis/ccompat/v7. Of the distributed profile.',
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
    description: 'File with the PEM certificates that an https registry is trusted by.',
    ...file,
    byDefault: 'those of Node.js',
  },
});
