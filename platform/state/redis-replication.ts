import { StateUnavailable } from './port.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisScript } from './redis-script.ts';

/** Writes of records, which must survive the loss of the server that took them. */
export interface ReplicatedWrites {
  /**
   * Runs the script; where replicas are connected, at least one has it before this resolves. Rejects with
   * `StateUnavailable` when none confirmed in time: the write then stands on the primary, and may get lost with it.
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
}

interface ReplicationParts {
  /**
   * A connection of its own: waiting for a replica blocks the connection that waits, and admission must not stand
   * behind it.
   */
  readonly connection: RedisConnection;
  /** Throws when the state is refused for another reason than this connection. */
  pass(): void;
  readonly logger: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
  /** Longest time for the write and the wait together, ms. */
  readonly timeoutMs: number;
}

/** Replicas that receive writes; one that still copies the whole data set cannot confirm any. */
export const onlineReplicas = (replicationInfo: string): number =>
  replicationInfo.split('\r\n').filter((line) => /^slave\d+:.*\bstate=online\b/.test(line)).length;

/**
 * Each write asks with `INFO replication` how many replicas there are (some 20 us of the server, against a flush to the
 * disk), so that no older knowledge decides. A replica whose connection is gone is waited for no longer; whoever wants
 * writes refused in that case sets `min-replicas-to-write` in Redis itself.
 */
export function replicatedWrites({
  connection,
  pass,
  logger,
  timeoutMs,
}: ReplicationParts): ReplicatedWrites {
  let replicas = -1;

  function noteReplicas(found: number): void {
    if (found === 0 && replicas > 0)
      logger.warn({}, 'Redis has no replica any more; records stand on the primary alone');
    if (found > 0 && replicas === 0)
      logger.info({ replicas: found }, 'Redis has a replica; records wait for it');
    replicas = found;
  }

  return {
    async run(script, keys, args) {
      pass();
      const connectedAt = connection.generation();
      const begun = performance.now();
      const [reply, info] = await Promise.all([
        connection.run(script, keys, args),
        connection.call('INFO', 'replication'),
      ]);
      noteReplicas(onlineReplicas(String(info)));
      if (replicas === 0) return reply;
      const leftMs = Math.max(1, Math.floor((timeoutMs - (performance.now() - begun)) / 2));
      const confirmed = Number(await connection.call('WAIT', 1, leftMs));
      // A new connection knows nothing of the write and would confirm it at once.
      if (confirmed < 1 || connection.generation() !== connectedAt)
        throw new StateUnavailable(
          `no replica of Redis confirmed a record within ${leftMs} ms; it stands on the primary alone, so try again when replication works`,
        );
      return reply;
    },
  };
}
