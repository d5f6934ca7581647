import type { State } from '../port.ts';
import { createRedisAdmission } from './admission.ts';
import { redisTarget } from './connection/address.ts';
import { connectRedis, type RedisConnection } from './connection/connection.ts';
import { withDeadline } from './connection/deadline.ts';
import type { StateLogger } from './connection/gate.ts';
import { ReplicatedWrites } from './connection/replication.ts';
import { createRedisDocuments } from './documents.ts';
import { createRedisExpiring } from './expiring.ts';
import { createRedisIdempotency } from './idempotency.ts';
import { KEY_PREFIX, redisKeys } from './keys.ts';
import { createRedisRemains } from './remains.ts';
import { redisRules, type StateRights, WHOLE_STATE } from './rights.ts';
import { rewriteAppendOnlyFile } from './scrub.ts';

export interface RedisStateOptions {
  /** `redis://` or `rediss://` (TLS) with host, port and database; may include user and password. */
  readonly url: string;
  /** User and password override those in the address. */
  readonly username?: string;
  readonly password?: string;
  /** Certificates to trust, PEM; for `rediss://`. */
  readonly ca?: string;
  /**
   * `host:port` of Sentinels, which know where the primary is; the address then contains their name for it, without a
   * port.
   */
  readonly sentinels?: readonly string[];
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  /** `asserted`: the operator vouches that acknowledged writes survive a crash. Default `checked`. */
  readonly durability?: 'checked' | 'asserted';
  /** Prefix of all keys; states with different prefixes can share a server. Default `cas:`. */
  readonly keyPrefix?: string;
  /** What this process does with the state; a user without these permissions is refused. Default: everything. */
  readonly rights?: StateRights | typeof WHOLE_STATE;
  /** For tests. Default: the server's own clock, so that all processes agree. Unix ms. */
  readonly now?: () => number;
  /** Logs when the server is lost, comes back, or cannot be checked. */
  readonly logger?: StateLogger;
  /** For tests. Default: `MAX_PENDING_MARKS`. */
  readonly maxPendingMarks?: number;
  /** Longest time until a call settles. Default 2,000 ms. */
  readonly commandTimeoutMs?: number;
}

const SILENT = { info: () => undefined, warn: () => undefined };

/**
 * The state on Redis 6.2 or newer: one primary, with or without replicas; no Redis Cluster, because claims and the
 * sweeper's work list belong to no customer.
 *
 * The server flushes each write before it answers, or the operator asserts as much, so that acknowledged writes survive
 * its crash. Records and claimed values survive a fail-over to a replica, because their writes wait for one; the latest
 * idempotency keys, counts, rate tokens and marks may be lost. A call that was refused or lost with its connection may
 * have taken effect, as after a crash: a reservation may be counted without an audit, an attempt may hold its lease, a
 * document write with an expected version conflicts with itself when retried.
 *
 * Rejects with `StateUnavailable` when the server cannot be reached or has settings under which it would lose records.
 * Every call is also refused when a later connection or `ping` finds such a server.
 */
export async function openRedisState(options: RedisStateOptions): Promise<State> {
  const { keyPrefix = KEY_PREFIX, rights = WHOLE_STATE, logger = SILENT, commandTimeoutMs = 2_000 } = options;
  const { maxPendingMarks, durability = 'checked' } = options;
  if (!/^[\w.:-]*$/.test(keyPrefix))
    throw new RangeError('the key prefix must contain only letters, digits and _ . : -');
  const { target, where } = redisTarget(options);
  const rules = redisRules(rights, { prefix: keyPrefix, database: target.db });
  const server = { target, rules, where, commandTimeoutMs, logger, durability };
  const connection = await connectRedis(server);
  const writing = await connectRedis({ ...server, logger: SILENT }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const keys = redisKeys(keyPrefix);
  const now = options.now ?? (() => '' as const);
  const pass = (): void => connection.pass();
  const writes = new ReplicatedWrites({ connection: writing, pass, logger, timeoutMs: commandTimeoutMs });
  const state = { connection, writes, keys, now };
  const timed = <Calls extends object>(calls: Calls): Calls => withDeadline(calls, commandTimeoutMs, where);
  const generation = (): number => connection.generation();
  const call: RedisConnection['call'] = (...command) => connection.call(...command);
  return {
    documents: timed(createRedisDocuments(state)),
    admission: timed(createRedisAdmission({ ...state, maxPendingMarks })),
    idempotency: timed(createRedisIdempotency(state)),
    expiring: timed(createRedisExpiring(state)),
    ...timed({
      async ping() {
        await connection.ping();
        // Only its known state is checked: it may be blocked while it waits for a replica, and ingest need not wait for
        // that.
        writing.pass();
      },
    }),
    connections: generation,
    removeRemains: createRedisRemains({
      connection: { ...timed({ call }), generation },
      keys,
    }),
    scrub: (gone) => rewriteAppendOnlyFile(connection, gone),
    async close() {
      await Promise.all([connection.close(), writing.close()]);
    },
  };
}
