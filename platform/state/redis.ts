import type { State } from './port.ts';
import { redisTarget } from './redis-address.ts';
import { createRedisAdmission } from './redis-admission.ts';
import { connectRedis } from './redis-connection.ts';
import { withDeadline } from './redis-deadline.ts';
import { createRedisDocuments } from './redis-documents.ts';
import { createRedisExpiring } from './redis-expiring.ts';
import { createRedisIdempotency } from './redis-idempotency.ts';
import { KEY_PREFIX, redisKeys } from './redis-keys.ts';
import { createRedisRemains } from './redis-remains.ts';
import { replicatedWrites } from './redis-replication.ts';
import { redisRules, type StateRights, WHOLE_STATE } from './redis-rights.ts';
import { rewriteAppendOnlyFile } from './redis-scrub.ts';

export interface RedisStateOptions {
  /** `redis://` or `rediss://` (TLS) with host, port and database; user and password may stand in it. */
  readonly url: string;
  /** User and password win over those in the address. */
  readonly username?: string;
  readonly password?: string;
  /** Certificates to trust, PEM; for `rediss://`. */
  readonly ca?: string;
  /** Begins every key; states with different ones share a server. Default `cas:`. */
  readonly keyPrefix?: string;
  /** What this process does with the state; a user who may not do that is refused. Default: everything. */
  readonly rights?: StateRights | typeof WHOLE_STATE;
  /** For tests. Default: the server's own clock, so that all processes agree. Unix ms. */
  readonly now?: () => number;
  /** Hears when the server goes, comes back, or cannot be checked. */
  readonly logger?: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
  /** For tests. Default: `MAX_PENDING_MARKS`. */
  readonly maxPendingMarks?: number;
  /** Longest time until a call is answered or refused. Default 2,000 ms. */
  readonly commandTimeoutMs?: number;
}

const SILENT = { info: () => undefined, warn: () => undefined };

/**
 * The state on Redis 6.2 or newer: one primary, with replicas or without; no Redis Cluster, because claims and the
 * sweeper's work list belong to no customer.
 *
 * The server flushes each write before it answers, so that what was answered survives its crash. After a fail-over to a
 * replica records and claimed values are there, because their writes wait for one; idempotency keys, counts, rate tokens and marks of the
 * last moments may be missing. A call that was refused or lost with its connection may have taken effect, as after a
 * crash: a reservation may be counted without an audit, an attempt may hold its lease, a write of documents that expects
 * a version conflicts with itself when it is repeated.
 *
 * Rejects with `StateUnavailable` when the server cannot be reached or has settings under which it would lose records;
 * such a server is also refused, with every call, when a later connection or `ping` finds one.
 */
export async function openRedisState(options: RedisStateOptions): Promise<State> {
  const { keyPrefix = KEY_PREFIX, rights = WHOLE_STATE, logger = SILENT, commandTimeoutMs = 2_000 } = options;
  const { maxPendingMarks } = options;
  if (!/^[\w.:-]*$/.test(keyPrefix))
    throw new RangeError('the key prefix may hold letters, digits and _ . : - only');
  const { target, where } = redisTarget(options);
  const rules = redisRules(rights, { prefix: keyPrefix, database: target.db });
  const parts = { target, rules, where, commandTimeoutMs, logger };
  const connection = await connectRedis(parts);
  const writing = await connectRedis({ ...parts, logger: SILENT }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const keys = redisKeys(keyPrefix);
  const now = options.now ?? (() => '' as const);
  const writes = replicatedWrites({
    connection: writing,
    pass: connection.pass,
    logger,
    timeoutMs: commandTimeoutMs,
  });
  const timed = <Part extends object>(part: Part): Part => withDeadline(part, commandTimeoutMs, where);
  const { generation } = connection;
  return {
    documents: timed(createRedisDocuments({ connection, writes, keys })),
    admission: timed(createRedisAdmission({ connection, writes, keys, now, maxPendingMarks })),
    idempotency: timed(createRedisIdempotency({ connection, keys, now })),
    expiring: timed(createRedisExpiring({ connection, writes, keys, now })),
    ...timed({
      async ping() {
        await connection.ping();
        // Only asked for what it knows: it may stand waiting for a replica, which ingest need not wait for.
        writing.pass();
      },
    }),
    connections: generation,
    removeRemains: createRedisRemains({
      connection: { ...timed({ call: connection.call }), generation },
      keys,
    }),
    scrub: (gone) => rewriteAppendOnlyFile(connection, gone),
    async close() {
      await Promise.all([connection.close(), writing.close()]);
    },
  };
}
